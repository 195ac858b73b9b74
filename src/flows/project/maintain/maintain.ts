/**
 * Maintenance mode: a project that is watched until somebody says stop.
 *
 * 1. Looked at again on every new commit of the branch and after each interval, the second time without any earlier run.
 * 2. A regression names the commit that broke it and sets the features back whose tests fail. With `maintenance.repair` sessions follow until
 *    they pass again, at most so many for each; else a person is told.
 * 3. Nothing new is built. What holds is in the baseline: after a crash the watch goes on from there.
 */
import { counted, testsPassing } from '../../../domain/counted.ts';
import type { ProjectState } from '../../../domain/session.ts';
import { checkBaselineOnHead } from '../../../kernel/flight/baseline.ts';
import type { Head } from '../../../kernel/flight/contract.ts';
import { readBaseline } from '../../../kernel/flight/memory-files.ts';
import { headOf } from '../../../kernel/ground/head.ts';
import { readTrusted } from '../list/trusted.ts';
import { projectHealth } from '../look/project-health.ts';
import type { ProjectEvent } from '../machine/document.ts';
import { ended, type RunReport } from '../machine/run-report.ts';
import { beginRun } from '../machine/running.ts';
import type { Project } from '../project.ts';
import { readState, stepAll } from '../state-files.ts';
import { repairBaseline } from '../steps/set-back.ts';
import { bringToEnd } from '../open.ts';
import { driveProject } from '../flow.ts';
import { fileOf } from '../../../domain/verdict.ts';
import { commitLine, type CommitName } from '../../../kernel/ground/recent-commits.ts';
import { runTests } from '../../../kernel/flight/run-context.ts';
import { itemAt } from '../../../domain/items.ts';

const POLL_MS = 1_000;
const SESSIONS_FOR_EACH = 3;

export async function maintain(given: Project): Promise<RunReport> {
  const project = withoutOffers(given);
  const { interval_minutes: minutes } = project.config.maintenance;
  project.emit({
    type: 'progress',
    message: `Maintenance mode: the suite runs on every new commit and every ${counted(minutes, 'minute')}. Add features with harness add-feature "what a user can do"; end it with harness stop.`,
  });
  let seen: Seen | null = null;
  while (!project.signal.aborted) {
    const state = (await bringToEnd(project, await readState(project, { writer: true }))).project;
    const head = await headOf(project);
    const why = head === null || state.paused ? null : dueLook(seen, head.commit, project.platform.clock.now(), minutes * 60_000);
    if (head !== null && why !== null) {
      await lookAgain(project, state, head, why === 'interval');
      seen = { commit: (await headOf(project))?.commit ?? head.commit, at: project.platform.clock.now() };
    }
    await project.platform.clock.sleep(POLL_MS, project.signal).catch(() => undefined);
  }
  const asked = await project.documents.requests.has('stop');
  return asked
    ? ended('complete', [], 'maintenance mode has ended')
    : ended('partial', ['interrupted'], 'maintenance mode was interrupted');
}

/** What may follow a finished project has been decided. */
function withoutOffers(project: Project): Project {
  const { asker } = project;
  return {
    ...project,
    asker: { ...asker, expects: async (gate) => gate !== 'project.complete' && (await asker.expects?.(gate)) === true },
  };
}

async function lookAgain(project: Project, state: ProjectState, head: Head, anew: boolean): Promise<void> {
  const before = await readBaseline(project, { writer: true });
  const { broken } = await checkBaselineOnHead(project, head, state.last_session, { noCache: anew, signal: project.signal });
  if (broken.length === 0) return await tellHealth(project, head);
  const culprits = await findCulprits(project, before?.commit ?? null, head.commit, broken);
  const lines = culprits.length === 0 ? [`Since ${before?.commit.slice(0, 10) ?? 'some time'}: ${some(broken)}`] : culprits.map(describe);
  for (const line of lines) project.emit({ type: 'warning', message: line });
  const { changes, features } = await reopened(project, state, broken, lines);
  const after = await stepAll(project, state, changes);
  if (project.config.maintenance.repair) {
    await repair(project, after, features);
    return await tellHealth(project, (await headOf(project)) ?? head);
  }
  project.emit({
    type: 'escalation',
    trigger: 'maintenance.regression',
    message: lines.join('\n'),
    options: ['harness run'],
    file: project.config.paths.features,
  });
}

function describe({ commit, subject, author, tests }: Culprit): string {
  return `Commit ${commit.slice(0, 10)} ("${subject}", by ${author}) breaks ${some(tests)}`;
}

function some(tests: readonly string[]): string {
  return `${tests.slice(0, 5).join(', ')}${tests.length > 5 ? ` and ${tests.length - 5} more` : ''}`;
}

/** The features whose tests fail are open again; where no feature owns a broken test, the branch itself is to be repaired. */
async function reopened(
  project: Project,
  state: ProjectState,
  broken: readonly string[],
  lines: readonly string[],
): Promise<{ changes: ProjectEvent[]; features: number[] }> {
  const owned = await repairBaseline(project, state, { noCache: true, signal: project.signal });
  if (owned.features.length > 0) return owned;
  return { changes: [{ type: 'repairing', detail: `${lines.join('\n')}\n${broken.join('\n')}` }], features: [] };
}

async function repair(project: Project, state: ProjectState, features: readonly number[]): Promise<void> {
  let now = state;
  for (let session = 0; session < Math.max(1, features.length) * SESSIONS_FOR_EACH && !project.signal.aborted; session++) {
    const begin = { project: now, run: beginRun({ wanted: 1, cleanup: false, knownSound: true }) };
    const { state: after } = await driveProject(project, begin);
    now = after.project;
    const { loaded } = await readTrusted(project, now);
    const open = loaded.list.features.filter(({ id, passes }) => features.includes(id) && !passes);
    if (open.length === 0 || now.escalation !== null || now.paused) return;
  }
}

async function tellHealth(project: Project, head: Head): Promise<void> {
  const { tests, lint, status } = await projectHealth(project, { signal: project.signal, cached: false });
  const linted = lint === null ? '' : `, lint: ${counted(lint.errors, 'error')}`;
  project.emit({
    type: 'progress',
    message: `${head.commit.slice(0, 10)}: ${testsPassing(tests?.passing ?? 0, tests?.total ?? 0)}${linted}, health ${status}`,
  });
}

/** Which commits broke which tests: each broken test file is followed back by halving, in clean rooms, along the branch's own line. */
interface Culprit extends CommitName {
  tests: string[];
}

/** `good`: a commit on which all of them passed; null, or no ancestor: all that is known is that they fail now. */
async function findCulprits(project: Project, good: string | null, bad: string, broken: readonly string[]): Promise<Culprit[]> {
  const line = good === null ? [] : await commitLine(project, good, bad);
  const names = new Map(line.map((entry) => [entry.commit, entry]));
  const found = new Map<string, Culprit>();
  for (const [file, tests] of byFile(broken)) {
    const commit = await firstBroken([...names.keys()], async (candidate) => isBrokenOn(project, candidate, file, tests));
    const name = commit === null ? undefined : names.get(commit);
    if (name === undefined) continue;
    const known = found.get(name.commit);
    found.set(name.commit, { ...name, tests: [...(known?.tests ?? []), ...tests] });
  }
  return [...found.values()];
}

function byFile(tests: readonly string[]): Map<string, string[]> {
  const files = new Map<string, string[]>();
  for (const test of tests) files.set(fileOf(test), [...(files.get(fileOf(test)) ?? []), test]);
  return files;
}

async function isBrokenOn(project: Project, commit: string, file: string, tests: readonly string[]): Promise<boolean> {
  const tree = await project.trees.of(commit);
  if ((await project.trees.read(tree, file)) === null) return true;
  const run = await runTests(project, { tree, files: [file] }, project);
  const passed = new Set(run.tests.filter(({ status }) => status === 'passed').map(({ id }) => id));
  return tests.some((test) => !passed.has(test));
}

/** When a watched project is looked at again, and which of its commits broke a test. */
interface Seen {
  commit: string;
  /** Epoch milliseconds. */
  at: number;
}

/** Null: nothing is due yet. */
export function dueLook(seen: Seen | null, commit: string, now: number, intervalMs: number): 'commit' | 'interval' | null {
  if (seen === null || seen.commit !== commit) return 'commit';
  return now - seen.at >= intervalMs ? 'interval' : null;
}

/**
 * The first of these commits, oldest first, on which something is broken; the last one is known to be broken, what came before the first is
 * known to hold. Asks about as few as it can.
 */
export async function firstBroken(commits: readonly string[], isBroken: (commit: string) => Promise<boolean>): Promise<string | null> {
  let [low, high] = [0, commits.length - 1];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (await isBroken(itemAt(commits, middle))) high = middle;
    else low = middle + 1;
  }
  return commits[low] ?? null;
}
