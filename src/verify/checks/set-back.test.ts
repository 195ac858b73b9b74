import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createBench, type Bench } from '../test-support.ts';
import { setBack } from './set-back.ts';

let bench: Bench;
beforeAll(async () => {
  bench = await createBench();
});
afterAll(() => bench.dispose());

async function back(path: string, before: string, after: string): Promise<string | null> {
  const [base, tree] = [await bench.tree({ [path]: before }), await bench.tree({ [path]: after })];
  const { edits } = await setBack(bench.platform, bench.trees, await bench.trees.diff(base, tree));
  const [edit] = edits;
  return edit?.kind === 'write' ? edit.content.toString() : null;
}

describe('functions get the words that they had', () => {
  test('with what stands inside of them without a name', async () => {
    const load = (words: string): string =>
      `export class Loader {\n  load(key) {\n    return new Promise((done) => {\n      ${words}\n    });\n  }\n}\n`;
    expect(await back('a.js', load('done(this.name(key));'), load('done(key);'))).toBe(load('done(this.name(key));'));
  });

  test('and what is new stays', async () => {
    const before = 'export const one = () => 1;\n';
    const after = 'export const one = () => two() - 1;\nexport const two = () => 2;\n';
    expect(await back('a.js', before, after)).toBe('export const one = () => 1;\nexport const two = () => 2;\n');
  });

  test('not where nobody can tell which one it was', async () => {
    const before = "app.get('/a', () => 1);\napp.get('/b', () => 2);\n";
    expect(await back('a.js', before, before.replace('1', '3'))).toBeNull();
  });
});

describe('a member that is gone comes back', () => {
  test('JavaScript', async () => {
    const before =
      'class All extends Array {\n  constructor(...all) {\n    super(...all);\n    all[0].ok();\n  }\n  size() {\n    return 1;\n  }\n}\n';
    const after = 'class All extends Array {\n  static of(...all) {\n    return new All(...all);\n  }\n  size() {\n    return 1;\n  }\n}\n';
    const made = await back('a.js', before, after);
    expect(made).toContain('all[0].ok();');
    expect(made).toContain('static of(...all)');
  });

  test('Python', async () => {
    const before =
      'class All(list):\n    def append(self, one):\n        raise ValueError\n\n    def size(self):\n        return len(self)\n';
    const after = 'class All(list):\n    def size(self):\n        return len(self)\n\n    def first(self):\n        return self[0]\n';
    expect(await back('a.py', before, after)).toBe(
      'class All(list):\n    def size(self):\n        return len(self)\n    def append(self, one):\n        raise ValueError\n\n    def first(self):\n        return self[0]\n',
    );
  });
});

describe('what earlier words need', () => {
  test('a helper and an import come back', async () => {
    const before = "import { join } from 'node:path';\nconst both = (a, b) => join(a, b);\nexport const one = (a) => both(a, 'x');\n";
    const after = 'export const one = (a) => `${a}/x`;\n';
    const made = await back('a.mjs', before, after);
    expect(made).toContain("import { join } from 'node:path';");
    expect(made).toContain('const both = (a, b) => join(a, b);');
    expect(made).toContain("export const one = (a) => both(a, 'x');");
  });

  test('where a name stays unknown, the file is left as it is', async () => {
    const before = 'const { both, rest } = tools();\nexport const one = () => both();\nexport const two = () => rest;\n';
    const after = 'const { rest } = tools();\nexport const one = () => 1;\nexport const two = () => rest;\n';
    expect(await back('a.mjs', before, after)).toBeNull();
  });
});
