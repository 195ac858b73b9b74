/**
 * What a report file carries: the views of one run, small enough to send.
 *
 * 1. Nothing of it is secret: keys, tokens and the paths of this machine's user are gone, hidden tests were never in it.
 * 2. It stays under a size that an issue tracker takes: long stories are shortened first, then those of sessions that landed are left out.
 */
import { HARNESS_VERSION } from '../domain/version.ts';
import { usageError } from '../domain/errors.ts';
import { isoNow, type Platform } from '../platform/platform.ts';
import { cutText } from './clean-value.ts';
import type { Reader } from './open-reader.ts';
import { redactor, redactValue } from './redact.ts';
import type { ReportData, SessionView } from './views.ts';

export interface ReportWish {
  session: number | null;
  since: string | null;
  /** Texts that may not leave, beside what looks like a key. */
  secrets: readonly string[];
}

const LARGEST = 2_600_000;

interface Room {
  steps: number;
  body: number;
  patch: number;
  output: number;
}

/** From all that a person may want to what has to be there. */
const ROOMS: readonly Room[] = [
  { steps: 600, body: 2_000, patch: 120_000, output: 4_000 },
  { steps: 200, body: 600, patch: 40_000, output: 1_500 },
  { steps: 60, body: 0, patch: 12_000, output: 500 },
  { steps: 12, body: 0, patch: 3_000, output: 0 },
  { steps: 0, body: 0, patch: 0, output: 0 },
];

export async function reportData(platform: Platform, reader: Reader, { session, since, secrets }: ReportWish): Promise<ReportData> {
  const [now, night, questions, features, money, mission] = await Promise.all([
    reader.now(),
    reader.night(since),
    reader.questions(),
    reader.features(),
    reader.money(since),
    reader.mission(),
  ]);
  const numbers = session === null ? money.sessions.map((row) => row.session) : [session];
  const sessions: SessionView[] = [];
  for (const number of numbers) sessions.push(await reader.session(number));
  const [only] = sessions;
  if (session !== null && only !== undefined && only.record === null && only.started_at === null)
    throw usageError(`There is no session ${session} here.`, 'harness summary lists what ran.');
  const redact = redactor(platform, reader.root, secrets);
  const rest = {
    now: { ...now, sessions: now.sessions.filter((row) => numbers.includes(row.session)) },
    night,
    questions,
    features,
    money,
    mission,
  };
  const data = {
    schema: 'harness-report.v1' as const,
    harness_version: HARNESS_VERSION,
    made_at: isoNow(platform.clock),
    ...redactValue(rest, redact),
  };
  const clean = sessions.map((one) => redactValue(one, redact));
  for (const room of ROOMS) {
    const fitted = Object.fromEntries(clean.map((one) => [String(one.session), fit(one, room, numbers)]));
    const report: ReportData = { ...data, sessions: fitted };
    if (Buffer.byteLength(JSON.stringify(report)) <= LARGEST) return report;
  }
  return { ...data, sessions: {} };
}

function fit(view: SessionView, room: Room, numbers: readonly number[]): SessionView {
  const left_out = Math.max(0, view.story.length - room.steps);
  const half = Math.floor(room.steps / 2);
  const story = left_out === 0 ? view.story : [...view.story.slice(0, half), ...(half === 0 ? [] : view.story.slice(-half))];
  return {
    ...view,
    story: story.map(({ body, ...step }) => (body === undefined || room.body === 0 ? step : { ...step, body: cutText(body, room.body) })),
    left_out: view.left_out + left_out,
    patch: view.patch === null || room.patch === 0 ? null : cutText(view.patch, room.patch),
    runs: view.runs.map((run) => ({ ...run, output: room.output === 0 ? '' : run.output.slice(-room.output) })),
    before: numbers.findLast((one) => one < view.session) ?? null,
    after: numbers.find((one) => one > view.session) ?? null,
    later: view.later.filter(({ session }) => numbers.includes(session)),
  };
}
