/** Runs a test command in a room and believes only what exit status, report and counts agree on. */
import { dirname, join, resolve } from 'node:path';
import { firstErrorLine } from '../../domain/first-error.ts';
import type { Room } from '../../domain/tree.ts';
import type { TestResult, TestRun } from '../../domain/verdict.ts';
import type { Platform } from '../../platform/platform.ts';
import type { RunResult } from '../../platform/processes.ts';
import { findProblems, MOST_TESTS } from './agreement.ts';
import { namedBySource, outputFolder, pairUp, type Compiled } from './compiled.ts';
import type { RunContext } from '../contract.ts';
import { tailOf } from './plain-text.ts';
import { choosePython, type ChosenPython } from './choose-python.ts';
import { NODE_PROGRAM } from './programs.ts';
import { activated } from './python-of-tree.ts';
import { pathOf, withRunSpace, type RunSpace } from './run-space.ts';
import { readStarted, startedPath } from '../runners/elsewhere.ts';
import { readSeen, seenPath } from '../runners/looking.ts';
import { openSealed } from '../runners/seal.ts';
import { marksOfRunners } from '../runners/registry.ts';
import type { RunnerFacts, RunPlan, RunVariant } from '../runners/runner.ts';
import type { TestCommand } from './test-command.ts';
import { writtenSince } from './written-since.ts';

interface RunRequest {
  command: TestCommand;
  /** null: the whole suite. */
  files: readonly string[] | null;
  /** Every file of the room's tree. */
  paths: readonly string[];
  variant?: RunVariant;
  /** The tree is one that nobody wrote: old and new, or with something planted. */
  mixed?: boolean | undefined;
  /** Tests are asked although a step before them failed. */
  isWrong?: boolean | undefined;
  watch?: boolean | undefined;
}

const MAX_REPORT_BYTES = 256 * 1024 * 1024;
const TAIL_CHARACTERS = 4_000;
/** Ends a report that nobody vouches for; no parser takes it for an end. */
const NO_SEAL = '{"unsealed":true}';

export async function executeTests(platform: Platform, context: RunContext, room: Room, request: RunRequest): Promise<TestRun> {
  const { runner, match, resolved } = request.command;
  const own = { ...context.settings.testing.env, ...resolved.env };
  const begin = platform.clock.monotonic();
  const folder = outputFolder(request.command, request.paths);
  const isElsewhere = request.variant?.neutral !== undefined;
  const use = async (space: RunSpace): Promise<TestRun> => {
    const prepared = folder === null ? null : await compile(platform, space, { request, folder, env: own });
    if (prepared !== null && 'failed' in prepared)
      return { ...blankRun(request, space), ...prepared.failed, duration_ms: platform.clock.monotonic() - begin };
    const chosen = await pythonFor(platform, context, request);
    if ('missing' in chosen) return { ...blankRun(request, space), problems: [chosen.missing] };
    const facts: RunnerFacts = {
      paths: [...request.paths, ...(prepared?.outputs ?? [])],
      dependencies: room.dependencies,
      python: chosen.python,
      node: NODE_PROGRAM,
    };
    const plan = runner.plan(match, facts, {
      files: prepared?.files ?? request.files,
      room: space.seen,
      reportPath: space.reportPath,
      keyPath: space.keyPath,
      supportDirectory: space.supportDirectory,
      temporary: space.temporary,
      pythonPath: [...ownPythonPath(own, space.seen), ...space.pythonPath],
      variant: request.variant ?? {},
      marks: marksOfRunners('hidden'),
    });
    const blank = blankRun(request, space);
    if ('missing' in plan) return { ...blank, problems: [plan.missing] };
    const failed = prepared === null ? await runBefore(space, resolved.before, own) : null;
    if (failed !== null && request.isWrong !== true) return { ...blank, ...failed, duration_ms: platform.clock.monotonic() - begin };
    for (const file of plan.support) {
      if (dirname(file.path) !== space.supportDirectory) await platform.files.mkdir(dirname(file.path));
      await platform.files.write(file.path, file.content);
    }
    const key = platform.random.id(32);
    if (plan.report === 'file') await platform.files.write(space.keyPath, key, 0o600);
    const env = {
      ...withOptions({ ...own, ...guiseEnvironment(request) }, plan.env),
      ...activated(chosen.environment?.folder ?? null, pathOf(platform, room)),
    };
    const started = platform.clock.now();
    const { result, problem } = await space.runBeside({ file: plan.file, args: plan.args, env, paths: request.paths });
    const report = await readReport(platform, space, plan, { paths: request.paths, key });
    const stdout = result.stdout.toString('utf8');
    const stderr = result.stderr.toString('utf8');
    const checkout = runner.interpreter === 'python' && space.sandboxed && context.checkout !== undefined ? `${context.checkout}/` : null;
    const parsed = await runner.parse({
      // The room is seen at the checkout's place too, and a message may name a file there.
      report: checkout === null || report === null ? report : report.replaceAll(checkout, `${space.seen}/`),
      stdout: plan.report === 'stdout' && result.truncated ? '' : stdout,
      stderr,
      code: result.code,
      room: space.seen,
      files: request.files,
      isAlone: plan.isAlone === true,
    });
    const tests = parsed.tests.slice(0, MOST_TESTS).map((test) => withoutRun(test, space));
    const found = findProblems(parsed, { code: result.code, signal: result.signal, timedOut: result.timedOut, aborted: result.aborted });
    if (plan.report === 'stdout' && result.truncated)
      found.unshift(
        'the test command printed more than 64 MB, so its report cannot be read: let it print less, or set testing.report to junit',
      );
    const problems = problem === null ? found : [problem, ...found];
    const seen = request.variant?.neutral === undefined ? null : await readPlainFile(platform, seenPath(space.reportPath));
    const replaced = parsed.replaced ?? (seen === null ? undefined : readSeen(seen));
    return {
      ...blank,
      command: [plan.file, ...plan.args],
      exit_code: result.code,
      timed_out: result.timedOut,
      consistent: problems.length === 0,
      problems,
      tests: prepared === null ? tests : namedBySource(tests, prepared.compiled),
      duration_ms: platform.clock.monotonic() - begin,
      output_tail: tailOf(`${stdout}\n${stderr}`, TAIL_CHARACTERS),
      ...(replaced === undefined ? {} : { replaced }),
      ...(await unreachedIn(platform, context, space, request)),
      ...(request.watch === true ? { written: await writtenSince(platform, room.path, request.paths, started) } : {}),
    };
  };
  return withRunSpace(platform, context, room, use, isElsewhere);
}

/** Variables of another guise that every process may see; those that runners set are shown to the project's code alone. */
function guiseEnvironment({ variant, command }: RunRequest): Record<string, string> {
  const own = Object.entries(variant?.neutral?.guise?.env ?? {});
  if (command.runner.interpreter === 'python') return Object.fromEntries(own);
  const marks = new RegExp(`^(?:${marksOfRunners('hidden')}|NODE_ENV)$`);
  return Object.fromEntries(own.filter(([name]) => !marks.test(name)));
}

/** Where the run has another date or other random numbers: the programs that had those of the machine. */
async function unreachedIn(
  platform: Platform,
  { settings }: RunContext,
  space: RunSpace,
  { variant = {} }: RunRequest,
): Promise<Pick<TestRun, 'unreached'>> {
  if (variant.clockShiftMs === undefined && variant.chance === undefined) return {};
  const { init = null, health_check = null } = settings.environment ?? {};
  const served = space.sandboxed && init !== null && health_check !== null ? ['the environment'] : [];
  const started = readStarted((await readPlainFile(platform, startedPath(space.reportPath))) ?? '');
  const unreached = [...served, ...started];
  return unreached.length === 0 ? {} : { unreached };
}

/** A title may name the temporary directory or the home that this run alone has: the test is the same one in every run. */
function withoutRun(test: TestResult, { temporary, home }: RunSpace): TestResult {
  const plain = (text: string): string => text.replaceAll(temporary, '<temporary>').replaceAll(home, '<home>');
  return { ...test, id: plain(test.id), name: plain(test.name) };
}

/** What node is told comes from both: one does not take the other's place. */
function withOptions(own: Readonly<Record<string, string>>, added: Readonly<Record<string, string>>): Record<string, string> {
  const options = [own['NODE_OPTIONS'], added['NODE_OPTIONS']].filter((one) => one !== undefined && one !== '').join(' ');
  return { ...own, ...added, ...(options === '' ? {} : { NODE_OPTIONS: options }) };
}

/** What the command itself says, seen from the room. */
function ownPythonPath(env: Readonly<Record<string, string>>, room: string): string[] {
  return (env['PYTHONPATH'] ?? '').split(':').flatMap((part) => (part === '' || part.includes('$') ? [] : resolve(room, part)));
}

function blankRun(request: RunRequest, space: RunSpace): TestRun {
  return {
    runner: request.command.runner.name,
    command: [],
    files: [...(request.files ?? [])],
    exit_code: null,
    timed_out: false,
    consistent: false,
    problems: [],
    tests: [],
    duration_ms: 0,
    sandboxed: space.sandboxed,
    output_tail: '',
  };
}

/**
 * The steps that compile the tests, and which output is to run. A mixture of old and new need not fit together for the compiler: there
 * what it made all the same is run, and the tests decide.
 */
async function compile(
  platform: Platform,
  space: RunSpace,
  { request, folder, env }: { request: RunRequest; folder: string; env: Readonly<Record<string, string>> },
): Promise<{ files: readonly string[] | null; outputs: string[]; compiled: Compiled } | { failed: Partial<TestRun> }> {
  const { resolved } = request.command;
  const failed = await runBefore(space, resolved.before, env);
  const outputs = await listFiles(platform, space.room.path, folder, (name) => /\.[cm]?js$/.test(name)).catch(() => []);
  const compiled = pairUp(outputs, request.paths, folder);
  const bySource = new Map([...(compiled ?? [])].map(([output, source]) => [source, output]));
  const files = request.files?.map((file) => bySource.get(file) ?? file) ?? null;
  if (failed !== null && (request.mixed !== true || request.files?.every((file) => bySource.has(file)) !== true)) return { failed };
  if (compiled === null)
    return { failed: { problems: [`the harness cannot tell whether what is below ${folder} was built from the sources`] } };
  return { files, outputs, compiled };
}

async function pythonFor(platform: Platform, { checkout }: RunContext, request: RunRequest): Promise<ChosenPython> {
  const { runner, resolved } = request.command;
  if (runner.interpreter !== 'python') return { python: null, environment: null };
  return await choosePython(platform, {
    checkout: checkout ?? null,
    program: resolved.words?.[0] ?? '',
    tool: resolved.tool,
    module: runner.pythonModule ?? 'pytest',
    paths: request.paths,
  });
}

/** How the only problem of such a run begins. */
export const STEP_FAILED = 'the step before the tests failed';

async function runBefore(
  space: RunSpace,
  commands: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<Partial<TestRun> | null> {
  for (const command of commands) {
    const result = await space.run('/bin/sh', ['-c', command], env);
    if (result.code !== 0) {
      const line = firstErrorLine(combined(result));
      const problem = `${STEP_FAILED}: ${command} (exit ${String(result.code)})${line === '' ? '' : `: ${line}`}`;
      return {
        command: ['/bin/sh', '-c', command],
        exit_code: result.code,
        timed_out: result.timedOut,
        problems: [problem],
        output_tail: tailOf(combined(result), TAIL_CHARACTERS),
      };
    }
  }
  return null;
}

function combined(result: RunResult): string {
  return `${result.stdout.toString('utf8')}\n${result.stderr.toString('utf8')}`.trim();
}

async function readReport(
  platform: Platform,
  space: RunSpace,
  plan: RunPlan,
  { paths, key }: { paths: readonly string[]; key: string },
): Promise<string | null> {
  if (plan.report === 'file') return readSealed(platform, space.reportPath, key);
  if (plan.report !== 'junit-files') return null;
  const known = new Set(paths);
  const documents: string[] = [];
  for (const path of await listFiles(platform, space.room.path, '', (name) => name.endsWith('.xml'))) {
    const content = known.has(path) ? null : await readPlainFile(platform, join(space.room.path, path));
    if (content?.includes('<testsuite') === true) documents.push(content);
  }
  return documents.length === 0 ? null : documents.join('\0');
}

/** Without its seal a report is at best the beginning of one: it is read, and the runner's parser misses its end. */
async function readSealed(platform: Platform, path: string, key: string): Promise<string | null> {
  const report = await readPlainFile(platform, path);
  return report === null ? null : (openSealed(report, key) ?? `${report.trimEnd()}\n${NO_SEAL}\n`);
}

/** A link, a pipe or a flood in the report's place is no report. */
async function readPlainFile(platform: Platform, path: string): Promise<string | null> {
  const info = await platform.files.lstat(path).catch(() => null);
  if (info === null || !info.isFile() || info.size > MAX_REPORT_BYTES) return null;
  return platform.files.readText(path);
}

async function listFiles(platform: Platform, room: string, folder: string, wanted: (name: string) => boolean): Promise<string[]> {
  const found: string[] = [];
  for (const entry of await platform.files.list(join(room, folder))) {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
    if (entry.isDirectory() && entry.name !== 'node_modules') found.push(...(await listFiles(platform, room, path, wanted)));
    else if (entry.isFile() && wanted(entry.name)) found.push(path);
  }
  return found.toSorted();
}
