/**
 * `github.follow`: what checks and reviewers say of its pull requests becomes repair sessions.
 *
 * 1. A repair is a session like any other: its work is judged, lands on the branch here and is pushed without force. What reviewers wrote is
 *    data in its prompt; the reply is a fixed sentence with the verdict, never words of the agent.
 * 2. So many sessions for each pull request, within the budget and the hours. One that a person merged or closed is settled.
 * 3. Where the branch over there has commits that are not here, they are left alone and nothing is begun.
 */
import { EXIT } from '../../domain/reasons.ts';
import {
  changeFollowed,
  hubTrouble,
  isHere,
  lookAtPull,
  openFollowing,
  openOnes,
  replyTo,
  type Following,
  type OwnPull,
  type Wish,
} from '../../kernel/follow-pulls.ts';
import { headOf } from '../../kernel/ground/head.ts';
import { driveProject } from './flow.ts';
import { waitingEntries } from './machine/parked.ts';
import { ended, type RunReport } from './machine/run-report.ts';
import { beginRun } from './machine/running.ts';
import type { Project } from './project.ts';
import { readState, step } from './state-files.ts';

type Turn = 'settled' | 'quiet' | 'pending' | 'again' | { ends: RunReport };

/** `quiet`: ends once nothing is wanted and no check runs; `settled`: once a person has merged or closed each of them. */
export async function followPulls(project: Project, until: 'quiet' | 'settled'): Promise<RunReport> {
  const branch = (await headOf(project))?.branch ?? null;
  const following = branch === null ? { none: 'no branch is checked out' } : await openFollowing(project, branch);
  if ('none' in following) {
    project.emit({ type: 'warning', message: `pull requests are not followed: ${following.none}` });
    return ended('complete', [], '');
  }
  const warned = new Set<string>();
  while (!project.signal.aborted) {
    const turn = await turnOf(project, following, warned);
    if (typeof turn === 'object') return turn.ends;
    if (turn === 'settled' || (turn === 'quiet' && until === 'quiet')) return ended('complete', [], wordsFor(turn));
    if (turn !== 'again') await project.platform.clock.sleep(following.pauseMs, project.signal).catch(() => undefined);
  }
  const asked = await project.documents.requests.has('stop');
  return asked
    ? ended('complete', [], 'the pull requests are no longer followed')
    : ended('partial', ['interrupted'], 'following was interrupted');
}

function wordsFor(turn: 'settled' | 'quiet'): string {
  return turn === 'settled' ? 'no pull request of the harness is open' : 'nothing more is wanted of the pull requests for now';
}

async function turnOf(project: Project, following: Following, warned: Set<string>): Promise<Turn> {
  try {
    return await look(project, following, warned);
  } catch (error) {
    const trouble = hubTrouble(error);
    if (trouble === null) throw error;
    const { message, passes } = trouble;
    if (!warned.has(message)) project.emit({ type: 'warning', message: `the pull requests cannot be looked at: ${message}` });
    warned.add(message);
    return passes ? 'pending' : { ends: ended('partial', [], message) };
  }
}

async function look(project: Project, following: Following, warned: Set<string>): Promise<Turn> {
  const open = await openOnes(project, following);
  if (open.length === 0) return 'settled';
  for (const pull of open) if (pull.owes !== null) await reply(project, following, pull, pull.owes.session);
  let isPending = false;
  for (const pull of open) {
    if (pull.attempts >= project.config.github.follow_attempts) continue;
    const standing = await lookAtPull(following, pull);
    isPending ||= standing.kind === 'pending';
    if (standing.kind === 'wishes' && (await canWork(project, following, pull, warned)))
      return await attempt(project, following, pull, standing.wishes);
  }
  return isPending ? 'pending' : 'quiet';
}

async function canWork(project: Project, { branch }: Following, { number, commit }: OwnPull, warned: Set<string>): Promise<boolean> {
  const state = await readState(project, { writer: true });
  const obstacle = !(await isHere(project, commit, branch))
    ? 'its branch has commits that are not here, and they are left alone'
    : waitingEntries(state).length > 0 || state.paused || state.handoff !== null
      ? 'a person has to decide something here first (harness status)'
      : null;
  if (obstacle === null) return true;
  const message = `pull request #${number} waits: ${obstacle}`;
  if (!warned.has(message)) project.emit({ type: 'warning', message });
  warned.add(message);
  return false;
}

async function attempt(project: Project, following: Following, pull: OwnPull, wishes: readonly Wish[]): Promise<Turn> {
  const before = await readState(project, { writer: true });
  const ids = wishes.map(({ id }) => id);
  const owes = { key: `${pull.number}-${pull.attempts + 1}`, session: before.last_session };
  const taken: OwnPull = { ...pull, attempts: pull.attempts + 1, handled: [...pull.handled, ...ids], owes };
  await changeFollowed(project, following.repository, taken);
  const most = project.config.github.follow_attempts;
  project.emit({ type: 'progress', message: `pull request #${pull.number}: repair session ${taken.attempts} of ${most}` });
  const cleared = (await step(project, before, { type: 'repairing', detail: null })).state;
  const { state } = await step(project, cleared, { type: 'repairing', detail: wishes.map(({ text }) => text).join('\n\n') });
  const run = beginRun({ wanted: 1, cleanup: false, knownSound: true });
  const { state: after, rest } = await driveProject(project, { project: state, run });
  if (after.project.repair !== null) await step(project, after.project, { type: 'repairing', detail: null });
  await reply(project, following, taken, owes.session);
  return ENDING.has(rest.exitCode) ? { ends: rest } : 'again';
}

/** What ends more than this session. */
const ENDING: ReadonlySet<number> = new Set([EXIT.interrupted, EXIT.budget, EXIT.preflight, EXIT.defect]);

/** `session`: the last one before the repair. */
async function reply(project: Project, following: Following, pull: OwnPull, session: number): Promise<void> {
  await project.journal?.flush();
  const record = (await project.history.all()).findLast(({ session_id }) => session_id > session);
  const { commit = null, verdict = null, outcome = null } = record ?? {};
  const isLast = pull.attempts >= project.config.github.follow_attempts;
  const text = [
    commit !== null
      ? `A repair session took this up. Its work was verified and committed as ${commit}.`
      : outcome === 'rejected' || outcome === 'needs_human'
        ? 'A repair session took this up. Its work was not accepted.'
        : 'A repair session took this up and brought no work that could be judged.',
    ...(verdict === null ? [] : [`Verdict: ${verdict} (harness verify --verdict ${verdict})`]),
    ...(isLast ? ['The harness starts no further session for this pull request.'] : []),
  ].join('\n');
  await replyTo(project, following, pull, text);
}
