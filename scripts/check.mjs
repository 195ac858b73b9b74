// The one command that checks everything (`npm test`). `npm test -- types lint` runs only the named steps.
// Every step runs, whatever the others say; the exit status is 0 only when all passed. Steps that only read the sources run side by side.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { text as textOf } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { prepareMachine } from './prepare-machine.mjs';
import { countTests, failedTests, retriedTests, unknownNames } from './test-report.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const scratch = mkdtempSync(join(tmpdir(), 'harness-check-'));
const report = join(scratch, 'tests.json');
const LEAST_MODULES = 50;

/** `reads`: the step only reads the sources, so it runs beside others and its output is shown when it is done. */
const STEPS = [
  { name: 'types', reads: true, run: tool('typescript/bin/tsc', '-p', '.', '--noEmit') },
  { name: 'page types', reads: true, run: tool('typescript/bin/tsc', '-p', 'src/page/app', '--noEmit') },
  { name: 'promises', reads: true, run: ['scripts/floating-promises.mjs'] },
  { name: 'lint', reads: true, run: tool('oxlint/bin/oxlint', '--deny-warnings') },
  { name: 'format', reads: true, run: tool('oxfmt/bin/oxfmt', '--check') },
  {
    name: 'rooms',
    reads: true,
    run: tool('dependency-cruiser/bin/dependency-cruise.mjs', '--config', '.dependency-cruiser.cjs', '--output-type', 'json', 'src'),
    judge: judgeRooms,
  },
  { name: 'english', reads: true, run: ['scripts/english.mjs'] },
  { name: 'dead code', reads: true, run: ['scripts/dead-code.mjs'] },
  { name: 'docs', reads: true, run: ['scripts/generate-docs.mjs', '--check'] },
  { name: 'build', reads: false, run: ['scripts/build.mjs'] },
  {
    name: 'tests',
    reads: false,
    run: tool('vitest/vitest.mjs', 'run', '--reporter=default', '--reporter=json', `--outputFile.json=${report}`),
  },
];

try {
  process.exitCode = await main(process.argv.slice(2));
} finally {
  rmSync(scratch, { recursive: true, force: true });
}

async function main(wanted) {
  const unknown = wanted.filter((name) => !STEPS.some((step) => step.name === name));
  if (unknown.length > 0) {
    console.error(`There is no step ${unknown.join(', ')}. The steps are: ${STEPS.map((step) => step.name).join(', ')}.`);
    return 2;
  }
  const steps = wanted.length === 0 ? STEPS : STEPS.filter((step) => wanted.includes(step.name));
  announce(steps);
  if (steps.some((step) => step.name === 'tests')) prepareMachine();
  const results = await sideBySide(steps.filter((step) => step.reads));
  for (const step of steps.filter((one) => !one.reads)) results.push(runStep(step));
  console.log('\n== summary');
  for (const { name, passed, seconds } of results) console.log(`  ${passed ? 'passed' : 'FAILED'}  ${name} (${seconds.toFixed(1)} s)`);
  const tested = steps.some((step) => step.name === 'tests');
  const found = tested && existsSync(report) ? JSON.parse(readFileSync(report, 'utf8')) : null;
  const counts = found === null ? (tested ? { passed: 0, failed: 1, skipped: 0 } : null) : countTests(found);
  for (const { file, test, failure } of found === null ? [] : failedTests(found))
    console.log(`  failed: ${relative(root, file)} > ${test} (${failure})`);
  for (const { file, test, failure } of found === null ? [] : retriedTests(found))
    console.log(`  passed at the second try only: ${relative(root, file)} > ${test} (${failure})`);
  const { left } = JSON.parse(readFileSync(join(root, 'tests', 'long-tests.json'), 'utf8'));
  for (const { file, test } of found === null ? [] : unknownNames(found, left))
    console.log(`  tests/long-tests.json names a test that is not there: ${file} > ${test}`);
  if (counts !== null)
    console.log(`\n${counts.passed} passed, ${counts.failed} failed${counts.skipped === 0 ? '' : `, ${counts.skipped} skipped`}`);
  return results.every((result) => result.passed) && (counts === null || (counts.failed === 0 && counts.passed > 0)) ? 0 : 1;
}

/** The reader learns at once what comes and how long it takes. */
function announce(steps) {
  const tests = steps.some((step) => step.name === 'tests');
  console.log(`Checking: ${steps.map((step) => step.name).join(', ')}.`);
  if (!tests) return;
  console.log(
    'The tests start real programs and take about ten minutes on two cores. Single steps: npm test -- types lint. Everything: npm run test:long',
  );
}

/** Two at a time, the long ones first; results in the order of the table. */
async function sideBySide(steps) {
  const waiting = steps.map((step, index) => ({ step, index }));
  const results = [];
  const worker = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) results[next.index] = await readSources(next.step);
  };
  await Promise.all([worker(), worker()]);
  return results;
}

async function readSources({ name, run, judge = judgeStatus }) {
  const begin = performance.now();
  const child = spawn(process.execPath, run, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
  const [status, stdout, stderr] = await Promise.all([
    new Promise((resolve) => child.once('error', () => resolve(null)).once('close', resolve)),
    textOf(child.stdout),
    textOf(child.stderr),
  ]);
  const { passed, text } = judge({ status, stdout, stderr });
  console.log(`\n== ${name}\n${text}`);
  return { name, passed, seconds: (performance.now() - begin) / 1_000 };
}

function judgeStatus({ status, stdout, stderr }) {
  return { passed: status === 0, text: `${stdout}${stderr}`.trimEnd() };
}

function runStep({ name, run }) {
  console.log(`\n== ${name}`);
  const begin = performance.now();
  const passed = node(...run);
  return { name, passed, seconds: (performance.now() - begin) / 1_000 };
}

function tool(path, ...args) {
  return [join('node_modules', path), ...args];
}

function node(script, ...args) {
  return spawnSync(process.execPath, [script, ...args], { cwd: root, stdio: 'inherit' }).status === 0;
}

/** A checker that sees nothing finds nothing, so the number of modules is part of the result. */
function judgeRooms({ stdout, stderr }) {
  let summary;
  try {
    ({ summary } = JSON.parse(stdout));
  } catch {
    return { passed: false, text: `The room check said nothing that can be read.\n${stderr}` };
  }
  const lines = summary.violations.map(({ rule, from, to, cycle }) => {
    const path = cycle === undefined ? to : cycle.map((step) => step.name ?? step).join(' → ');
    return `  ${rule.severity} ${rule.name}: ${from} → ${path}`;
  });
  lines.push(
    `${summary.totalCruised} modules, ${summary.totalDependenciesCruised} imports, ${summary.violations.length} against the table`,
  );
  if (summary.totalCruised <= LEAST_MODULES) lines.push(`Only ${summary.totalCruised} modules were seen: the check itself is broken.`);
  return { passed: summary.violations.length === 0 && summary.totalCruised > LEAST_MODULES, text: lines.join('\n') };
}
