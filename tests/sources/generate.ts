/** Random source files that parse, and hostile ones that need not. The same seed gives the same files. */
import fc from 'fast-check';

export interface Generated {
  path: string;
  text: string;
}

const word = fc.stringMatching(/^[a-z]{3,8}$/);
const title = fc.string({ maxLength: 24 }).map((text) => JSON.stringify(text));
const value = fc.oneof(
  fc.nat(99_999).map(String),
  fc.string({ maxLength: 16 }).map((text) => JSON.stringify(text)),
  fc.constantFrom('true', 'null', '-1', '[1, [2]]', '{ a: { b: "}" } }', '`x${1 + 1}y`', '/[/"\']\\/{1,2}/g', '1n'),
);

const CODE = ['ts', 'tsx', 'js', 'jsx', 'mts', 'cjs'] as const;

function javascriptPiece(index: number, ending: (typeof CODE)[number]): fc.Arbitrary<string> {
  const isTyped = ending.includes('ts');
  const type = (text: string): string => (isTyped ? text : '');
  const pieces: fc.Arbitrary<string>[] = [
    fc.tuple(title, value).map(([name, one]) => `test(${name}, async () => { expect(f(1)).toBe(${one}) })\n`),
    fc.tuple(title, value).map(([name, one]) => `describe(${name}, () => {\n  it(${name}, () => assert.deepEqual(g(), ${one}));\n});\n`),
    fc.tuple(title, value).map(([name, one]) => `test.each([[1, ${one}], [2, 3]])(${name}, (a, b) => { expect(a).toEqual(b) });\n`),
    word.map((name) => `export function ${name}${index}(a${type('?: number')}) { return \`\${a}}\` }\n`),
    word.map((name) => `export const ${name}${index} = async (a${type(': string')}) => { const b = a + "{"; return b; };\n`),
    word.map(
      (name) => `class K${index} { static #p = 1; get ${name}() { return { "a": [...this.x] } } async *${name}2() { yield* [] } }\n`,
    ),
    word.map((name) => `import {\n  ${name} as n${index}, // why\n  type${index},\n} from "./${name}.js";\n`),
    word.map((name) => `import d${index}, * as all${index} from '../${name}/index.js';\nexport * from "./${name}-more.js";\n`),
    fc.constantFrom(
      '// test("no", () => {})\n',
      '/* it(`x`) */\n',
      `const t${index} = \`it('a', () => { \${'}'} \${\`\${1}\`} })\`;\n`,
      `const r${index} = /[/'"\`]{1,2}/.test("x") ? 1 / 2 / 3 : 4;\n`,
      `l${index}: for (const x of []) { if (x) continue l${index} }\n`,
      `if (x) y(); else while (z) ;\n`,
    ),
  ];
  if (isTyped)
    pieces.push(
      word.map((name) => `export type T${index}<A extends string = "}"> = { [K in A]: \`\${K}-${name}\` };\n`),
      word.map((name) => `interface I${index} { ${name}<T>(this: I${index}, a: T): a is T & { b: 1 } }\n`),
      word.map(
        (name) =>
          `abstract class A${index}<T> { constructor(private readonly ${name}: T) {} abstract go(): void; at(i: number) { return i! } }\n`,
      ),
      word.map((name) => `enum E${index} { ${name} = 1 << 2 }\nexport const s${index} = <const>["${name}"] satisfies readonly string[];\n`),
    );
  if (ending.endsWith('x'))
    pieces.push(word.map((name) => `export const J${index} = () => <div ${name}={{ a: "<b>" }}>text {x < y && <>{"}"}</>} it's</div>;\n`));
  const jsx =
    ending === 'tsx' ? (text: string): string => text.replaceAll('<const>', '').replace(' satisfies readonly string[]', '') : null;
  return fc.oneof(...pieces).map((text) => (jsx === null ? text : jsx(text)));
}

function pythonPiece(index: number): fc.Arbitrary<string> {
  const one = fc.oneof(
    fc.nat(9_999).map(String),
    fc.constantFrom("'ü'", 'True', '[]', '"""a\nb"""', "f'{x!r:>{w}}'", '{"a": {1, 2}}', 'None'),
  );
  return fc.oneof(
    fc.tuple(word, one).map(([name, v]) => `def test_${name}${index}():\n    assert f() == ${v}\n`),
    fc
      .tuple(word, one)
      .map(([name, v]) => `@mark\nasync def ${name}${index}(a, /, *b, c=${v}, **d) -> None:\n    return [x async for x in a if x]\n`),
    fc
      .tuple(word, one)
      .map(([name, v]) => `class C${index}(Base):\n    k: int = ${v}\n\n    def test_${name}(self):\n        self.assertEqual(1, ${v})\n`),
    word.map((name) => `from .${name} import (\n    a as b${index},  # why\n    c,\n)\nimport ${name}.deep, os\n`),
    word.map(
      (name) =>
        `with open('${name}') as f, g():\n    match f:\n        case {"a": [1, *_]}: pass\n        case _: lambda q=(yield_ := 1): q\n`,
    ),
    fc.constantFrom(
      '# def test_no(): pass\n',
      'x = """\ndef test_no():\n    assert 1 == 2\n"""\n',
      "s = 'a' \\\n    'b'\n",
      'if x: y()\nelse:\n\tz()\n',
    ),
  );
}

const fileOf = (ending: (typeof CODE)[number] | 'py'): fc.Arbitrary<Generated> =>
  fc
    .tuple(...Array.from({ length: 8 }, (_, index) => (ending === 'py' ? pythonPiece(index) : javascriptPiece(index, ending))))
    .map((pieces) => ({ path: ending === 'py' ? 'test_a.py' : `a.test.${ending}`, text: pieces.join('') }));

export function randomFiles(count: number, seed: number): Generated[] {
  const kinds = fc.constantFrom(...CODE, 'py' as const, 'py' as const, 'py' as const);
  return fc.sample(
    kinds.chain((ending) => fileOf(ending)),
    { numRuns: count, seed },
  );
}

const PARTS = [
  '`${',
  '}`',
  '/*',
  '*/',
  '(',
  ')',
  '[',
  '{',
  '}',
  '<T>',
  '=>',
  "'",
  '"""',
  '\\',
  '\n',
  'def f(',
  ':\n  ',
  'async ',
  '?',
  ':',
  '@',
  '#',
];
const MORE_PARTS = [
  '\u2028',
  '\ud800',
  '\0',
  '\ufeff',
  'class A {',
  'test(',
  '${',
  '</',
  'import(',
  'lambda ',
  '\t',
  '💥',
  '1_',
  '0x',
  '??=',
  '...',
];

/** Soup, valid files with a wound, and texts that are nested far too deeply. */
export function hostileFiles(count: number, seed: number): Generated[] {
  const soup = fc.array(fc.constantFrom(...PARTS, ...MORE_PARTS), { minLength: 1, maxLength: 600 }).map((some) => some.join(''));
  const kinds = fc.constantFrom('ts', 'tsx', 'js', 'py');
  const raw = kinds.chain((ending) => soup.map((text): Generated => ({ path: `a.test.${ending}`, text })));
  const wounded = fc
    .tuple(
      kinds.chain((ending) => fileOf(ending as 'ts')),
      fc.nat(),
      fc.nat(40),
      fc.constantFrom('', ...PARTS, ...MORE_PARTS),
    )
    .map(([{ path, text }, at, length, put]): Generated => {
      const place = at % (text.length + 1);
      return { path, text: text.slice(0, place) + put + text.slice(place + length) };
    });
  const deep = fc
    .tuple(kinds, fc.constantFrom('[', '(', '{a:', '`${', '-', 'a?', '!', 'f(', '<a>'), fc.integer({ min: 200, max: 20_000 }))
    .map(([ending, part, depth]): Generated => ({ path: `a.test.${ending}`, text: part.repeat(depth) }));
  return fc.sample(fc.oneof({ weight: 4, arbitrary: raw }, { weight: 4, arbitrary: wounded }, { weight: 1, arbitrary: deep }), {
    numRuns: count,
    seed,
  });
}
