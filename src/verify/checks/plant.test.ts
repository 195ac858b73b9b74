import { describe, expect, test } from 'vitest';
import { plantControls, plantPassing, type Dice } from './plant.ts';

function dice(): Dice {
  let state = 1;
  return (limit) => (state = (state * 48_271) % 2_147_483_647) % limit;
}

const ESM =
  "#!/usr/bin/env node\nimport {\n  it,\n} from 'node:test'; import { strict as check, equal } from 'node:assert';\nimport { f } from './f.js'\n\nit('a', () => { check.deepEqual(f(), [1]); equal(f(), 1); check(f()); });\n// the end";

describe('planted tests', () => {
  test('use the names of the file and stand after its imports and at its end', () => {
    const planted = plantControls({ text: ESM, path: 'a.test.js' }, 'node:test', dice())!;
    const at = planted.text.indexOf("it('a'");
    expect(planted.text.indexOf("from './f.js'")).toBeLessThan(planted.text.indexOf(planted.mustFail[0]!));
    for (const kind of ['check.deepEqual({', 'equal(', 'check(']) {
      expect(planted.text.slice(0, at)).toContain(`async () => { ${kind}`);
      expect(planted.text.slice(planted.text.indexOf('// the end'))).toContain(`async () => { ${kind}`);
    }
    expect(planted.mustFail).toHaveLength(58);
    expect(planted.mustPass).toHaveLength(2);
    expect(planted.text).not.toMatch(/control|plant|harness/i);
  });

  test('leave a leading pragma in its place and find required modules', () => {
    const text =
      "/** @jest-environment node */\n'use strict';\nconst { f } = require('./f');\ndescribe('g', () => { test('a', () => { expect(f()).toBe(1); expect(f()).not.toThrow(); }); });\n";
    const planted = plantControls({ text, path: 'a.test.js' }, 'jest', dice())!;
    expect(planted.text).toMatch(/^\/\*\* @jest-environment node \*\/\n'use strict';\nconst \{ f \} = require\('\.\/f'\);\n;test\(/);
    expect(planted.text).toMatch(/expect\(\d+\)\.toBe\(\d+\);/);
    expect(planted.text).toMatch(/expect\('[a-z]+'\)\.toBe\('[a-z]+'\);/);
  });

  test('those that must pass assert too where the file does so by expect, for projects that ask it of every test', () => {
    const passing = (text: string, runner: 'jest' | 'vitest' | 'mocha'): string =>
      plantPassing({ text, path: 'a.test.js' }, runner, dice())!.text.replace(text, '');
    const jest = "test('a', () => { expect(f()).not.toBe(1); });\n";
    const all = passing(jest, 'jest')
      .split('\n')
      .filter((line) => line.startsWith(';test('));
    expect(all.length).toBeGreaterThan(1);
    for (const line of all) expect(line).toMatch(/expect\((\d+)\)\.toBe\(\1\); \}\);$/);
    expect(passing("import { expect } from 'chai';\ntest('a', () => { expect(f()).to.equal(1); });\n", 'vitest')).not.toMatch(/expect\(\d/);
    expect(passing("test('a', ({ expect }) => { expect(f()).toBe(1); });\n", 'vitest')).not.toMatch(/expect\(\d/);
  });

  test('bring their own import where the file has no plain test function', () => {
    expect(
      plantControls(
        { text: "import * as runner from 'node:test';\nrunner.test('a', () => {});\n", path: 'a.test.mjs' },
        'node:test',
        dice(),
      )!.text,
    ).toContain("import { test as testOfThisFile } from 'node:test';");
    const handed =
      "import * as uvu from 'uvu';\nfunction suite(fn) {\n  const test = uvu.suite('a');\n  fn(test);\n  test.run();\n}\nsuite((test) => {\n  test('b', () => {});\n});\n";
    expect(plantControls({ text: handed, path: 'a.test.mjs' }, 'uvu', dice())!.text).toContain(
      "import { test as testOfThisFile } from 'uvu';",
    );
    const named = "import {\n  suite,\n  test,\n} from 'uvu';\ntest('a', () => {});\n";
    expect(plantControls({ text: named, path: 'a.test.mjs' }, 'uvu', dice())!.text).not.toContain('testOfThisFile');
  });

  test('say that they have ended where no test of the file is asynchronous, so that old versions of tape go on', () => {
    const plain = "const test = require('tape');\ntest('a', t => { t.equal(f(), 1); t.end(); });\n";
    const bodies = (text: string): string[] => [...text.matchAll(/, async \(t\) => \{ (.*) \}\);/g)].map((match) => match[1]!);
    const all = bodies(plantControls({ text: plain, path: 'a.js' }, 'tape', dice())!.text);
    expect(all.length).toBeGreaterThan(5);
    for (const body of all) expect(body).toMatch(/^try \{ .* \} catch \(error\) \{ t\.ifError\(error\); \} t\.end\(\);$/);
    const awaited = plain.replace('t => {', 'async (t) => {');
    for (const body of bodies(plantControls({ text: awaited, path: 'a.js' }, 'tape', dice())!.text).slice(1))
      expect(body).not.toContain('catch');
  });

  test.each(["const expect = require('chai').expect;", "import { expect } from 'chai';", "var { expect } = require('chai');"])(
    'are in the words of chai: %s',
    (head) => {
      const text = `${head}\nit('a', () => { expect(f()).to.deep.equal([1]); expect(g()).to.be.true; expect(h()).to.not.be.ok(); });\n`;
      const planted = plantControls({ text, path: 'test/a.js' }, 'mocha', dice())!.text.replace(text, '');
      for (const one of ['.to.equal(', '.to.deep.equal(', '.to.be.true;']) expect(planted).toContain(one);
      for (const one of ['.toBe(', '.toEqual(', 'expect.equal(', '.to.be.ok']) expect(planted).not.toContain(one);
      expect(planted).not.toMatch(/expect\([^)]* === [^)]*\);/);
    },
  );

  test('know assertions by other names, and such as the text does not name', () => {
    const bound = "import assert from 'node:assert/strict';\nconst same = assert['equal'];\ntest('a', () => same(f(), 1));\n";
    expect(plantControls({ text: bound, path: 'a.test.js' }, 'node:test', dice())!.text).toContain('assert.equal(');
    const named = "import { expect as check, it } from 'vitest';\nit('a', () => check(f()).toBe(1));\n";
    expect(plantControls({ text: named, path: 'a.test.js' }, 'vitest', dice())!.text).toMatch(/check\('[a-z]+'\)\.toBe\('[a-z]+'\);/);
  });

  test('have names like others, and can all be ones that pass', () => {
    const planted = plantControls({ text: ESM, path: 'a.test.js' }, 'node:test', dice())!;
    for (const name of [...planted.mustFail, ...planted.mustPass]) expect(name).toMatch(/^[a-z]+( [a-z]+)+$/);
    const passing = plantPassing({ text: ESM, path: 'a.test.js' }, 'node:test', dice())!;
    expect(passing.mustFail).toEqual([]);
    for (const name of passing.mustPass) expect(passing.text).toContain(`it("${name}", async () => {`);
  });

  test('are functions of their own in Python', () => {
    const planted = plantControls(
      {
        text: '"""Doc."""\nimport pytest\nfrom src.a import (\n    f,\n)\n\ndef test_a():\n    with pytest.raises(ValueError):\n        f()\n',
        path: 'test_a.py',
      },
      'pytest',
      dice(),
    )!;
    expect(planted.text).toMatch(/^"""Doc\."""\nimport pytest\nfrom src\.a import \(\n {4}f,\n\)\n\n\ndef test_/);
    expect(planted.text).toContain('    with pytest.raises(ValueError):\n        pass\n');
    expect(planted.mustFail.every((name) => planted.text.includes(`def ${name}():`))).toBe(true);
  });

  test('are not written where the language does not fit the runner', () => {
    expect([
      plantControls({ text: '', path: 'a_test.go' }, 'node:test', dice()),
      plantControls({ text: '', path: 'test_a.py' }, 'vitest', dice()),
    ]).toEqual([null, null]);
  });
});
