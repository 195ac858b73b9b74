/**
 * What the text of a change says to somebody who only looks: copies, names that nobody uses, marks that take tests or tools out.
 *
 * 1. Tests are no source of copies, and new names in them need no caller.
 * 2. What no parser reads is named, so that nobody takes silence for an answer.
 */
import type { TreeChange } from '../../domain/tree.ts';
import { isTestFile, isTestPath } from '../../verify/checks/protected-paths.ts';
import { newNames, usesOf, type DeclaredName, type ReadFile } from '../../verify/source/call-sites.ts';
import { findClones } from '../../verify/source/clones.ts';
import { newSuppressions } from '../../verify/source/code-text.ts';
import { readSources } from '../../verify/source/read-source.ts';
import { languageOf } from '../../verify/source/source.ts';
import { addedMarks } from '../../verify/source/test-text.ts';
import type { Clone, CodeFile } from '../../verify/source/token-clones.ts';
import type { Place } from '../place.ts';
import { itemAt, lastItem } from '../../domain/items.ts';

type Ground = Pick<Place, 'platform' | 'trees'>;

export interface TextChange {
  path: string;
  /** Null: the file is new, or gone. */
  before: string | null;
  after: string | null;
}

export interface ChangeLook {
  /** Every changed file that holds text. */
  texts: TextChange[];
  /** Paths of changed code that is no test. */
  code: string[];
  clones: Clone[];
  /** How many files were compared with. */
  compared: number;
  names: DeclaredName[];
  /** Changed code that no parser could read. */
  unread: string[];
  /** `path: mark` */
  skips: string[];
  suppressions: string[];
  /** Placeholders that were added: `path:line text` */
  unfinished: string[];
  /** Test files that are new, or that hold more tests than before. */
  newTests: string[];
}

const LARGEST_TEXT = 1_000_000;
const CODE = /\.(?:[cm]?[jt]sx?|py|go|rs|java|kt|kts|swift|c|cc|cpp|cxx|h|hpp|cs|rb|php|scala|sh|bash|lua|dart|ex|exs|vue|svelte)$/;

export async function lookAtChange(ground: Ground, work: { base: string; tree: string }): Promise<ChangeLook> {
  const texts = await textsOf(ground, await ground.trees.diff(work.base, work.tree));
  const changed = texts.filter(({ path, after }) => after !== null && isCode(path)) as (TextChange & { after: string })[];
  const now = await readSources(
    ground.platform,
    changed.map(({ path, after }) => ({ path, text: after })),
  );
  const before = await readSources(
    ground.platform,
    changed.map(({ path, before: text }) => ({ path, text: text ?? '' })),
  );
  const marked = texts.filter(({ path, after }) => after !== null && CODE.test(path));
  const project = await projectFiles(ground, work.tree);
  const sources = project.filter(isOriginal);
  const fresh = changed.map((file, index) => ({ path: file.path, text: file.after, before: file.before, reading: now[index] ?? null }));
  const names: DeclaredName[] = [];
  const paths = new Set(project.map((file) => file.path));
  for (const [index, file] of fresh.entries()) {
    const { reading } = file;
    if (reading === null) continue;
    const declared = newNames(reading, file.before === null ? null : (before[index] ?? null));
    const found = isEntry(file.path) ? declared.filter((name) => name !== 'default') : declared;
    names.push(...(await withUses(ground, { from: { ...file, reading }, names: found, project, paths })));
  }
  return {
    texts,
    code: changed.map((file) => file.path),
    clones: changed.length === 0 ? [] : await findClones(ground.platform, fresh.filter(isOriginal), sources),
    compared: sources.length,
    names,
    unread: fresh.filter((file) => file.reading === null && !isScript(file.path)).map((file) => file.path),
    unfinished: texts.flatMap(unfinishedIn),
    newTests: await grownTests(ground, texts),
    skips: marked.flatMap(({ path, before: old, after }) => addedMarks(old ?? '', after ?? '').map((mark) => `${path}: ${mark}`)),
    suppressions: marked.flatMap(({ path, before: old, after }) =>
      newSuppressions(old ?? '', after ?? '').map((mark) => `${path}: ${mark}`),
    ),
  };
}

const PLACEHOLDER =
  /(?:\/\/|#|\/\*|^\*|<!--).*\b(?:TODO|FIXME|XXX)\b|\b(?:throw|raise|panic)\b.*[Nn]ot (?:yet )?[Ii]mplemented|\b(?:unimplemented|todo)!\(/;

/** Lines of code that say that something is still to be done, and were not there before. */
function unfinishedIn({ path, before, after }: TextChange): string[] {
  if (after === null || !CODE.test(path) || isTestPath(path)) return [];
  const old = new Set((before ?? '').split('\n').map((line) => line.trim()));
  return after
    .split('\n')
    .map((line, index) => ({ line: line.trim(), at: index + 1 }))
    .filter(({ line }) => PLACEHOLDER.test(line) && !old.has(line))
    .map(({ line, at }) => `${path}:${at} ${line.slice(0, 80)}`);
}

async function grownTests(ground: Ground, texts: readonly TextChange[]): Promise<string[]> {
  const isTest = ({ path, after }: TextChange): boolean => after !== null && CODE.test(path) && (isTestFile(path) || isTestPath(path));
  const tests = texts.filter((one) => isTest(one) && languageOf(one.path) !== null);
  const unread = texts.filter((one) => isTest(one) && languageOf(one.path) === null && (one.before === null || isTestFile(one.path)));
  const count = async (side: 'before' | 'after'): Promise<number[]> => {
    const readings = await readSources(
      ground.platform,
      tests.map((one) => ({ path: one.path, text: one[side] ?? '' })),
    );
    return readings.map((reading) => reading?.tests.length ?? 0);
  };
  const [before, after] = [await count('before'), await count('after')];
  const grown = tests.filter((one, index) => itemAt(after, index) > itemAt(before, index) || (one.before === null && isTestFile(one.path)));
  return [...grown, ...unread].map((one) => one.path);
}

function isCode(path: string): boolean {
  return CODE.test(path) && !path.endsWith('.d.ts') && !isTestPath(path) && !isTestFile(path) && !isVendored(path);
}

/** Scripts of a shell hand out no names. */
function isScript(path: string): boolean {
  return /\.(?:sh|bash)$/.test(path);
}

function isVendored(path: string): boolean {
  return /(?:^|\/)node_modules\/|\.min\.js$/.test(path);
}

/** What others wrote, what a build made of the sources, examples and measurements repeat something by their nature, as tests do. */
function isOriginal({ path }: CodeFile): boolean {
  return !isTestPath(path) && !isTestFile(path) && !REPEATS.test(path);
}

const REPEATS =
  /(?:^|\/)(?:_?vendor|third_party|dist|examples?|demos?|bench|benchmarks?|__tests)\/|(?:^|[./])(?:tests?|tst|test-d|bench)\.[cm]?[jt]sx?$/;

/** Files whose default export a tool asks for by their place. */
function isEntry(path: string): boolean {
  return /\.config\.[cm]?[jt]s$|\.stories\.[jt]sx?$|(?:^|\/)(?:pages|app)\/.*\.[jt]sx$/.test(path);
}

async function textsOf({ trees }: Ground, changes: readonly TreeChange[]): Promise<TextChange[]> {
  const read = async (entry: TreeChange['from']): Promise<string | null> => {
    if (entry === null || !entry.mode.startsWith('100')) return null;
    const content = await trees.readBlob(entry.oid);
    return content.length > LARGEST_TEXT || content.includes(0) ? null : content.toString('utf8');
  };
  return await Promise.all(changes.map(async ({ path, from, to }) => ({ path, before: await read(from), after: await read(to) })));
}

async function projectFiles({ trees }: Ground, tree: string): Promise<CodeFile[]> {
  const entries = (await trees.list(tree)).filter((one) => one.mode.startsWith('100') && CODE.test(one.path) && !isVendored(one.path));
  const byId = new Map<string, string>();
  await trees.readBlobs(
    entries.map((one) => one.oid),
    async (oid, content) => {
      if (content.length <= LARGEST_TEXT && !content.includes(0)) byId.set(oid, content.toString('utf8'));
    },
  );
  return entries.flatMap(({ path, oid }) => {
    const text = byId.get(oid);
    return text === undefined ? [] : [{ path, text }];
  });
}

/** Only files that hold one of the words, or that import the module, are parsed. */
async function withUses(
  ground: Ground,
  { from, names, project, paths }: { from: ReadFile; names: readonly string[]; project: readonly CodeFile[]; paths: ReadonlySet<string> },
): Promise<DeclaredName[]> {
  if (names.length === 0) return [];
  const tail = lastItem(from.path.split('/')).replace(/\.[^.]*$/, '');
  const words = [...names.filter((name) => name !== 'default'), ...(names.includes('default') ? [tail] : [])];
  const likely = project.filter(
    ({ path, text }) => languageOf(path) !== null && (words.some((word) => text.includes(word)) || text.includes(tail)),
  );
  const readings = await readSources(ground.platform, likely);
  const files = likely.flatMap((file, index): ReadFile[] => {
    const reading = readings[index] ?? null;
    return reading === null ? [] : [{ ...file, reading }];
  });
  return names.map((name) => ({ name, path: from.path, uses: usesOf(name, from, files, paths) }));
}
