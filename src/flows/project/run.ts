/**
 * `harness run`: sessions one after the other, until one of them ends the run.
 *
 * 1. One process at a time: the lock is held for the whole run.
 * 2. What an earlier process left half done is settled first.
 * 3. In a repeated run, codes 0, 4 and 10 go on to the next session; every other code ends it.
 */
import { join } from 'node:path';
import { EXIT, exitCodeFor, type ExitCode, type Outcome, type Reason } from '../../domain/reasons.ts';
import type { ProjectState } from '../../domain/session.ts';
import { acquireLock } from '../../store/lock.ts';
import { sweepTemporaries } from '../../store/sweep.ts';
import { readHead, treeOf } from '../../workspace/home.ts';
import type { Asker } from './asker.ts';
import { finishProject } from './complete.ts';
import { answerEscalation, escalate, escalatePreflight, raise } from './escalate.ts';
import { blockedBy } from './next-feature.ts';
import { decidePending, questionFor } from './pending.ts';
import { planSession, type SessionPlan } from './plan-session.ts';
import { checkFeatureList, type LoadedList, type Project } from './project.ts';
import { recover } from './recover.ts';
import { runSession, type Head, type SessionReport } from './run-session.ts';
import { readState, step } from './state-files.ts';
import { pauseFile } from './wip-step.ts';

export interface RunOptions {
  /** Infinity for `--until-done`. */
  sessions: number;
  noCache: boolean;
  cleanup: boolean;
  asker: Asker;
  signal: AbortSignal;
  /** As it was typed, for whoever finds the lock taken. */
  command: string;
}

export interface RunReport {
  outcome: Outcome;
  reasons: Reason[];
  exitCode: ExitCode;
  session: number | null;
  feature: number | null;
  commit: string | null;
  message: string;
}

export async function run(project: Project, options: RunOptions): Promise<RunReport> {
  const lock = await acquireLock(project.platform, join(project.stateDir, 'lock'), options.command);
  try {
    for (const path of await sweepTemporaries(project.platform, project.stateDir)) project.emit({ type: 'state.recovered', what: `temporary file ${path}`, action: 'removed' });
    let state = await recover(project, await readState(project, { writer: true }), options.signal);
    let report: RunReport | null = null;
    for (let done = 0; done < options.sessions; ) {
      const next = await advance(project, state, options, report);
      if (next.kind === 'end') return next.report;
      state = next.state;
      if (next.kind === 'again') continue;
      done++;
      report = next.report;
      const goesOn = report.exitCode === EXIT.done || report.exitCode === EXIT.rejected || report.exitCode === EXIT.partial;
      if (!goesOn || options.signal.aborted) return report;
      if (next.retryAt !== null && done < options.sessions) await waitForReset(project, next.retryAt, options.signal);
    }
    return report ?? ended('complete', [], 'nothing to do');
  } finally {
    await project.journal?.flush();
    await lock.release();
  }
}

type Advance =
  | { kind: 'session'; report: RunReport; state: ProjectState; retryAt: number | null }
  /** Something was settled without a session. */
  | { kind: 'again'; state: ProjectState }
  | { kind: 'end'; report: RunReport };

async function advance(project: Project, state: ProjectState, options: RunOptions, last: RunReport | null): Promise<Advance> {
  const { loaded, head } = await readTrusted(project);
  const plan = planSession(state, loaded.list, { cleanup: options.cleanup });
  switch (plan.kind) {
    case 'session':
      return await oneSession(project, state, plan, loaded, head, options);
    case 'complete':
      return { kind: 'end', report: { ...(await finishProject(project, state, loaded, head, options)), session: last?.session ?? null, feature: null, commit: last?.commit ?? null } };
    case 'exhausted':
      return { kind: 'end', report: await exhaustedReport(project, plan.detail) };
    case 'paused':
      return { kind: 'end', report: ended('partial', ['user_pause'], 'the project is paused; go on with: harness resume') };
    case 'handoff':
      return { kind: 'end', report: ended('partial', ['user_pause'], 'a person has the wheel; give it back with: harness takeback') };
    case 'pending':
      return await onePending(project, state, plan.pending, loaded, options);
    case 'escalated':
      return await oneEscalation(project, state, plan.escalation, options);
  }
}

/** The feature list and the commit that everything of a session is measured against. */
export async function readTrusted(project: Project): Promise<{ loaded: LoadedList; head: Head }> {
  const { branch, head } = await readHead(project.platform, project.home);
  const path = project.config.paths.features;
  if (head === null) return { loaded: checkFeatureList(project, await project.platform.files.readTextIfExists(join(project.root, path))), head: { commit: '', tree: '', branch: branch ?? '' } };
  const tree = await treeOf(project.platform, project.home, head);
  const text = (await project.trees.read(tree, path))?.toString('utf8') ?? null;
  return { loaded: checkFeatureList(project, text), head: { commit: head, tree, branch: branch ?? '' } };
}

async function oneSession(project: Project, state: ProjectState, plan: Extract<SessionPlan, { kind: 'session' }>, loaded: LoadedList, head: Head, options: RunOptions): Promise<Advance> {
  const report = await runSession(project, plan, state, loaded, head, { signal: options.signal, noCache: options.noCache });
  let next = report.state;
  if (report.reasons.includes('user_pause')) {
    await project.platform.files.remove(pauseFile(project.stateDir));
    next = (await step(project, next, { type: 'paused' })).state;
  }
  if (report.session === null) await escalatePreflight(project, report.reasons[0]!, report.message, report.broken, report.budget);
  else if (next.escalation !== null) await raise(project, next.escalation, escalationFindings(report, loaded), options.asker);
  else if (report.reasons.some((reason) => reason.startsWith('budget.'))) await escalatePreflight(project, report.reasons[0]!, report.message, [], report.budget);
  if (report.outcome === 'needs_human' && next.pending !== null) {
    const settled = await onePending(project, next, next.pending, loaded, options);
    if (settled.kind === 'again') return { kind: 'session', report: { ...reportOf(report), outcome: 'verified', reasons: [], exitCode: EXIT.done }, state: settled.state, retryAt: null };
  }
  return { kind: 'session', report: reportOf(report), state: next, retryAt: report.retryAt };
}

function escalationFindings(report: SessionReport, loaded: LoadedList): string[] {
  const blocked = report.feature === null ? [] : blockedBy(loaded.list.features, report.feature);
  return [`reasons of the last session: ${report.reasons.join(', ')}`, report.message, blocked.length === 0 ? '' : `waiting for it: ${blocked.slice(0, 20).map((id) => `#${id}`).join(', ')}`].filter((line) => line !== '');
}

function reportOf(report: SessionReport): RunReport {
  const { outcome, reasons, session, feature, commit, message } = report;
  return { outcome, reasons, exitCode: exitCodeFor(outcome, reasons), session, feature, commit, message };
}

async function onePending(project: Project, state: ProjectState, pending: NonNullable<ProjectState['pending']>, loaded: LoadedList, options: RunOptions): Promise<Advance> {
  const answer = await options.asker.ask(await questionFor(project, pending, loaded));
  if (answer === 'pending') {
    const report = ended('needs_human', ['gate.pending'], `a candidate waits for a person: harness gates, then harness answer ${pending.gate} OPTION`);
    return { kind: 'end', report: { ...report, session: pending.session, feature: pending.feature } };
  }
  const decided = await decidePending(project, state, pending, loaded, answer);
  if (decided.kind === 'stale') project.emit({ type: 'warning', message: `the accepted candidate cannot land any more: ${decided.message}` });
  return { kind: 'again', state: decided.state };
}

async function oneEscalation(project: Project, state: ProjectState, escalation: NonNullable<ProjectState['escalation']>, options: RunOptions): Promise<Advance> {
  const answered = await answerEscalation(project, state, escalation, options.asker);
  if (answered !== null) return { kind: 'again', state: answered };
  const report = ended('escalated', [], `${escalation.message} Decide with: harness answer ${escalation.gate} OPTION`);
  return { kind: 'end', report: { ...report, feature: escalation.feature } };
}

async function exhaustedReport(project: Project, detail: Extract<SessionPlan, { kind: 'exhausted' }>['detail']): Promise<RunReport> {
  const blocked = detail.blocked.map((entry) => `#${entry.feature} waits for ${entry.waits_for.map((id) => `#${id}`).join(', ')}`);
  const message = [`nothing is left that can be worked on.`, detail.skipped.length > 0 ? `Set aside: ${detail.skipped.map((id) => `#${id}`).join(', ')}.` : '', blocked.length > 0 ? `Blocked: ${blocked.slice(0, 10).join('; ')}.` : ''].filter((part) => part !== '').join(' ');
  const report = ended('escalated', ['features.exhausted'], message);
  await escalate(project, { trigger: 'project.exhausted', facts: { skipped: detail.skipped, blocked: detail.blocked.map((entry) => entry.feature) }, findings: [message], asked: false });
  return report;
}

function ended(outcome: Outcome, reasons: Reason[], message: string): RunReport {
  return { outcome, reasons, exitCode: exitCodeFor(outcome, reasons), session: null, feature: null, commit: null, message };
}

async function waitForReset(project: Project, retryAt: number, signal: AbortSignal): Promise<void> {
  const wait = retryAt - project.platform.clock.now();
  if (wait <= 0) return;
  project.emit({ type: 'session.limit', session: 0, kind: 'usage', level: 'warn', message: 'waiting for the usage limit to end', until: new Date(retryAt).toISOString() });
  await project.platform.clock.sleep(wait, signal);
}
