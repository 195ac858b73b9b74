/**
 * One drive of one project on this machine: open the place, drive until it rests, tell how it rested.
 *
 * 1. The lock of the clone's own folder is held as well, so that a person's command in it and the fleet do not meet.
 * 2. What the state names is at home, and what the journal says is shipped, before the state is written.
 * 3. A drive that is no longer ours rests as an interrupt does and reports nothing: the next owner goes on from the last state.
 * 4. What this machine cannot do is sent again: later where something is in the way, to another machine where it lacks something.
 */
import { join } from 'node:path';
import type { Emit } from '../domain/event.ts';
import { HarnessError } from '../domain/errors.ts';
import { EXIT } from '../domain/reasons.ts';
import { Lost } from '../domain/lost.ts';
import { STATE_SCHEMA_VERSION } from '../domain/session.ts';
import { missionStatus } from '../flows/mission/people/status.ts';
import { runMission } from '../flows/mission/run.ts';
import { projectStatus } from '../flows/project/look/status.ts';
import type { RunReport } from '../flows/project/machine/run-report.ts';
import { asWriter } from '../flows/project/open.ts';
import { openProject, type Project } from '../flows/project/project.ts';
import { run } from '../flows/project/run.ts';
import { step } from '../flows/project/state-files.ts';
import { createAsker } from '../gates/asker.ts';
import { STATE_FILE } from '../kernel/documents/catalogue.ts';
import { openRequests } from '../kernel/documents/requests.ts';
import { harnessHome } from '../platform/harness-home.ts';
import type { Platform } from '../platform/platform.ts';
import { findStateDir } from '../reading/state-dir.ts';
import { folderStore } from '../store/folder-store.ts';
import { pgStore, type Pool } from '../store/pg-store.ts';
import type { DocumentStore } from '../store/shelf.ts';
import { openClone } from '../workspace/project-clone.ts';
import { openPublishedHome, type PublishedHome } from '../workspace/published-home.ts';
import { keepLimit, limitedUntil } from './accounts.ts';
import type { Claim, DriveEnd, DriveOrder } from './engine.ts';
import type { Member } from './member.ts';
import { keepDriver, keepRest, type Rest } from './projects.ts';
import { mayBeGivenBack, openShare } from './purse.ts';
import { checkName, checkRemote } from './remotes.ts';
import { openSegments } from './segments.ts';

export interface DriveGround {
  platform: Platform;
  pool: Pool;
  member: Member;
  /** Aborted when this worker is to end. */
  signal: AbortSignal;
  emit(project: string): Emit;
}

const COMMAND = 'harness fleet worker';
const LATER_MS = 10_000;

/** Whatever happens, an order that is still ours ends with an answer: how it rested, or when it is to be tried again. */
export async function driveOrder(ground: DriveGround, order: DriveOrder, claim: Claim): Promise<DriveEnd> {
  const { platform, pool, member, signal } = ground;
  const { project } = order;
  await keepDriver(pool, project, member.id);
  try {
    const needs = await missingHere(pgStore(pool, project, member), order);
    if (needs !== null) return { ...NOTHING, message: `a newer harness is needed: ${needs.join(', ')}`, again: { needs } };
    const limit = await limitedUntil(pool, order.account);
    if (limit !== null) return { ...NOTHING, message: `account ${order.account} is at its usage limit`, again: { notBefore: limit } };
    const watch = watchLimit(ground.emit(project));
    const rest = await driveHere({ ...ground, signal: AbortSignal.any([signal, watch.signal]), emit: () => watch.emit }, order, claim);
    if (member.lost.aborted) throw member.lost.reason;
    const until = watch.until();
    if (until !== null) await keepLimit(pool, order.account, until);
    const isAgain = rest.reasons.includes('budget.purse') && (await mayBeGivenBack(pool, project));
    await keepRest(pool, project, member.id, rest);
    const { exit_code: exitCode, outcome, reasons, message } = rest;
    if (until !== null) return { exitCode, outcome, reasons, message, again: { notBefore: until } };
    if (isAgain) return { exitCode, outcome, reasons, message, again: { notBefore: platform.clock.now() + LATER_MS } };
    return { exitCode, outcome, reasons, message, ...(exitCode === EXIT.interrupted && signal.aborted ? { again: {} } : {}) };
  } catch (error) {
    if (member.lost.aborted || (error instanceof Lost && !(await claim.owns()))) throw error;
    const end = failed(error, platform.clock.now());
    const { exitCode: exit_code, outcome, reasons, message } = end;
    await keepRest(pool, project, member.id, { exit_code, outcome, reasons: [...reasons], message });
    return end;
  }
}

const NOTHING = { exitCode: EXIT.partial, outcome: 'partial', reasons: [] };

/** A run that waits for its allowance would keep a slot: it rests, and is sent again when the limit ends. */
function watchLimit(emit: Emit): { emit: Emit; signal: AbortSignal; until(): number | null } {
  const limited = new AbortController();
  let until: number | null = null;
  return {
    emit: (event) => {
      emit(event);
      // Session 0: the wait is between two sessions, and nothing is under way.
      if (event.type !== 'session.limit' || event.kind !== 'usage' || event.session !== 0 || typeof event.until !== 'string') return;
      until = Date.parse(event.until);
      limited.abort();
    },
    signal: limited.signal,
    until: () => until,
  };
}

/** A state of a newer version goes to a machine that knows it. */
async function missingHere(store: DocumentStore, { needs }: DriveOrder): Promise<string[] | null> {
  const text = await store.read(STATE_FILE);
  const version = /"schema_version"\s*:\s*(\d+)/.exec(text ?? '')?.[1];
  if (version === undefined || Number(version) <= STATE_SCHEMA_VERSION) return null;
  return [...needs.filter((need) => !need.startsWith('state-')), `state-${version}`];
}

function failed(error: unknown, now: number): DriveEnd {
  const message =
    error instanceof Error ? [error.message, ...(error instanceof HarnessError ? error.details : [])].join(' ') : String(error);
  const exitCode = error instanceof HarnessError ? error.exitCode : EXIT.defect;
  const isInTheWay = error instanceof Lost || (error instanceof HarnessError && error.next === 'retry_at');
  return { exitCode, outcome: 'error', reasons: [], message, ...(isInTheWay ? { again: { notBefore: now + LATER_MS } } : {}) };
}

export function cloneFolder(platform: Platform, project: string): string {
  return join(harnessHome(platform), 'fleet', checkName(project));
}

async function driveHere(ground: DriveGround, order: DriveOrder, claim: Claim): Promise<Rest> {
  const { platform, pool, member, emit } = ground;
  const { project, branch } = order;
  const [remote, root] = [checkRemote(order.remote), cloneFolder(platform, project)];
  const store = pgStore(pool, project, member);
  await openClone(platform, { folder: root, remote });
  const stateDir = join(root, await findStateDir(platform, root));
  return await folderStore(platform, stateDir).hold(COMMAND, async () => {
    const home = await openPublishedHome(platform, { folder: root, remote, project, branch, member, claim });
    const { exitCode, outcome, reasons, message } = await driveAt(ground, order, { root, stateDir, store, home });
    const opened = await openProject(platform, root, { emit: emit(project), journal: false, store, shelf: store });
    return { exit_code: exitCode, outcome, reasons: [...reasons], message, ...(await standing(opened, order)) };
  });
}

async function standing(opened: Project, { flow }: DriveOrder): Promise<Pick<Rest, 'waits' | 'features_total' | 'features_verified'>> {
  const mission = flow === 'mission' ? await opened.documents.read('mission', { writer: false }) : null;
  if (mission === null) {
    const { questions, features } = await projectStatus(opened);
    return { waits: questions, features_total: features.total, features_verified: features.passing };
  }
  const { questions, features } = await missionStatus(opened, mission);
  const passed = features.filter(({ status }) => status === 'passed');
  return { waits: questions, features_total: features.length, features_verified: passed.length };
}

interface Opened {
  root: string;
  stateDir: string;
  store: DocumentStore;
  home: PublishedHome;
}

type Ended = Pick<RunReport, 'exitCode' | 'outcome' | 'reasons' | 'message'>;

async function driveAt(ground: DriveGround, { project, wish }: DriveOrder, { root, stateDir, store, home }: Opened): Promise<Ended> {
  const { platform, pool, member, signal } = ground;
  const segments = await openSegments(platform, { pool, project, folder: join(stateDir, 'logs'), member: member.id });
  const published: PublishedHome = {
    ...home,
    publish: async () => {
      await segments.ship();
      await home.publish();
    },
  };
  const emit = ground.emit(project);
  const stopping = AbortSignal.any([signal, member.lost]);
  // A question is left with the project's documents, and answered from another process.
  const gates = store.in('gates');
  const asker = createAsker({ platform, gates, interactive: false, answers: {}, yes: false, approve: [], emit, signal: stopping });
  const share = openShare(pool, project);
  const hold = {
    emit,
    asker,
    store,
    shelf: store,
    home: published,
    books: share.books,
    signal: stopping,
    command: COMMAND,
  };
  const { mission } = wish;
  if (mission !== undefined) {
    if (wish.resumes === true) await openRequests(platform, store.in('requests')).drop('pause');
    const options = { ...hold, mission: { ...mission, lanes: wish.lanes, maxIterations: null } };
    const report = await runMission(platform, root, options);
    await share.rest();
    await published.publish();
    return report;
  }
  const sessions = wish.sessions ?? Number.POSITIVE_INFINITY;
  return await asWriter(platform, root, hold, async (opened, found) => {
    if (wish.resumes === true) await opened.documents.requests.drop('pause');
    const state = wish.resumes === true && found.paused ? (await step(opened, found, { type: 'resumed' })).state : found;
    const lanes = sessions > 1 ? (wish.lanes ?? opened.config.lanes.max) : 1;
    const report = await run(opened, state, { sessions, lanes, cleanup: false, noCache: false });
    await opened.journal?.flush();
    await share.rest();
    await published.publish();
    return report;
  });
}
