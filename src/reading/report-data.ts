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
import type { ReportData, SessionView } from './views.ts';
import { withoutKeys } from '../kernel/notify/notification.ts';

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

/**
 * What leaves this machine is without keys, tokens, and the paths of its user.
 *
 * 1. Keys are known by how their makers write them, by the word before them, or because a variable of this environment holds them.
 * 2. The project's folder becomes `.`, the user's home `~`, other homes too.
 */
type Redact = (text: string) => string;

const SECRET_NAME = /KEY|TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIAL/i;
const SHORTEST_SECRET = 8;

/** `more`: further texts that may not leave, such as the page's own token. */
export function redactor({ env }: Pick<Platform, 'env'>, root: string, more: readonly string[] = []): Redact {
  const secrets = Object.entries(env)
    .flatMap(([name, value]) => (SECRET_NAME.test(name) && value !== undefined ? [value] : []))
    .concat(more)
    .filter((value) => value.length >= SHORTEST_SECRET)
    .toSorted((one, other) => other.length - one.length);
  const places: [string, string][] = [
    [root, '.'],
    ...[env['HARNESS_HOME'], env['HOME']].flatMap((path): [string, string][] =>
      path === undefined || path.length < 2 ? [] : [[path, '~']],
    ),
  ];
  places.sort(([one], [other]) => other.length - one.length);
  return (text) => {
    let left = text;
    for (const secret of secrets) left = left.replaceAll(secret, '[hidden]');
    for (const [path, name] of places) left = left.replaceAll(path, name);
    return withoutKeys(left).replace(/(?<![\w.-])\/(?:home|Users)\/[^/\s"'`:]+/g, '~');
  };
}

export function redactValue<Value>(value: Value, redact: Redact): Value {
  return walk(value, redact) as Value;
}

function walk(value: unknown, redact: Redact): unknown {
  if (typeof value === 'string') return redact(value);
  if (Array.isArray(value)) return value.map((one) => walk(one, redact));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [redact(key), walk(inner, redact)]));
}
