/**
 * A test file as a part of a program that is no test: it stands at the root, and takes from a stand-in what it took from a runner. Pure.
 *
 * null: it needs its place, a helper of tests, or what only its runner has; such a file is left out.
 */
import { builtinModules } from 'node:module';
import { posix } from 'node:path';
import { moduleCandidates, pythonCandidates } from './imports.ts';
import { maskSource } from './mask.ts';
import { namedMembers } from './named-members.ts';
import { applyEdits, type SourceImport, type SourceReading, type TextEdit } from './source.ts';
import { itemAt } from '../../domain/items.ts';

export interface PlainTests {
  /** `aim`: where a module of the project lies for the program. */
  textWith(aim: (path: string) => string): string;
  /** Modules of the project that it loads. */
  loads: string[];
  /** JavaScript: whether it is written as a module. */
  isModule: boolean;
  /** Python: names that stand for the runner (empty), or for a member of it. */
  bound: Record<string, string>;
  /** Constants of the project that it names, by what they are members of. */
  named: Record<string, string[]>;
}

const OF_RUNNER = /^(?:node:test|vitest|@jest\/globals|(?:node:)?assert(?:\/strict)?|tape|tap|ava|uvu|uvu\/assert|chai)$/;
const GIVEN = new Set('test it describe suite context expect vi jest before after beforeAll afterAll beforeEach afterEach'.split(' '));
/** What leads to the file itself, or is decided only as it runs. */
const PLACE = /\bimport\s*\.\s*meta\b|\b__dirname\b|\b__filename\b|\bmodule\s*\.\s*(?:parent|paths)\b|\brequire\s*\.\s*\w/;
const PYTHON_PLACE = /\b__file__\b|\b__package__\b|\b__spec__\b/;

interface Project {
  paths: { has(path: string): boolean };
  /** Modules of these are no code of the project. */
  isOfTests: (path: string) => boolean;
}

export function plainTests(path: string, text: string, reading: SourceReading, project: Project): PlainTests | null {
  if (reading.hasOpenImport || reading.tests.length === 0) return null;
  const mask = maskSource(text, reading.language);
  if ((reading.language === 'python' ? PYTHON_PLACE : PLACE).test(mask)) return null;
  return reading.language === 'python' ? inPython(path, text, reading, project) : inScript(path, text, reading, project);
}

type Turn = (aim: (path: string) => string) => TextEdit;

function inScript(path: string, text: string, reading: SourceReading, { paths, isOfTests }: Project): PlainTests | null {
  const turns: Turn[] = [];
  const loads: string[] = [];
  const own: SourceImport[] = [];
  let isModule = false;
  for (const one of reading.imports) {
    const words = text.slice(one.start, one.end);
    const isDeclared = /^import\b(?!\s*\()/.test(words);
    isModule ||= isDeclared;
    if (!isDeclared && !/^(?:require|import)\s*\(/.test(words)) return null;
    const isNear = one.specifier.startsWith('.');
    const file = isNear ? moduleCandidates(posix.join(posix.dirname(path), one.specifier)).find((each) => paths.has(each)) : undefined;
    if (isNear && (file === undefined || isOfTests(file) || !/(?<!\.d)\.[cm]?[jt]s$|\.json$/.test(file))) return null;
    const at = { at: one.start, length: one.end - one.start };
    if (OF_RUNNER.test(one.specifier)) {
      const kit = `KIT(${JSON.stringify(one.specifier)})`;
      turns.push(() => ({ ...at, text: isDeclared ? bindings(one, kit) : kit }));
    } else if (file !== undefined) {
      loads.push(file);
      own.push(one);
      turns.push((aim) => ({ ...at, text: words.replace(/(['"`])[^'"`]+\1(?!.*['"`])/s, JSON.stringify(`./${aim(file)}`)) }));
    } else if (!one.specifier.startsWith('#') && !builtinModules.includes(one.specifier.replace(/^node:/, ''))) return null;
  }
  if (loads.length === 0 && !reading.imports.some((one) => one.specifier.startsWith('#'))) return null;
  const names = reading.globals.filter((name) => GIVEN.has(name));
  const given = names.length === 0 ? '' : `const { ${names.join(', ')} } = KIT('');\n`;
  return {
    textWith: (aim) =>
      `${given}${applyEdits(
        text,
        turns.map((turn) => turn(aim)),
      )}`,
    loads,
    isModule,
    bound: {},
    named: namedMembers(text, reading, own),
  };
}

function bindings({ names, locals, isType }: SourceImport, kit: string): string {
  if (isType) return ';';
  const parts = locals.map((local, at) =>
    names[at] === '*' ? `const ${local} = ${kit};` : `const ${local} = ${kit}.${itemAt(names, at)};`,
  );
  return parts.length === 0 ? ';' : parts.join(' ');
}

function inPython(path: string, text: string, reading: SourceReading, { paths, isOfTests }: Project): PlainTests | null {
  const edits: TextEdit[] = [];
  const loads: string[] = [];
  const own: SourceImport[] = [];
  const bound: Record<string, string> = {};
  for (const one of reading.imports) {
    const words = text.slice(one.start, one.end);
    if (one.specifier.startsWith('.') || /^_pytest\b|^pytest\./.test(one.specifier) || !/^(?:import|from)\s/.test(words)) return null;
    if (one.specifier !== 'pytest') {
      const files = pythonCandidates(one, path)
        .flat()
        .filter((file) => paths.has(file));
      if (files.some(isOfTests)) return null;
      loads.push(...files);
      if (files.length > 0) own.push(one);
      continue;
    }
    const alias = /^import\s+pytest(?:\s+as\s+(\w+))?$/.exec(words.trim());
    if (alias === null && !words.startsWith('from')) return null;
    if (alias !== null) bound[alias[1] ?? 'pytest'] = '';
    else for (const [at, local] of one.locals.entries()) bound[local] = one.names[at] ?? '';
    edits.push({ at: one.start, length: one.end - one.start, text: 'pass' });
  }
  if (loads.length === 0) return null;
  return { textWith: () => applyEdits(text, edits), loads, isModule: false, bound, named: namedMembers(text, reading, own) };
}
