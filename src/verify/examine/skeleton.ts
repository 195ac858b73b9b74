/**
 * The candidate's skeleton: what an examiner may know of it.
 *
 * 1. Made by the parsers alone; nothing is run. Bodies, literals, defaults, comments and long names are left out.
 * 2. Changed files come first; the rest is bounded. A change that offers no name, no route and no program has no skeleton: empty.
 */
import type { TreeEntry } from '../../domain/tree.ts';
import type { Case } from '../case.ts';
import { isTestPath, kindOf } from '../checks/protected-paths.ts';
import { parseJavascript } from '../source/parse-javascript.ts';
import { parsePython } from '../source/parse-python.ts';
import { languageOf, type Language } from '../source/source.ts';
import type { SyntaxNode } from '../source/syntax-node.ts';
import { plainPathText } from './blanked.ts';
import { callShapes } from './call-shapes.ts';
import { javascriptSkeleton } from './skeleton-javascript.ts';
import { pythonSkeleton } from './skeleton-python.ts';

const PARSE_MS = 5_000;
const MOST_FILES = 60;
const MOST_PATHS = 150;
const MOST_ROUTES = 40;
const MOST_SHAPES = 40;
const MOST_CHARACTERS = 20_000;
const LONGEST_SOURCE = 400_000;

interface Parsed {
  path: string;
  text: string;
  language: Language;
  program: SyntaxNode;
}

export async function skeletonOf(judged: Case, isOfTests: (path: string) => boolean): Promise<string> {
  const { trees } = judged;
  const entries = await trees.list(judged.judged.tree);
  const changed = new Set(judged.judged.changes.filter(({ to }) => to !== null).map(({ path }) => path));
  const isCode = ({ path, mode }: TreeEntry): boolean =>
    mode !== '120000' && languageOf(path) !== null && !isOfTests(path) && !isSetting(judged, path);
  const sources = entries.filter(isCode).toSorted((a, b) => Number(changed.has(b.path)) - Number(changed.has(a.path)));
  const parsed = await parseAll(judged, sources.slice(0, MOST_FILES));
  const parts = parsed.map((one) => ({ ...one, lines: linesOf(one) }));
  if (!parts.some(({ path, lines }) => changed.has(path) && lines.length > 0)) return '';
  const names = new Set(parts.flatMap(({ lines }) => lines.join('\n').match(/[\p{L}_$][\p{L}\p{N}_$]*/gu) ?? []));
  const shapes = await shapesIn(judged, { entries, changed, isOfTests, names });
  return bounded([
    ...parts
      .filter(({ lines }) => lines.length > 0)
      .map(({ path, lines }) => [`${plainPathText(path)}:`, ...lines.map((line) => `  ${line}`)].join('\n')),
    ...(shapes.length === 0 ? [] : [['calls, with the kinds of their arguments:', ...shapes.map((line) => `  ${line}`)].join('\n')]),
    ['files:', ...layout(entries, isOfTests).map((path) => `  ${path}`)].join('\n'),
  ]);
}

function isSetting({ settings }: Case, path: string): boolean {
  return kindOf(path, { stateDirectory: settings.paths.state_dir, extra: [], commandFiles: new Set<string>() }) !== null;
}

async function parseAll({ platform, trees }: Case, entries: readonly TreeEntry[]): Promise<Parsed[]> {
  const texts = await Promise.all(
    entries.map(async ({ path, oid }) => ({ path, text: (await trees.readBlob(oid)).toString('utf8'), language: languageOf(path) })),
  );
  const read = texts.filter(({ text }) => text.length <= LONGEST_SOURCE);
  const python = read.filter(({ language }) => language === 'python');
  const modules = await parsePython(
    platform,
    python.map(({ text }) => text),
    PARSE_MS,
  );
  const found: Parsed[] = [];
  for (const { path, text, language } of read) {
    const program =
      language === 'javascript'
        ? await parseJavascript(text, path, PARSE_MS)
        : (modules[python.findIndex((one) => one.path === path)] ?? null);
    if (program !== null && language !== null) found.push({ path, text, language, program });
  }
  return found;
}

const ROUTES = /[\w)]\.(get|post|put|patch|delete|route)\(\s*(['"`])(\/[\w/:{}<>.*-]{0,60})\2/g;
const PROGRAM = /^#!|^if __name__ ==|\bprocess\.argv\b/m;

function linesOf({ text, language, program, path }: Parsed): string[] {
  const lines = language === 'python' ? pythonSkeleton(program, text) : javascriptSkeleton(program, text);
  const routes = [...text.matchAll(ROUTES)]
    .slice(0, MOST_ROUTES)
    .map(([, method = '', , route = '']) => `route ${method.toUpperCase()} ${route}`);
  const start = PROGRAM.test(text) ? [`a program: ${language === 'python' ? 'python' : 'node'} ${plainPathText(path)}`] : [];
  return [...lines, ...new Set(routes), ...start];
}

interface Callers {
  entries: readonly TreeEntry[];
  changed: ReadonlySet<string>;
  isOfTests(path: string): boolean;
  names: ReadonlySet<string>;
}

/** In the tests and docs that the change brings. */
async function shapesIn(judged: Case, { entries, changed, isOfTests, names }: Callers): Promise<string[]> {
  const tests = entries.filter(({ path }) => changed.has(path) && languageOf(path) !== null && isOfTests(path));
  const docs = entries.filter(({ path }) => changed.has(path) && path.endsWith('.md'));
  const found = new Set((await parseAll(judged, tests)).flatMap(({ program, language }) => callShapes(program, language, names)));
  for (const { oid } of docs.slice(0, MOST_FILES)) {
    const text = (await judged.trees.readBlob(oid)).toString('utf8').slice(0, LONGEST_SOURCE);
    for (const [, kind = '', code = ''] of text.matchAll(/^```(js|javascript|ts|typescript|py|python)\b[^\n]*\n([\s\S]*?)^```/gm)) {
      const language: Language = kind.startsWith('py') ? 'python' : 'javascript';
      const program =
        language === 'python'
          ? ((await parsePython(judged.platform, [code], PARSE_MS))[0] ?? null)
          : await parseJavascript(code, 'doc.ts', PARSE_MS);
      if (program !== null) for (const shape of callShapes(program, language, names)) found.add(shape);
    }
  }
  return [...found].slice(0, MOST_SHAPES);
}

function layout(entries: readonly TreeEntry[], isOfTests: (path: string) => boolean): string[] {
  const paths = entries.map(({ path }) => path).filter((path) => !isOfTests(path) && !isTestPath(path));
  return [...new Set(paths.map(plainPathText))].slice(0, MOST_PATHS);
}

function bounded(parts: readonly string[]): string {
  const shown: string[] = [];
  let left = MOST_CHARACTERS;
  for (const part of parts) {
    if (part.length > left) continue;
    shown.push(part);
    left -= part.length;
  }
  return shown.join('\n\n');
}
