/** Which calls of altered functions the tests make, and how another file imports what they need. */
import { testFilesOf } from '../../domain/test-files.ts';
import { pathSetOf } from '../../domain/tree-index.ts';
import type { Case } from '../case.ts';
import { reachedFiles } from '../checks/check-reach.ts';
import type { TestSide } from '../checks/test-side.ts';
import { filesNamed } from '../checks/twins.ts';
import { parseJavascript } from '../source/parse-javascript.ts';
import { parsePython } from '../source/parse-python.ts';
import { isOfLanguage } from '../source/plain-assertions.ts';
import { readSource } from '../source/read-source.ts';
import { languageOf, type SourceImport, type SourceReading } from '../source/source.ts';
import type { SyntaxNode } from '../source/syntax-node.ts';
import type { Altered } from './altered.ts';
import { callsIn, type OpenCall } from './calls.ts';
import type { Import } from './question.ts';

export interface AskedFile {
  path: string;
  text: string;
  reading: SourceReading;
  imports: Import[];
  calls: OpenCall[];
}

const MOST_READ = 60;
const MOST_FILES = 6;
const PARSE_MS = 5_000;

/** The feature's own test files first. */
export async function askedFiles(judged: Case, altered: Altered, isOfTests: TestSide): Promise<AskedFile[]> {
  const { platform, trees } = judged;
  const paths = pathSetOf(await trees.list(judged.judged.tree));
  const own = judged.mode === 'feature' ? testFilesOf(judged.feature).filter((path) => paths.has(path)) : [];
  const files = [...own, ...(await reachedFiles(judged, own))].filter((path) => languageOf(path) !== null).slice(0, MOST_READ);
  const found: AskedFile[] = [];
  for (const path of files) {
    if (found.length >= MOST_FILES || judged.time?.isUp('changed results') === true) break;
    const text = (await trees.read(judged.judged.tree, path))?.toString('utf8') ?? '';
    const reading = await readSource(platform, path, text);
    const program = reading === null ? null : await programOf(judged, path, text);
    if (reading === null || program === null) continue;
    const loading = loadingIn(path, reading, { paths, isOfTests, altered });
    const imported = new Set(loading.flatMap(({ names }) => names));
    const wanted = new Set(loading.flatMap(({ wanted: some }) => some));
    const isWanted = ({ names, called }: OpenCall): boolean =>
      [...names].some((name) => wanted.has(name)) || (names.size > 0 && called.some((name) => altered.names.has(name)));
    const calls = callsIn({ program, text, language: reading.language, imported }).filter(isWanted);
    if (calls.length > 0) found.push({ path, text, reading, imports: loading, calls });
  }
  return found;
}

async function programOf({ platform }: Case, path: string, text: string): Promise<SyntaxNode | null> {
  if (languageOf(path) === 'python') return (await parsePython(platform, [text], PARSE_MS))[0] ?? null;
  return await parseJavascript(text, path, PARSE_MS);
}

interface Known {
  paths: { has(path: string): boolean };
  isOfTests: TestSide;
  altered: Altered;
}

/** Statements that import from modules of the project or the language; `wanted`: names of altered functions. */
function loadingIn(path: string, reading: SourceReading, known: Known): (Import & { wanted: string[] })[] {
  return reading.statements.flatMap((statement) => {
    const parts = reading.imports.filter((one) => one.start >= statement.start && one.end <= statement.end && !one.isType);
    const isPlain = parts.length > 0 && (statement.kind === 'import' || statement.kind === 'declaration');
    if (!isPlain || !parts.every((one) => isOwn(one, path, known) || isOfLanguage(one.specifier, reading.language))) return [];
    const wanted = parts.flatMap((one) => wantedOf(one, path, known));
    return [{ start: statement.start, end: statement.end, names: statement.names, wanted }];
  });
}

function isOwn(one: SourceImport, path: string, { paths, isOfTests }: Known): boolean {
  return /^(?:#|@\/|~\/)/.test(one.specifier) || filesOf(one, path).some((file) => paths.has(file) && !isOfTests(file));
}

/** Python's names may be modules themselves. */
function filesOf({ specifier, names }: SourceImport, path: string): string[] {
  const modules = path.endsWith('.py') ? names.map((name) => `${specifier.replace(/(?<=\w)$/, '.')}${name}`) : [];
  return [specifier, ...modules].flatMap((module) => filesNamed(module, path));
}

/** All that an altered module gives, and what is named like an altered function. */
function wantedOf(one: SourceImport, path: string, { altered }: Known): string[] {
  const isAltered = filesOf({ ...one, names: [] }, path).some((file) => altered.paths.has(file));
  return one.locals.filter((_local, at) => isAltered || altered.names.has(one.names[at] ?? ''));
}
