/** How many runs a verdict takes, and when it takes more. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isLong } from '../domain/test-support-long.ts';
import type { TestRun, Verdict } from '../domain/verdict.ts';
import { openProject, type Project } from './test-support-projects.ts';
import type { FileTable } from './test-support.ts';

let project: Project;
beforeAll(async () => {
  project = await openProject('node:test');
});
afterAll(() => project.bench.dispose());

async function runsOf(
  files: FileTable,
  baseFiles: FileTable = project.base,
): Promise<{ verdict: Verdict; runs: [string, TestRun][]; purposes: string[] }> {
  const runs: [string, TestRun][] = [];
  const verdict = await project.verdictOf(files, { baseFiles, observe: (purpose, run) => runs.push([purpose, run]) });
  return { verdict, runs, purposes: runs.map(([purpose]) => purpose).toSorted() };
}

/** Without a run on the code from before: its tests import what is not there. */
const USUAL = ['controls', 'controls', 'neutral', 'new tests', 'repeat', 'suite', 'wrong'];

test('honest work takes seven runs, and only those that people make have the runner around the file', async () => {
  const { verdict, runs, purposes } = await runsOf(project.honest);
  expect(verdict.decision).toBe('accepted');
  expect(purposes).toEqual(USUAL);
  const withRunner = runs.filter(([, run]) => run.command.includes('--test')).map(([purpose]) => purpose);
  expect(withRunner.toSorted()).toEqual(['new tests', 'suite']);
});

/** The new function in the module that was there. */
const inOldModule = (): FileTable => ({
  [project.paths.oldCode]: `${project.base[project.paths.oldCode]!}export const subtract = (a, b) => a - b;\n`,
});
const imports = (text: string): FileTable => ({
  [project.paths.newTest]: project.tests({ subtracts: project.equal('subtract(3, 2)', '1') }, text),
});

test.each<[string, () => FileTable, () => FileTable]>([
  ['that is in a module from before', inOldModule, () => imports("import { subtract } from '../src/add.js';\n")],
  [
    'that is asked for while the test runs',
    () => ({}),
    () => imports("const { subtract } = await import('../src/subtract.js').catch(() => ({}));\n"),
  ],
  [
    'behind a path that stood for something else',
    () => ({ 'src/new/subtract.js': 'export const subtract = (a, b) => a - b;\n' }),
    () => imports("import { subtract } from '../src/new/subtract.js';\n"),
  ],
])('code %s is asked for on the code from before', async (name, code, test) => {
  const { [project.paths.newCode]: own, ...rest } = project.honest;
  const files = { ...rest, ...(name.includes('while') ? { [project.paths.newCode]: own! } : {}), ...code(), ...test() };
  const before = name.includes('path') ? { ...project.base, 'src/new': 'a file\n' } : project.base;
  const { verdict, purposes } = await runsOf(files, before);
  expect(verdict.findings.filter(({ weight }) => weight === 'reject')).toEqual([]);
  expect(purposes).toContain('red');
});

test('with something in the command that could load otherwise, tests run on the code from before', async () => {
  const manifest = JSON.stringify({ name: 'p', type: 'module', scripts: { test: 'node --import ./setup.js --test' } });
  const more = { 'package.json': manifest, 'setup.js': '' };
  const { purposes } = await runsOf({ ...project.honest, ...more }, { ...project.base, ...more });
  expect(purposes).toContain('red');
});

test('a test that loads the missing code only where it has to is not taken for red', async () => {
  const { verdict } = await runsOf({
    ...project.honest,
    ...imports("let subtract = (a, b) => a - b;\nif (process.env.NEVER) ({ subtract } = await import('../src/subtract.js'));\n"),
  });
  expect(verdict.reasons).toContain('test.not_red');
});

test('a test that cannot stand touched code is asked by itself, and then elsewhere as well', async () => {
  const { verdict, purposes } = await runsOf({
    ...project.honest,
    [project.paths.newTest]: project.tests({
      subtracts: project.equal('subtract(3, 2)', '1'),
      'is short': project.equal('subtract.toString().length < 40', 'true'),
    }),
  });
  expect(verdict.findings.map((one) => one.message).join('\n')).toContain(
    'also fail when the new code is rewritten without changing what it does',
  );
  expect(purposes.filter((one) => one === 'repeat').length).toBeGreaterThan(1);
  expect(purposes.filter((one) => one === 'wrong').length).toBeGreaterThan(1);
});

test('a test that passes at one date only is found where the code was touched as well', async () => {
  const year = new Date().getFullYear();
  const { verdict } = await runsOf({
    ...project.honest,
    [project.paths.newTest]: project.tests({
      subtracts: project.equal('subtract(3, 2)', '1'),
      'is near': project.equal(`Math.abs(Date.now() - ${Date.now()}) < 86_400_000 && subtract(${year}, 1)`, String(year - 1)),
    }),
  });
  expect(verdict.decision).toBe('needs_human');
  expect(verdict.findings.map((one) => one.message).join('\n')).toMatch(/only on some dates/);
});

/** An old test that takes its time. */
const takingLong = (ms: number): FileTable => ({
  'test/slow.test.js': `import test from 'node:test';\ntest('takes long', () => new Promise((done) => setTimeout(done, ${ms})));\n`,
});

test('old tests that take long are not waited for before the new ones are asked about other code', async () => {
  const slow = takingLong(4_000);
  const { verdict, purposes, runs } = await runsOf({ ...project.honest, ...slow }, { ...project.base, ...slow });
  expect(verdict.decision).toBe('accepted');
  expect(purposes).toEqual(USUAL);
  const order = runs.map(([purpose]) => purpose);
  expect(order.indexOf('wrong')).toBeLessThan(order.indexOf('suite'));
});

test.runIf(isLong)('nor before all the rest is asked, where no old test reaches the new code', async () => {
  const slow = takingLong(20_000);
  const { verdict, runs } = await runsOf({ ...project.honest, ...slow }, { ...project.base, ...slow });
  expect(verdict.decision).toBe('accepted');
  expect(runs.map(([purpose]) => purpose).at(-1)).toBe('suite');
});

test('where old tests break meanwhile, the answer is not waited for', async () => {
  const slow = takingLong(700);
  const broken = { ...slow, [project.paths.oldCode]: 'export const add = () => 0;\n' };
  const { verdict } = await runsOf({ ...project.honest, ...broken }, { ...project.base, ...slow });
  expect(verdict.decision).toBe('rejected');
  expect(verdict.reasons).toEqual(['regression']);
  expect(verdict.checks.some(({ name }) => name === 'red')).toBe(false);
});

test('new tests that do not pass are not asked about other code', async () => {
  const { purposes } = await runsOf({
    ...project.honest,
    [project.paths.newTest]: project.tests({ subtracts: project.equal('subtract(3, 2)', '2') }),
  });
  expect(purposes).not.toContain('red');
});
