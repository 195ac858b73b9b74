/** Random and hostile sources: every reading ends, none throws, and what it says is what the text was made of. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { nodePlatform } from '../../platform/node-platform.ts';
import { readSources } from './read-source.ts';

const platform = nodePlatform({ PATH: process.env['PATH'], HOME: process.env['HOME'] });

interface Piece {
  text: string;
  tests: string[];
  functions: string[];
  leaves: string[];
}

const word = fc.stringMatching(/^[a-z]{3,8}$/).map((letters) => `${letters}_`);
const literal = fc.oneof(
  fc.nat(9_999).map(String),
  fc.string({ maxLength: 12 }).map((text) => JSON.stringify(text)),
  fc.constantFrom('true', 'null', '-1'),
);
const noise = fc.constantFrom(
  '// test("no", () => {})\n',
  '/* it(`x`) */\n',
  "const t = `it('a', () => { ${'}'} ${`${1}`} })`;\n",
  'const r = /[/\'"`]{1,2}/.test("x");\n',
  'import {\n  a as b, // why\n} from "./m.js";\n',
  'label: for (const x of []) { continue label }\n',
);

const javascript = (index: number): fc.Arbitrary<Piece> =>
  fc.oneof(
    fc.record({ title: fc.string({ maxLength: 20 }), value: literal }).map(({ title, value }): Piece => ({
      text: `test(${JSON.stringify(title)}, async () => { expect(f()).toBe(${value}) })\n`,
      tests: [title],
      functions: [],
      leaves: [value],
    })),
    word.map((name): Piece => ({
      text: `export function ${name}${index}<T>(a?: T) { return \`\${a}}\` }\n`,
      tests: [],
      functions: [`${name}${index}`],
      leaves: [],
    })),
    noise.map((text): Piece => ({
      text: text
        .replace(/\b(t|r|b)(?= =|,)/, `$1${index}`)
        .replace('label:', `label${index}:`)
        .replace('continue label', `continue label${index}`),
      tests: [],
      functions: [],
      leaves: [],
    })),
  );

const python = (index: number): fc.Arbitrary<Piece> =>
  fc.oneof(
    fc
      .record({ name: word, value: fc.oneof(fc.nat(9_999).map(String), fc.constantFrom("'ü'", 'True', '[]', '"""a\nb"""')) })
      .map(({ name, value }): Piece => ({
        text: `def test_${name}${index}():\n    assert f() == ${value}\n`,
        tests: [`test_${name}${index}`],
        functions: [],
        leaves: [value],
      })),
    word.map((name): Piece => ({
      text: `class C${index}:\n    def ${name}(self): return [x for x in "😀" if x]\n`,
      tests: [],
      functions: [`C${index}.${name}`],
      leaves: [],
    })),
    fc
      .constantFrom('# def test_no(): pass\n', 'x = """\ndef test_no():\n    assert 1 == 2\n"""\n')
      .map((text): Piece => ({ text, tests: [], functions: [], leaves: [] })),
  );

const fileOf = (make: (index: number) => fc.Arbitrary<Piece>): fc.Arbitrary<Piece[]> =>
  fc.tuple(...Array.from({ length: 6 }, (_one, index) => make(index)));

async function agrees(path: string, files: readonly Piece[][]): Promise<void> {
  const texts = files.map((pieces) => pieces.map((piece) => piece.text).join(''));
  const readings = await readSources(
    platform,
    texts.map((text) => ({ path, text })),
  );
  for (const [index, pieces] of files.entries()) {
    const reading = readings[index];
    const text = texts[index]!;
    expect(
      reading?.tests.map((one) => one.title?.join('')),
      text,
    ).toEqual(pieces.flatMap((piece) => piece.tests));
    expect(
      reading?.functions.map((one) => one.name),
      text,
    ).toEqual(pieces.flatMap((piece) => piece.functions));
    const leaves = reading?.tests.flatMap((one) => one.assertions.flatMap((assertion) => assertion.leaves));
    expect(
      leaves?.map((leaf) => text.slice(leaf.start, leaf.end)),
      text,
    ).toEqual(pieces.flatMap((piece) => piece.leaves));
  }
}

test('random TypeScript is read as it was made', async () => {
  await agrees('a.test.ts', fc.sample(fileOf(javascript), { numRuns: 150, seed: 7 }));
}, 120_000);

test('random Python is read as it was made', async () => {
  await agrees('test_a.py', fc.sample(fileOf(python), { numRuns: 150, seed: 7 }));
}, 120_000);

test('hostile texts have a reading or none, and nothing throws', async () => {
  const parts = [
    '`${',
    '}`',
    '/*',
    '(',
    '[',
    '{',
    '<T>',
    '=>',
    "'",
    '"""',
    '\\',
    '\n',
    'def f(',
    'async ',
    '?',
    ':',
    '@',
    '#',
    '\u2028',
    '\ud800',
    'class A {',
    'test(',
    '${',
  ];
  const hostile = fc.array(fc.constantFrom(...parts), { minLength: 1, maxLength: 400 }).map((some) => some.join(''));
  const texts = fc.sample(hostile, { numRuns: 60, seed: 11 });
  const readings = await readSources(platform, [
    ...texts.map((text) => ({ path: 'a.tsx', text })),
    ...texts.map((text) => ({ path: 'a.py', text })),
  ]);
  expect(readings).toHaveLength(120);
}, 120_000);
