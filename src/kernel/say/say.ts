/**
 * A person says something to a session: kept as a request, whoever holds the project, until the session can hear it.
 *
 * 1. Only text for an agent: it releases no test, changes no setting and answers no question.
 * 2. Where several sessions are under way, the speaker has to name one.
 */
import { join, basename } from 'node:path';
import { loadSettings } from '../../config/user-settings.ts';
import { cleanText } from '../../domain/clean-text.ts';
import { counted } from '../../domain/counted.ts';
import { usageError } from '../../domain/errors.ts';
import type { Flight } from '../../domain/session.ts';
import type { Speaker } from '../../domain/speaker.ts';
import type { Platform } from '../../platform/platform.ts';
import { folderStore } from '../../store/folder-store.ts';
import { openDocuments, type Documents } from '../documents/documents.ts';
import { laneNumber } from '../lanes/air.ts';
import { wordsOf } from './words-for.ts';
import { spoolFile, spoolFiles } from '../../journal/spool.ts';
import { localFolder } from '../local-folder.ts';
import type { Place } from '../place.ts';

export interface Saying {
  text: string;
  /** `2` or `lane-2`. */
  lane?: string | null;
  session?: number | null;
  stopAfter?: boolean;
  by: Speaker;
}

export interface Said {
  /** Of the session; null: the next one, whichever it is. */
  session: number | null;
  feature: number | null;
  lane: string | null;
  stop_after: boolean;
  /** How many words wait now, these included. */
  waiting: number;
}

export const LONGEST_WORDS = 2_000;
export const MOST_WORDS = 20;

type Flying = Pick<Flight, 'session' | 'feature' | 'lane'>;

export async function say(documents: Pick<Documents, 'requests'>, flying: readonly Flying[], saying: Saying): Promise<Said> {
  const text = cleanText(saying.text).trim();
  const stop_after = saying.stopAfter === true;
  if (text === '' && !stop_after) throw usageError('There is nothing to say.', 'fix: harness say "what the agent should know"');
  const { length } = [...text];
  if (length > LONGEST_WORDS)
    throw usageError(
      `The text has ${length} characters; at most ${LONGEST_WORDS} can be said at once.`,
      'fix: put it into a file of the project and name that',
    );
  const to = listenerOf(flying, saying);
  if (stop_after && to.session === null) throw usageError('No session is under way that could be stopped.', 'fix: leave --stop-after out');
  const before = wordsOf(await documents.requests.waiting('say')).length;
  if (before >= MOST_WORDS)
    throw usageError(
      `${counted(before, 'message')} wait already, and ${MOST_WORDS} is the most.`,
      'They are delivered as sessions reach a safe boundary: harness status',
    );
  await documents.requests.ask({ kind: 'say', text, to: { session: to.session, feature: to.feature }, stop_after, by: saying.by });
  return { ...to, stop_after, waiting: before + 1 };
}

function listenerOf(flying: readonly Flying[], { lane = null, session = null }: Saying): Pick<Said, 'session' | 'feature' | 'lane'> {
  const meant = flying.filter((flight) => (session === null || flight.session === session) && (lane === null || isLane(flight, lane)));
  const [one, ...more] = meant;
  if (one !== undefined && more.length === 0) return { session: one.session, feature: one.feature, lane: one.lane };
  if (one === undefined && session === null && lane === null) return { session: null, feature: null, lane: null };
  const named = session !== null ? `session ${session}` : `lane ${lane}`;
  if (one === undefined)
    throw usageError(`There is no ${named} under way.`, flying.length === 0 ? 'Nothing is under way.' : `Under way: ${list(flying)}.`);
  throw usageError(`${counted(meant.length, 'session')} are under way: ${list(meant)}.`, 'fix: name one with --lane L or --session N');
}

function isLane(flight: Flying, lane: string): boolean {
  return flight.lane === lane || (flight.lane !== null && String(laneNumber(flight.lane)) === lane);
}

function list(flying: readonly Flying[]): string {
  return flying
    .map(({ lane, session, feature }) => {
      const what = feature === null ? 'no feature' : `feature #${feature}`;
      return `${lane === null ? '' : `lane ${laneNumber(lane)}, `}session ${session} (${what})`;
    })
    .join('; ');
}

/** The same from outside of the process that holds the place: what the command, the page and the server for hosts call. */
export async function sayTo(platform: Platform, root: string, saying: Saying): Promise<Said> {
  const { config } = await loadSettings(platform, root);
  const documents = openDocuments(platform, folderStore(platform, join(root, config.paths.state_dir)), {
    onNewerState: config.compatibility.on_newer_state,
  });
  return await say(documents, await flyingIn(documents), saying);
}

/** Words that wait, for whoever looks. */
export async function waitingWords({ requests }: Pick<Documents, 'requests'>): Promise<Waiting[]> {
  return wordsOf(await requests.waiting('say')).map(({ asked_at, wish: { text, to, stop_after, by } }) => ({
    ...to,
    text,
    by,
    asked_at,
    stop_after,
  }));
}

export interface Waiting {
  session: number | null;
  feature: number | null;
  text: string;
  by: Speaker;
  asked_at: string;
  stop_after: boolean;
}

/** What a process that died left in its documents is not under way. */
async function flyingIn(documents: Documents): Promise<Flying[]> {
  if ((await documents.holder()) === null) return [];
  const [state, mission] = await Promise.all([documents.read('state', { writer: false }), documents.read('mission', { writer: false })]);
  const flights = state === null ? [] : [...(state.flight === null ? [] : [state.flight]), ...state.beside];
  return [...flights, ...(mission?.flights ?? [])].filter(({ phase }) => phase === 'preparing' || phase === 'working');
}

/** What agents said is kept for the last sessions; what is under way stays, however many began after it. 0: nothing goes. */
export async function pruneSaid(
  { platform, documents, stateDir }: Pick<Place, 'platform' | 'documents' | 'stateDir'>,
  keep: number,
  underWay: readonly number[],
): Promise<void> {
  if (keep === 0) return;
  const spared = new Set(underWay.map(spoolFile));
  const files = await spoolFiles(platform, localFolder({ documents, stateDir }, 'logs'));
  for (const old of files.slice(0, -keep)) if (!spared.has(basename(old))) await platform.files.remove(old);
}
