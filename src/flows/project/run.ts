/**
 * `harness run`: sessions one after the other, until one of them ends the run.
 *
 * 1. One process at a time: the lock is held for the whole run.
 * 2. What an earlier process left half done is settled first.
 * 3. In a repeated run, codes 0, 4 and 10 go on to the next session; every other code ends it.
 * 4. An outage of the provider or of the agent's program is sat out: features that have not met it come first, none is blamed (`outage.ts`).
 * 5. More than one session is unattended: verification has to hold in the project's own test set-up first.
 */
import { EXIT } from '../../domain/reasons.ts';
import type { ProjectState } from '../../domain/session.ts';
import { removeEscalation } from '../../gates/escalation.ts';
import { lastRoleSession } from '../../kernel/books/session-number.ts';
import type { Asker } from './asker.ts';
import { finishProject } from './complete.ts';
import { askAgain, cycleEscalation, escalatedAs, keepEscalation, raise } from './escalate.ts';
import { carryOut, type Escalated, type Followed } from './carry-out.ts';
import { takePauseRequest } from './pause.ts';
import { decidePending, questionFor, type Decided } from './pending.ts';
import { planSession, type SessionPlan } from './plan-session.ts';
import { InvalidListError, type LoadedList, type Project } from './project.ts';
import { sitOut, type Outage } from './outage.ts';
import { closeConditions } from './questions.ts';
import { decidedReport, ended, endedBy, reportOf, type RunReport } from './run-report.ts';
import { runSession } from './run-session.ts';
import { questionAfter } from './session-question.ts';
import { readTrusted, type Head } from './trusted.ts';
import { guardUnattended } from './unattended.ts';
import { waitForAllowance } from './wait-for-allowance.ts';

export interface RunOptions {
  /** Infinity for `--until-done`. */
  sessions: number;
  noCache: boolean;
  cleanup: boolean;
  asker: Asker;
  signal: AbortSignal;
  /** The test set-up is the harness's own, so that there is nothing to find out about it. */
  knownSound?: true;
}

/** The caller holds the lock and has settled what was left: see `hold.ts`. */
export async function run(project: Project, before: ProjectState, options: RunOptions): Promise<RunReport> {
  let state = before;
  let report: RunReport | null = null;
  let outage: Outage | null = null;
  let guarded = options.sessions === 1 || options.knownSound === true;
  for (let done = 0; done < options.sessions;) {
    const next = await advance(project, state, options, { report, guarded, later: outage?.features ?? [] });
    guarded = true;
    if (next.kind === 'end') return next.report;
    state = next.state;
    if (next.kind === 'again') continue;
    report = next.report;
    if (next.again === true) continue;
    done++;
    const goesOn = report.exitCode === EXIT.done || report.exitCode === EXIT.rejected || report.exitCode === EXIT.partial;
    if (!goesOn || done === options.sessions) return report;
    const lasted: Outage | null = outage;
    outage = next.outage ? await sitOut(project, lasted, report, options.signal) : null;
    if (next.outage && outage === null) return report;
    if (report.reasons.includes('usage_limit')) await waitForAllowance(project, next.retryAt, options.signal);
    if (options.signal.aborted) return { ...report, reasons: ['interrupted'], exitCode: EXIT.interrupted };
  }
  return report ?? ended('complete', [], 'nothing to do');
}

type Advance =
  /** `again`: a person asked for another session at once; it does not count against the number asked for. */
  | { kind: 'session'; report: RunReport; state: ProjectState; retryAt: number | null; outage: boolean; again?: boolean }
  /** Something was settled without a session. */
  | { kind: 'again'; state: ProjectState }
  | { kind: 'end'; report: RunReport };

async function advance(
  project: Project,
  before: ProjectState,
  options: RunOptions,
  so: { report: RunReport | null; guarded: boolean; later: readonly number[] },
): Promise<Advance> {
  const state = (await takePauseRequest(project, before)) ?? before;
  const trusted = await readList(project, state, options);
  if ('kind' in trusted) return trusted;
  const { loaded, head } = trusted;
  await closeConditions(project, ['project.cycle']);
  const plan = planSession(state, loaded.list, {
    cleanup: options.cleanup,
    after: await lastRoleSession(project, { writer: true }),
    later: so.later,
  });
  const refused = plan.kind === 'session' && !so.guarded ? await guardUnattended(project, { loaded, tree: head.tree }, options) : null;
  if (refused !== null) return { kind: 'end', report: ended(refused.outcome, refused.reasons, refused.message) };
  switch (plan.kind) {
    case 'session':
      return await oneSession(project, state, plan, loaded, head, options);
    case 'complete':
      return await complete(project, state, loaded, head, options, so.report);
    case 'exhausted':
      return await oneExhaustion(project, state, plan.detail, options);
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

/** The trusted list; a circle in it is a question first, and an error where nobody answers. */
async function readList(project: Project, state: ProjectState, options: RunOptions): Promise<{ loaded: LoadedList; head: Head } | Advance> {
  try {
    return await readTrusted(project, state, { present: true });
  } catch (error) {
    const escalated = error instanceof InvalidListError ? cycleEscalation(error.cycles) : null;
    if (escalated === null) throw error;
    const followed = await follow(
      project,
      state,
      escalated,
      await raise(project, escalated, (error as InvalidListError).details, options.asker, 'if_expected'),
      options,
    );
    if (followed?.kind === 'go_on') return { kind: 'again', state: followed.state };
    if (followed?.kind === 'aborted') return { kind: 'end', report: ended('escalated', ['features.invalid'], followed.message) };
    throw error;
  }
}

async function oneSession(
  project: Project,
  state: ProjectState,
  plan: Extract<SessionPlan, { kind: 'session' }>,
  loaded: LoadedList,
  head: Head,
  options: RunOptions,
): Promise<Advance> {
  const report = await runSession(project, plan, state, loaded, head, { signal: options.signal, noCache: options.noCache });
  if (report.session !== null) await closeConditions(project);
  const next = (await takePauseRequest(project, report.state)) ?? report.state;
  if (report.outcome === 'needs_human' && next.pending !== null) {
    const decided = await askAbout(project, next, next.pending, loaded, options);
    if (decided !== null)
      return { kind: 'session', report: decidedReport(report, decided), state: decided.state, retryAt: null, outage: false };
  }
  const question = options.signal.aborted ? null : await questionAfter(project, report, next, loaded, head);
  const { retryAt, outage } = report;
  if (question === null) return { kind: 'session', report: reportOf(report), state: next, retryAt, outage };
  // A repeated run is the retry itself: nobody has to sit there for it.
  const when = options.sessions > 1 && question.when === 'if_expected' && report.outcome === 'rejected' ? 'if_answered' : question.when;
  const answer = await raise(project, question.escalated, question.findings, options.asker, when);
  const followed = await follow(project, next, question.escalated, answer, options, question.candidate);
  if (followed === null) return { kind: 'session', report: reportOf(report), state: next, retryAt, outage };
  if (followed.kind === 'go_on')
    return report.session === null
      ? { kind: 'again', state: followed.state }
      : { kind: 'session', report: reportOf(report), state: followed.state, retryAt: null, outage: false, again: true };
  const end = { ...reportOf(report), ...endedBy(followed, reportOf(report)) };
  return followed.kind === 'leave'
    ? { kind: 'session', report: end, state: followed.state, retryAt: null, outage: false }
    : { kind: 'end', report: end };
}

/** What the answer leads to; null while there is none. */
async function follow(
  project: Project,
  state: ProjectState,
  escalated: Escalated,
  answer: Awaited<ReturnType<typeof askAgain>>,
  options: RunOptions,
  candidate: ProjectState['pending'] = null,
): Promise<Followed | null> {
  if (answer === 'pending') return null;
  const followed = await carryOut(project, state, escalated, answer, {
    asker: options.asker,
    signal: options.signal,
    noCache: options.noCache,
    candidate,
  });
  if (followed.kind !== 'waiting') await removeEscalation(project.platform, project.stateDir, [escalated.gate]);
  return followed;
}

async function onePending(
  project: Project,
  state: ProjectState,
  pending: NonNullable<ProjectState['pending']>,
  loaded: LoadedList,
  options: RunOptions,
): Promise<Advance> {
  const decided = await askAbout(project, state, pending, loaded, options);
  if (decided === null) {
    const report = ended(
      'needs_human',
      ['gate.pending'],
      `a candidate waits for a person: harness gates, then harness answer ${pending.gate} OPTION`,
    );
    return { kind: 'end', report: { ...report, session: pending.session, feature: pending.feature } };
  }
  return { kind: 'again', state: decided.state };
}

/** What a person decided about a candidate; null while nobody has. */
async function askAbout(
  project: Project,
  state: ProjectState,
  pending: NonNullable<ProjectState['pending']>,
  loaded: LoadedList,
  options: RunOptions,
): Promise<Decided | null> {
  const answer = await options.asker.ask(await questionFor(project, pending, loaded));
  if (answer === 'pending') return null;
  const decided = await decidePending(project, state, pending, loaded, answer);
  if (decided.kind === 'stale')
    project.emit({ type: 'warning', message: `the accepted candidate cannot land any more: ${decided.message}` });
  return decided;
}

async function oneEscalation(project: Project, state: ProjectState, escalated: Escalated, options: RunOptions): Promise<Advance> {
  const followed = await follow(project, state, escalated, await askAgain(escalated, options.asker), options);
  if (followed?.kind === 'go_on') return { kind: 'again', state: followed.state };
  if (followed === null || followed.kind === 'waiting') await keepEscalation(project, escalated);
  const waits = `${escalated.message} Decide with: harness answer ${escalated.gate} OPTION`;
  const report = escalated.gate === 'project.large-feature' ? ended('needs_human', ['gate.pending'], waits) : ended('escalated', [], waits);
  if (followed === null) return { kind: 'end', report: { ...report, feature: escalated.feature } };
  const by =
    followed.kind === 'stop'
      ? ended('partial', ['user_pause'], followed.message)
      : { ...report, ...endedBy(followed, ended('escalated', [], '')) };
  return { kind: 'end', report: { ...by, feature: escalated.feature } };
}

async function oneExhaustion(
  project: Project,
  state: ProjectState,
  detail: Extract<SessionPlan, { kind: 'exhausted' }>['detail'],
  options: RunOptions,
): Promise<Advance> {
  const blocked = detail.blocked.map((entry) => `#${entry.feature} waits for ${entry.waits_for.map((id) => `#${id}`).join(', ')}`);
  const message = [
    'nothing is left that can be worked on.',
    detail.skipped.length > 0 ? `Set aside: ${detail.skipped.map((id) => `#${id}`).join(', ')}.` : '',
    blocked.length > 0 ? `Blocked: ${blocked.slice(0, 10).join('; ')}.` : '',
  ]
    .filter((part) => part !== '')
    .join(' ');
  const report = ended('escalated', ['features.exhausted'], message);
  const escalated = escalatedAs(
    'project.exhausted',
    { skipped: detail.skipped, blocked: detail.blocked.map((entry) => entry.feature) },
    message,
  );
  const followed = await follow(project, state, escalated, await raise(project, escalated, [], options.asker), options);
  return followed === null || followed.kind === 'go_on'
    ? { kind: 'end', report }
    : { kind: 'end', report: { ...report, ...endedBy(followed, report) } };
}

async function complete(
  project: Project,
  state: ProjectState,
  loaded: LoadedList,
  head: Head,
  options: RunOptions,
  last: RunReport | null,
): Promise<Advance> {
  const final = await finishProject(project, state, loaded, head, options);
  if (final.outcome === 'complete') await closeConditions(project);
  const report: RunReport = { ...final, session: last?.session ?? null, feature: null, commit: last?.commit ?? null };
  const followed =
    final.question === null ? null : await follow(project, final.question.state, final.question.escalated, final.question.answer, options);
  if (followed === null) return { kind: 'end', report };
  return followed.kind === 'go_on'
    ? { kind: 'again', state: followed.state }
    : { kind: 'end', report: { ...report, ...endedBy(followed, report) } };
}
