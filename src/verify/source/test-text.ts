/**
 * What a change of a test file's text amounts to, without running it.
 *
 * 1. Additive: every old block stands unchanged and in order, and each new block is a test, an import or a new name.
 * 2. When in doubt a change is not additive: then a person is asked, and nobody is accused.
 */
import { splitBlocks, type Block } from './test-blocks.ts';

export function isAdditive(before: string, after: string, path: string): boolean {
  const language = path.endsWith('.py') ? 'python' : 'javascript';
  if (!/\.(py|[cm]?[jt]sx?)$/.test(path)) return false;
  return containsBlocks(splitBlocks(before, language), splitBlocks(after, language), before);
}

function containsBlocks(old: readonly Block[], now: readonly Block[], trusted: string): boolean {
  let at = 0;
  for (const block of now) {
    const wanted = old[at];
    if (wanted !== undefined && sameBlock(wanted, block, trusted)) at += 1;
    else if (!isHarmlessBlock(block, trusted)) return false;
  }
  return at === old.length;
}

function sameBlock(old: Block, now: Block, trusted: string): boolean {
  if (normal(old.text) === normal(now.text)) return true;
  return (
    old.inner !== null && now.inner !== null && normal(old.header) === normal(now.header) && containsBlocks(old.inner, now.inner, trusted)
  );
}

function normal(text: string): string {
  return text
    .split('\n')
    .map((line) => line.trimEnd())
    .filter((line) => line !== '')
    .join('\n')
    .trim();
}

const REACHES_OTHERS =
  /\b(?:beforeEach|afterEach|beforeAll|afterAll|globalThis|prototype|autouse|monkeypatch|defineProperty|sys\.modules|sys\.settrace|pytest_\w+|process\.exit|os\._exit|setattr)\b|\b(?:before|after)\s*\(|\b(?:vi|jest|mock)\.(?:mock|doMock|spyOn|method|module|setSystemTime)\b|\.(?:only|skip|todo|fails|failing)\b|\bskip\s*:|\bonly\s*:|pytest\.mark\.(?:skip|xfail)|\bglobal\./;

function isHarmlessBlock(block: Block, trusted: string): boolean {
  const text = withoutComments(block.text).trim();
  if (text === '') return true;
  if (REACHES_OTHERS.test(text)) return false;
  if (/^(?:test|it|describe|suite)\s*(?:\.each\s*\(|\.each`|\()/.test(text)) return true;
  if (/^(?:@pytest\.mark\.\w+[^\n]*\n\s*)*(?:async\s+)?(?:def test_|class Test)\w*/.test(text)) return definesNew(text, trusted);
  if (/^(?:import\b(?!\s*\()|from\s+\S+\s+import\b)/.test(text)) return true;
  return definesNew(text, trusted);
}

/** A declaration of a name that the old text never uses. */
function definesNew(text: string, trusted: string): boolean {
  const match = /^(?:export\s+)?(?:(?:const|let|var|class|(?:async\s+)?function\*?|(?:async\s+)?def)\s+)(\w+)|^([A-Za-z_]\w*)\s*=[^=]/.exec(
    text.replace(/^(?:@pytest\.\S+[^\n]*\n\s*)*/, ''),
  );
  const name = match?.[1] ?? match?.[2];
  return name !== undefined && !new RegExp(`\\b${name}\\b`).test(trusted);
}

const UNCONDITIONAL =
  /\b(?:test|it|describe|suite|context|bench)\.(?:skip|todo|only|fails|failing)\b|\b(?:x|f)(?:it|test|describe)\s*\(|\b(?:skip|todo|only)\s*:\s*(?:true|['"`])|\b(?:t|context|ctx)\.(?:skip|todo)\s*\(|@?pytest\.(?:mark\.)?(?:skip|xfail)\b(?!if)|@unittest\.(?:skip\b|expectedFailure)|self\.skipTest\(|__test__\s*=\s*False/g;

/** Marks that take tests out of the count whatever the machine, which the old text did not have. */
export function addedMarks(before: string, after: string): string[] {
  const old = countMarks(before);
  return [...countMarks(after)].filter(([mark, count]) => count > (old.get(mark) ?? 0)).map(([mark]) => mark);
}

function countMarks(text: string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const [mark] of withoutComments(text).matchAll(UNCONDITIONAL)) counts.set(mark, (counts.get(mark) ?? 0) + 1);
  return counts;
}

/** Titles of the tests in a text, as far as they are literal. */
export function titlesOf(text: string): string[] {
  const titles = [...text.matchAll(/\b(?:test|it)(?:\.\w+)*\s*\(\s*(['"`])((?:\\.|(?!\1)[^\\\n])+)\1/g)].map((match) => match[2]!);
  return [...titles, ...[...text.matchAll(/^[ \t]*(?:async[ \t]+)?def (test_\w+)/gm)].map((match) => match[1]!)];
}

const ASSERTION = /\bassert\w*\b|\bexpect\b|\bshould\b|self\.assert|\braise\b|\bthrow\b|pytest\.fail/;
const PLACEHOLDER =
  /assert\.fail\(|expect\.fail\(|throw new Error\(|pytest\.fail\(|raise NotImplementedError|expect\(\s*true\s*\)\.(?:toBe|toEqual)\(\s*false|expect\(\s*false\s*\)\.(?:toBe|toEqual)\(\s*true|assert False|assert 0\b|assert\.(?:ok|equal|strictEqual)?\(?(?:false|true, ?false)|assert\(\s*false|self\.fail\(|expect\.unreachable|^\s*import\b|^\s*from\b|require\(/;

/** A test file that only says that it is still to be written. */
export function isStub(text: string): boolean {
  const lines = withoutComments(text)
    .split('\n')
    .filter((line) => ASSERTION.test(line));
  return lines.every((line) => PLACEHOLDER.test(line) || /\.(?:todo|skip)\(/.test(line));
}

function withoutComments(text: string): string {
  return withoutBlockComments(text)
    .replace(/^[^\S\n]*(?:\/\/|#).*$/gm, '')
    .replace(/\s\/\/[^'"`\n]{0,500}$/gm, '');
}

function withoutBlockComments(text: string): string {
  const parts: string[] = [];
  for (let at = 0; ;) {
    const begin = text.indexOf('/*', at);
    const end = begin < 0 ? -1 : text.indexOf('*/', begin + 2);
    if (end < 0) return parts.join('') + text.slice(at);
    parts.push(text.slice(at, begin));
    at = end + 2;
  }
}
