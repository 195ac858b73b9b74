/**
 * `npm run trial`: every instrument of the judge on much used packages. A test that imports and uses a package runs as it is and under each
 * instrument; the two results have to be the same.
 *
 * 1. npm's packages for the runners in JavaScript, installed from the registry; Debian's `python3-*` for those in Python, unpacked from its archive.
 * 2. A package that does not hold without an instrument says nothing and is named. Ends with 1 where an instrument changed a result.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { TestRun } from '../../src/domain/verdict.ts';
import { runSuite } from '../../src/verify/run/suite.ts';
import type { RunVariant } from '../../src/verify/runners/runner.ts';
import { createBench, type FileTable } from '../../src/verify/test-support.ts';
import { DEBIAN, DEBIAN_NAMES, NPM } from './packages.ts';
import { describeTrials, type TrialRow } from './table.ts';
import { SUBJECTS, type Subject } from './subjects.ts';

export const USAGE = `npm run trial [-- --runner NAME...] [--debian FOLDER]

  --runner  only this one: ${Object.keys(SUBJECTS).join(', ')}
  --debian  unpacked packages of Debian for Python; absent: they are downloaded by apt-get`;

const INSTRUMENTS: Readonly<Record<string, RunVariant>> = {
  'without the marks of a test run': { neutral: { keepNodeEnv: false } },
  'at another date': { clockShiftMs: (400 * 24 + 7) * 3_600_000 },
  'in another order': { shuffleSeed: 7 },
  'low chance': { chance: 'low' },
  'high chance': { chance: 'high' },
};

export async function main(args: string[]): Promise<number> {
  const { values } = parseArgs({ args, options: { runner: { type: 'string', multiple: true }, debian: { type: 'string' } } });
  const wanted = Object.entries(SUBJECTS).filter(([name]) => values.runner === undefined || values.runner.includes(name));
  const folder = mkdtempSync(join(tmpdir(), 'harness-trial-'));
  try {
    const isNeeded = (language: Subject['language']): boolean => wanted.some(([, one]) => one.language === language);
    const dependencies = isNeeded('javascript') ? installPackages(folder) : null;
    if (isNeeded('python')) process.env['PATH'] = `${pythonWith(folder, values.debian)}:${process.env['PATH'] ?? ''}`;
    const rows: TrialRow[] = [];
    for (const [runner, subject] of wanted) rows.push(...(await tryRunner(runner, subject, { dependencies, folder })));
    console.log(describeTrials(rows));
    return rows.some((row) => row.changed.length > 0) ? 1 : 0;
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

/** One project with all packages; where one cannot be had, the others are tried all the same. */
function installPackages(folder: string): string {
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'trial', private: true }));
  const tools = ['vitest', 'jest', 'mocha', 'tape', 'tap@16', 'ava@6', 'uvu', 'jasmine@5'];
  const install = (names: readonly string[]): void =>
    void execFileSync(
      'npm',
      ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--legacy-peer-deps', '--loglevel=error', ...names],
      {
        cwd: folder,
        stdio: ['ignore', 'ignore', 'inherit'],
      },
    );
  install([...tools, ...NPM.map(([name]) => name)]);
  return join(folder, 'node_modules');
}

/** The folder of an interpreter that has Debian's packages beside pytest. */
function pythonWith(folder: string, unpacked: string | undefined): string {
  const python = join(folder, 'python');
  execFileSync('python3', ['-m', 'venv', '--system-site-packages', python]);
  const packages = unpacked ?? downloadDebian(join(folder, 'debian'));
  const [library = ''] = readdirSync(join(python, 'lib'));
  writeFileSync(join(python, 'lib', library, 'site-packages', 'debian.pth'), `${packages}\n`);
  return join(python, 'bin');
}

function downloadDebian(folder: string): string {
  mkdirSync(folder, { recursive: true });
  for (const [name] of DEBIAN) {
    try {
      execFileSync('apt-get', ['download', '-q', `python3-${DEBIAN_NAMES[name] ?? name.replaceAll('_', '-')}`], {
        cwd: folder,
        stdio: 'ignore',
      });
    } catch {
      console.error(`python3-${name} could not be downloaded`);
    }
  }
  for (const file of readdirSync(folder).filter((one) => one.endsWith('.deb')))
    execFileSync('dpkg-deb', ['-x', file, '.'], { cwd: folder });
  return join(folder, 'usr', 'lib', 'python3', 'dist-packages');
}

async function tryRunner(
  runner: string,
  { full, files }: Subject,
  { dependencies, folder }: { dependencies: string | null; folder: string },
): Promise<TrialRow[]> {
  const bench = await createBench(dependencies === null ? {} : { dependencies });
  try {
    const table: FileTable = files();
    const tree = await bench.tree(table);
    const run = (variant?: RunVariant): Promise<TestRun> =>
      runSuite(bench.platform, {
        ...bench.context({ testing: { full } }),
        timeoutMs: 10 * 60_000,
        view: { hidden: [], shown: [folder] },
        tree,
        files: Object.keys(table).filter((path) => path.startsWith('test')),
        ...(variant === undefined ? {} : { variant }),
      });
    const plain = await run();
    const holding = plain.tests.filter((test) => test.status === 'passed');
    const rows: TrialRow[] = [];
    for (const [instrument, variant] of Object.entries(INSTRUMENTS)) {
      const under = new Map((await run(variant)).tests.map((test) => [test.id, test]));
      const changed = holding.filter((test) => under.get(test.id)?.status !== 'passed');
      rows.push({
        runner,
        instrument,
        held: holding.length,
        failing: plain.tests.filter((test) => test.status !== 'passed').map((test) => test.name),
        changed: changed.map((test) => `${test.name}: ${(under.get(test.id)?.message ?? 'no result').split('\n')[0]!.slice(0, 160)}`),
      });
      console.error(`${runner}, ${instrument}: ${holding.length - changed.length} of ${holding.length} the same`);
    }
    if (holding.length === 0) console.error(plain.problems.join('\n'), plain.output_tail.slice(-2_000));
    return rows;
  } finally {
    await bench.dispose();
  }
}
