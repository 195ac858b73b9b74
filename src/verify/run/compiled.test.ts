import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { pairUp } from './compiled.ts';
import { openProject, type Project } from '../test-support-projects.ts';
import type { FileTable } from '../test-support.ts';

describe('outputs and sources', () => {
  test('belong together by one rule for all of them', () => {
    const paths = ['src/a.ts', 'test/a.test.ts', 'x/test/a.test.ts'];
    expect([...pairUp(['dist/src/a.js', 'dist/test/a.test.js', 'dist/x/test/a.test.js'], paths, 'dist')!.values()]).toEqual(paths);
    expect([...pairUp(['dist/a.js', 'dist/b/a.test.mjs'], ['src/a.tsx', 'src/b/a.test.mts'], 'dist')!]).toEqual([
      ['dist/a.js', 'src/a.tsx'],
      ['dist/b/a.test.mjs', 'src/b/a.test.mts'],
    ]);
  });

  test('are left alone where two rules would do, or none', () => {
    expect(pairUp(['dist/a.test.js'], ['src/a.test.ts', 'a.test.ts'], 'dist')).toBeNull();
    expect(pairUp(['dist/a.test.js', 'dist/b.test.js'], ['src/a.test.ts', 'b.test.ts'], 'dist')).toBeNull();
    expect(pairUp(['dist/a.test.js'], ['src/data.test.ts'], 'dist')).toBeNull();
  });
});

/** Copies what stands in src and test to dist; like a type checker it complains of a module that is not there, and goes on. */
const BUILD = `import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
for (const folder of process.argv.slice(2)) {
  mkdirSync('dist/' + folder, { recursive: true });
  for (const name of readdirSync(folder).filter((one) => one.endsWith('.ts'))) {
    const text = readFileSync(folder + '/' + name, 'utf8');
    for (const [, path] of text.matchAll(/'\\.\\.\\/(src\\/\\w+)\\.js'/g)) if (!existsSync(folder + '/../' + path + '.ts')) process.exitCode = 2;
    writeFileSync('dist/' + folder + '/' + name.replace(/ts$/, 'js'), text);
  }
}
`;

describe('a suite of compiled tests', () => {
  let project: Project;
  let base: FileTable;
  let honest: FileTable;
  beforeAll(async () => {
    project = await openProject('node:test');
    base = compiled(project.base);
    honest = compiled(project.honest);
  });
  afterAll(async () => project.bench.dispose());

  const verdictOf = (files: FileTable): ReturnType<Project['verdictOf']> =>
    project.verdictOf(files, {
      baseFiles: base,
      feature: { ...project.feature, test_file: 'test/subtract.test.ts' },
    });

  test('is judged by its sources: honest work is accepted', async () => {
    const verdict = await verdictOf(honest);
    expect(verdict, JSON.stringify(verdict.findings)).toMatchObject({ decision: 'accepted' });
    expect(verdict.red_to_green).toEqual(['test/subtract.test.ts::subtracts']);
    expect(verdict.checks.find((check) => check.name === 'controls')).toMatchObject({ state: 'passed' });
  });

  test.each<[string, FileTable]>([
    ['code that does not work', { 'src/subtract.ts': 'export const subtract = () => 0;\n' }],
    ['a test that holds for anything', { 'test/subtract.test.ts': "import test from 'node:test';\ntest('subtracts', () => {});\n" }],
    ['an accepted feature that broke', { 'src/add.ts': 'export const add = () => 0;\n' }],
    [
      'an accepted feature that broke, beside a test of the same name elsewhere',
      {
        'src/add.ts': 'export const add = () => 0;\n',
        'test/test/add.test.ts': "import test from 'node:test';\ntest('adds', () => {});\n",
      },
    ],
    [
      'assertions that were switched off',
      { 'src/subtract.ts': "import assert from 'node:assert/strict';\nassert.equal = () => {};\nexport const subtract = () => 0;\n" },
    ],
  ])('is judged by its sources: %s is not', async (_what, change) => {
    expect((await verdictOf({ ...honest, ...change })).decision).toBe('rejected');
  });
});

function compiled(files: FileTable): FileTable {
  const renamed = Object.entries(files).map(([path, content]) => [path.replace(/\.js$/, '.ts'), content] as const);
  return {
    ...Object.fromEntries(renamed),
    'build.mjs': BUILD,
    'features.json': files['features.json']!.replaceAll('.test.js', '.test.ts'),
    'package.json': JSON.stringify({
      name: 'p',
      type: 'module',
      scripts: { pretest: 'node build.mjs src test', test: 'node --test dist/test' },
    }),
  };
}
