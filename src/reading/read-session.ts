/** One session as it is shown: its record, its verdict with the evidence, its story and what it changed. */
import type { Verdict } from '../domain/verdict.ts';
import type { Past } from '../flows/project/look/past.ts';
import { differenceOfSession, lookAtSession } from '../flows/project/look/session.ts';
import type { Project } from '../flows/project/project.ts';
import { queryJournal, saidIn, type JournalEntry } from '../journal/query.ts';
import { roleOf, type PastRecord } from '../kernel/books/sums.ts';
import type { Platform } from '../platform/platform.ts';
import { cutText } from './clean-value.ts';
import { storyOf } from './story.ts';
import type { RunView, SessionRow, SessionView } from './views.ts';

export const LONGEST_PATCH = 400_000;

export type Titles = ReadonlyMap<number | string, string>;

export function rowOf(record: PastRecord, titles: Titles): SessionRow {
  return {
    session: record.session_id,
    started_at: record.started_at,
    ended_at: record.ended_at,
    seconds: record.duration_seconds,
    role: roleOf(record),
    feature: record.feature_id,
    title: titles.get(record.feature_id ?? '') ?? null,
    outcome: record.outcome,
    reasons: record.reasons,
    cost_usd: record.cost_usd,
    tokens: record.tokens_used,
    backend: record.backend,
    model: record.model,
    commit: record.commit ?? null,
    message: record.message ?? null,
  };
}

export async function readSession(
  platform: Platform,
  folder: string,
  { number, known, records }: { number: number; known: { project: Project; past: Past } | null; records: readonly PastRecord[] },
): Promise<SessionView> {
  const record = records.find(({ session_id }) => session_id === number) ?? null;
  const [events, said] = await Promise.all([eventsOf(platform, folder, number, records), saidIn(platform, folder, number)]);
  const start = events.find(isStart);
  const isOwn = known?.past.sessions.some(({ session_id }) => session_id === number) === true;
  const look = known === null || !isOwn ? null : await lookAtSession(known.project, known.past, { session: number }).catch(() => null);
  const difference =
    known === null || !isOwn ? null : await differenceOfSession(known.project, known.past, { session: number }).catch(() => null);
  const feature = record?.feature_id ?? (start?.['feature'] as number | string | undefined) ?? null;
  const verdict = look?.verdict ?? null;
  const order = records.map(({ session_id }) => session_id).toSorted((a, b) => a - b);
  const { steps, left_out } = storyOf(events, said);
  return {
    session: number,
    feature,
    title: known?.past.features.find(({ id }) => id === feature)?.description ?? null,
    record: record === null ? null : rowOf(record, new Map()),
    started_at: record?.started_at ?? start?.ts ?? null,
    prompt: record?.prompt ?? String(start?.['prompt'] ?? ''),
    words: look?.words ?? (record?.message === null || record?.message === undefined ? [] : [record.message]),
    verdict: verdict === null ? null : withoutSecrets(verdict),
    failed: look?.failed ?? [],
    question: look?.question ?? null,
    story: steps,
    left_out,
    said_kept: said !== null,
    runs: verdict === null || known === null ? [] : await readRuns(known.project, verdict.id),
    patch: difference === null ? null : cutText(difference.patch, LONGEST_PATCH),
    landed: difference?.landed ?? false,
    before: order.findLast((one) => one < number) ?? null,
    after: order.find((one) => one > number) ?? null,
    later: records
      .filter(({ session_id, feature_id }) => feature !== null && feature_id === feature && session_id > number)
      .map(({ session_id, outcome, cost_usd }) => ({ session: session_id, outcome, cost_usd })),
  };
}

const isStart = ({ type }: JournalEntry): boolean => type === 'session.start';

/**
 * Sessions begin in the order of their numbers: nothing of this one is older than the one that is known before it. What comes after its end
 * is its commit, when a person accepted the work later.
 */
async function eventsOf(platform: Platform, folder: string, number: number, records: readonly PastRecord[]): Promise<JournalEntry[]> {
  const known = records.filter(({ session_id }) => session_id <= number).toSorted((one, other) => other.session_id - one.session_id)[0];
  const query = `session=${number}`;
  if (known === undefined) return await queryJournal(platform, folder, query);
  const { started_at: from, ended_at } = known;
  const to = known.session_id === number ? new Date(Date.parse(ended_at) + SETTLED_MS).toISOString() : undefined;
  const found = await queryJournal(platform, folder, query, to === undefined ? { from } : { from, to });
  // A clock that was set back hides it from the search.
  if (!found.some(isStart)) return await queryJournal(platform, folder, query);
  const late = to === undefined ? [] : await queryJournal(platform, folder, `type=commit.created ${query}`, { from: to });
  const seen = new Set(found.map(({ seq }) => seq));
  return [...found, ...late.filter(({ seq }) => !seen.has(seq))];
}

const SETTLED_MS = 60_000;

/** What the examiner asked belongs to the page of hidden tests. */
function withoutSecrets({ examined: _examined, passing_tests: _passing, ...verdict }: Verdict): SessionView['verdict'] {
  return verdict;
}

const LONGEST_OUTPUT = 8_000;

async function readRuns({ shelf }: Project, verdict: string): Promise<RunView[]> {
  const text = await shelf.read(`verdicts/${verdict}/runs.json`).catch(() => null);
  const runs = parseRuns(text);
  return runs.map((run) => {
    const count = (...states: string[]): number => (run.tests ?? []).filter(({ status }) => states.includes(status)).length;
    return {
      name: run.name ?? '',
      command: [run.command ?? []].flat().join(' '),
      files: run.files ?? [],
      exit_code: run.exit_code ?? null,
      timed_out: run.timed_out ?? false,
      duration_ms: run.duration_ms ?? 0,
      passed: count('passed'),
      failed: count('failed', 'error'),
      other: count('skipped', 'todo', 'xfail', 'retried'),
      output: (run.output_tail ?? '').slice(-LONGEST_OUTPUT),
    };
  });
}

interface WrittenRun {
  name?: string;
  command?: string[];
  files?: string[];
  exit_code?: number | null;
  timed_out?: boolean;
  duration_ms?: number;
  tests?: { status: string }[];
  output_tail?: string;
}

function parseRuns(text: string | null): WrittenRun[] {
  try {
    const value: unknown = text === null ? [] : JSON.parse(text);
    return Array.isArray(value) ? (value as WrittenRun[]) : [];
  } catch {
    return [];
  }
}
