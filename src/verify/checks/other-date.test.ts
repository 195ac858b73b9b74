/** Another date and the programs that tests start. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isLong } from '../../domain/test-support-long.ts';
import { nodePlatform } from '../../platform/node-platform.ts';
import { findPython } from '../run/programs.ts';
import type { FileTable } from '../test-support.ts';
import { openProject, type DeepRunner, type Project } from '../test-support-projects.ts';

const python = await findPython(nodePlatform());
const all: readonly DeepRunner[] = ['node:test', 'vitest', 'jest', 'pytest'];
const runners = all.filter((name) => (name === 'pytest' ? python !== null : isLong || name === 'node:test'));

describe.each(runners)('%s', (runner) => {
  let project: Project;
  beforeAll(async () => {
    project = await openProject(runner);
  });
  afterAll(() => project.bench.dispose());

  /** A feature that is a program, and one test that starts `command` and compares what it prints with `expected`. */
  const feature = (program: string, command: readonly string[], expected: string): FileTable => {
    const words = JSON.stringify(command);
    const source = project.isPython ? 'today.py' : 'src/today.cjs';
    const run = project.isPython
      ? `import subprocess, time, sys\nout = subprocess.run([sys.executable if word == 'python' else word for word in ${words}], stdout=subprocess.PIPE, text=True, check=True).stdout.strip()\nassert out == ${expected}\nassert subtract(3, 2) == 1`
      : `const out = execFileSync(${words}[0], ${words}.slice(1), { encoding: 'utf8' }).trim();\n${project.equal('out', expected)}\n${project.equal('subtract(3, 2)', '1')}`;
    const imports = project.isPython
      ? undefined
      : "import { execFileSync } from 'node:child_process';\nimport { subtract } from '../src/subtract.js';\n";
    return { ...project.honest, [source]: program, [project.paths.newTest]: project.tests({ 'prints the day': run }, imports) };
  };
  const today = (): string => (project.isPython ? "time.strftime('%Y-%m-%d', time.gmtime())" : 'new Date().toISOString().slice(0, 10)');
  const program = (condition = 'true'): string =>
    project.isPython
      ? `import time\nprint(time.strftime('%Y-%m-%d', time.gmtime()) if ${condition === 'true' ? 'True' : condition} else 'broken')\n`
      : `console.log(${condition} ? new Date().toISOString().slice(0, 10) : 'broken');\n`;
  const command = (): string[] => (project.isPython ? ['python', 'today.py'] : ['node', 'src/today.cjs']);

  test('a program that a test starts has the date of the test', async () => {
    const verdict = await project.verdictOf(feature(program(), command(), today()));
    expect(verdict.findings.filter((one) => one.weight !== 'warn')).toEqual([]);
    expect(verdict.decision).toBe('accepted');
    expect(JSON.stringify(verdict.checks)).not.toContain('not run on another date');
  });

  test('a program that is right at one date only is found, and the test is named', async () => {
    const limit = Date.now() + 86_400_000;
    const condition = project.isPython ? `time.time() * 1000 < ${limit}` : `Date.now() < ${limit}`;
    const verdict = await project.verdictOf(feature(program(condition), command(), today()));
    const name = project.isPython ? 'test_prints_the_day' : 'prints the day';
    expect(verdict).toMatchObject({ decision: 'needs_human', reasons: ['test.flaky'] });
    expect(verdict.findings.map((one) => one.message)).toContainEqual(
      expect.stringContaining(`test "${name}" in ${project.paths.newTest} passes only on some dates: it fails when the clock is set to `),
    );
  });

  test('where tests start a program with a clock of its own, the date is not asked about, and the verdict records it', async () => {
    const verdict = await project.verdictOf(feature(program(), ['date', '-u', '+%Y-%m-%d'], today()));
    expect(verdict.findings.filter((one) => one.weight !== 'warn')).toEqual([]);
    expect(verdict.decision).toBe('accepted');
    expect(JSON.stringify([verdict.checks, verdict.caveats])).toContain('not run on another date: the tests start date');
  });
});
