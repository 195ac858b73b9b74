/**
 * Checks before an agent is started, in the order of the list below. The first failure ends them; each is timed and told.
 *
 * directory → harness files → git state → environment (init, reset and retry) → health → baseline → budget
 */
import { counted } from '../../domain/counted.ts';
import { join } from 'node:path';
import type { Reason } from '../../domain/reasons.ts';
import type { Baseline } from '../../domain/session.ts';
import { exhausted, type BudgetSettings } from '../../session/budget-monitor.ts';
import { isWithoutIdentity, SET_IDENTITY } from '../../workspace/commit.ts';
import { stashChanges, wholeGitState } from '../../workspace/home.ts';
import type { FlightPlace, Stash, CheckReport } from './contract.ts';
import type { Environment } from './environment.ts';
import { inTreeTurn } from './in-turn.ts';
import { STASH_MESSAGE } from './leftovers.ts';
import { mustHave } from '../../domain/must-have.ts';

export interface PreflightPorts {
  /** Changes of the user's that have to be given back. */
  setAside(stash: Stash | null): void;
  /** At this moment the working tree was as HEAD has it. */
  seenClean(at: number): void;
  /** Made after the git state is known to be good; prepares the workspace. */
  environment(): Promise<Environment>;
  baseline(): Promise<BaselineCheck>;
  sanity(): Promise<CheckReport[]>;
  budget: BudgetSettings;
  /** The project's own list has to be there. */
  hasList: boolean;
  /** The session is there to repair what is wrong with the project itself: that is told, and keeps nobody from it. */
  repairs?: boolean;
}

export interface BaselineCheck {
  baseline: Baseline | null;
  /** Why the test command tells of no test although there are some; null: it does, or there are none. */
  nothing: string | null;
  /** Tests of the baseline that do not pass on home's HEAD. */
  broken: string[];
  /** What is not installed, where that may be the cause. */
  lacked?: string;
  detail: string;
  cached: boolean;
}

export interface PreflightResult {
  failure: { reason: Reason; message: string; broken: string[] } | null;
  environment: Environment | null;
  baseline: Baseline | null;
}

export async function preflight(place: FlightPlace, ports: PreflightPorts): Promise<PreflightResult> {
  const { checks } = place.config.preflight;
  const result: PreflightResult = { failure: null, environment: null, baseline: null };
  const steps: { name: string; on: boolean; run(): Promise<CheckReport | CheckReport[]> }[] = [
    { name: 'working directory', on: checks.working_directory, run: () => checkDirectory(place) },
    { name: 'harness files', on: checks.harness_files, run: () => checkFiles(place, ports) },
    { name: 'git state', on: checks.git_state, run: () => inTreeTurn(place, () => checkGit(place, ports)) },
    { name: 'environment', on: checks.environment, run: () => startEnvironment(ports, result) },
    { name: 'health', on: checks.environment, run: () => checkHealth(result) },
    { name: 'baseline tests', on: checks.baseline_tests, run: () => checkBaseline(ports, result) },
    { name: 'sanity', on: checks.baseline_tests, run: () => ports.sanity() },
    { name: 'budget', on: checks.budget, run: async () => checkBudget(ports.budget) },
  ];
  if (place.signal.aborted) return { ...result, failure: INTERRUPTED };
  for (const { name, on, run } of steps) {
    const begin = place.platform.clock.monotonic();
    const reports = on ? [await run()].flat() : [{ name, state: 'skipped' as const, detail: 'switched off', reason: null }];
    for (const found of reports) {
      const report = ports.repairs === true && REPAIRABLE.has(found.reason ?? 'git.dirty') ? { ...found, state: 'warned' as const } : found;
      place.emit({
        type: 'preflight.check',
        name: report.name,
        state: report.state,
        detail: report.detail,
        duration_ms: Math.round(place.platform.clock.monotonic() - begin),
      });
      if (report.state === 'failed') {
        result.failure ??= {
          reason: report.reason ?? 'env.unhealthy',
          message: `${report.name}: ${report.detail}`,
          broken: report.reason === 'env.baseline_broken' ? report.detail.split('\n').slice(1) : [],
        };
      }
    }
    if (place.signal.aborted) result.failure = INTERRUPTED;
    if (result.failure !== null) return result;
  }
  return result;
}

const INTERRUPTED = {
  reason: 'interrupted',
  message: 'interrupted before the agent was started',
  broken: [],
} satisfies PreflightResult['failure'];

/** What an agent can repair: tests, quick checks and health of the code on the branch. */
export const REPAIRABLE: ReadonlySet<Reason> = new Set<Reason>(['env.baseline_broken', 'env.unhealthy']);

function passed(name: string, detail: string): CheckReport {
  return { name, state: 'passed', detail, reason: null };
}

function failed(name: string, reason: Reason, detail: string): CheckReport {
  return { name, state: 'failed', detail, reason };
}

async function checkDirectory(place: FlightPlace): Promise<CheckReport> {
  const name = 'working directory';
  const real = await place.platform.files.realpath(place.root);
  if (real === place.home.root) return passed(name, place.root);
  return failed(
    name,
    'preflight.directory',
    `.harness.yaml is in ${place.root}, but the repository's top is ${place.home.root}: run the harness there`,
  );
}

async function checkFiles(place: FlightPlace, { hasList }: PreflightPorts): Promise<CheckReport> {
  const name = 'harness files';
  const { paths, environment } = place.config;
  const scripts = [environment.init, environment.reset]
    .filter((command): command is string => command !== null && /^\.\/[\w./-]+$/.test(command))
    .map((command) => command.slice(2));
  const missing: string[] = [];
  for (const file of ['.harness.yaml', ...(hasList ? [paths.features, paths.progress] : []), ...scripts]) {
    const info = await place.platform.files.lstat(join(place.root, file)).catch(() => null);
    if (info === null) missing.push(`${file} is missing`);
    else if (scripts.includes(file) && (Number(info.mode) & 0o111) === 0) missing.push(`${file} is not executable (chmod +x ${file})`);
  }
  return missing.length === 0
    ? passed(name, 'all there')
    : failed(name, 'preflight.files', `${missing.join('; ')}. Run harness init again to create what is missing.`);
}

async function checkGit(place: FlightPlace, ports: PreflightPorts): Promise<CheckReport> {
  const name = 'git state';
  const begin = place.platform.clock.monotonic();
  const [state, isNameless] = await Promise.all([wholeGitState(place.platform, place.home), isWithoutIdentity(place.platform, place.home)]);
  if (state.clean) ports.seenClean(begin);
  if (state.noCommits) return failed(name, 'git.no_commits', 'the repository has no commit yet: commit your files first');
  if (state.operation !== null) return failed(name, 'git.conflict', `a ${state.operation} is in progress: finish or abort it first`);
  if (state.unmerged.length > 0) return failed(name, 'git.conflict', `files with merge conflicts: ${some(state.unmerged)}`);
  if (state.detached)
    return failed(name, 'git.detached', 'HEAD is detached: check out the branch that the harness should work on (git switch BRANCH)');
  if (isNameless)
    return failed(name, 'git.identity', `git has no name and email for you, so no commit can be made: ${SET_IDENTITY.join(' && ')}`);
  if (state.dirty.length === 0) return passed(name, `on branch ${state.branch ?? ''}, nothing modified`);
  if (place.config.git.on_dirty === 'stash') {
    ports.setAside(await stashChanges(place.platform, place.home, STASH_MESSAGE));
    return passed(name, `on branch ${state.branch ?? ''}; modified files were stashed (${some(state.dirty)})`);
  }
  return failed(name, 'git.dirty', `modified tracked files: ${some(state.dirty)}. Commit or stash them, or set git.on_dirty: stash.`);
}

function some(paths: readonly string[]): string {
  return paths.length <= 5 ? paths.join(', ') : `${paths.slice(0, 5).join(', ')} and ${paths.length - 5} more`;
}

async function startEnvironment(ports: PreflightPorts, result: PreflightResult): Promise<CheckReport> {
  result.environment = await ports.environment();
  const report = await result.environment.start();
  return { name: 'environment', state: report.state, detail: report.detail, reason: report.reason };
}

async function checkHealth(result: PreflightResult): Promise<CheckReport> {
  const report = await mustHave(result.environment, 'the environment was started before').health();
  return { name: 'health', state: report.state, detail: report.detail, reason: report.state === 'failed' ? 'env.unhealthy' : null };
}

async function checkBaseline(ports: PreflightPorts, result: PreflightResult): Promise<CheckReport> {
  const check = await ports.baseline();
  result.baseline = check.baseline;
  if (check.nothing !== null) return failed('baseline tests', 'verification.unsound', nothingRuns(check.nothing));
  if (check.broken.length === 0) return passed('baseline tests', check.detail);
  return failed(
    'baseline tests',
    'env.baseline_broken',
    [
      `${counted(check.broken.length, 'test')} that passed before ${check.broken.length === 1 ? 'fails' : 'fail'} on the current commit${check.lacked ? `. ${check.lacked.replaceAll('\n', ' ')}` : ''}`,
      ...check.broken.slice(0, 20),
    ].join('\n'),
  );
}

/** Asked of a person, not of an agent: with nothing to compare, no claim could be accepted, and each session would be paid for nothing. */
function nothingRuns(cause: string): string {
  if (cause.includes(' Run: ')) return `${cause}\nNo agent was started.`;
  return [
    'the test command reported no tests although there are test files, so nothing could be verified; no agent was started',
    `its output: ${cause}`,
    'Run the test command yourself, in a fresh clone. If another one runs the tests, set it as testing.full in .harness.yaml and commit.',
  ].join('\n');
}

function checkBudget(budget: BudgetSettings): CheckReport {
  const over = exhausted(budget, 0);
  if (over !== null) return failed('budget', over.reason, `${over.message}. Raise it under costs: in .harness.yaml.`);
  const left =
    budget.perProject === null ? 'no project budget' : `$${(budget.perProject - budget.projectSpent).toFixed(2)} left for the project`;
  return passed('budget', budget.perSession === null ? left : `$${budget.perSession.toFixed(2)} for this session, ${left}`);
}
