/** What a call of a tool comes to: the command is started or joined, its progress reported, its end put into words. */
import { EXIT } from '../domain/reasons.ts';
import type { Platform } from '../platform/platform.ts';
import { ask, type Answer, type Program } from './program.ts';
import { shownQuestion, waitingQuestions, type WaitingQuestion } from './questions.ts';
import { followRun, interruptRun, livingRuns, startRun, type Ended, type Run } from './runs.ts';
import type { ToolRow } from './tools.ts';

export interface Desk {
  platform: Platform;
  program: Program;
  /** One event in words; empty: nothing worth a line. */
  describe(event: Record<string, unknown>): string;
  /** Aborted when the host goes away: runs go on. */
  gone: AbortSignal;
}

export interface Outcome {
  ok: boolean;
  /** In one sentence or two. */
  sentence: string;
  value: unknown;
  /** Preferences that the host may ask its user. */
  asks: WaitingQuestion[];
}

export async function look(desk: Desk, row: ToolRow, input: Record<string, unknown>, signal: AbortSignal): Promise<Outcome> {
  const { command, rest } = row.call(input);
  const answer = await ask({ ...desk, signal }, command, rest(''));
  if (row.name === 'harness_gates') return await gatesOutcome(desk);
  // A place without a project is an answer too.
  const ok = answer.value !== null && (failureIn(answer) === null || row.name === 'harness_status');
  return { ok, sentence: sentenceOf(row, answer), value: answer.value, asks: [] };
}

async function gatesOutcome({ platform, program }: Desk): Promise<Outcome> {
  const waiting = await waitingQuestions(platform, program);
  const persons = waiting.filter(({ person }) => person).length;
  const sentence =
    waiting.length === 0
      ? 'No question waits.'
      : `${waiting.length === 1 ? 'One question waits' : `${waiting.length} questions wait`}, ${persons} of them for a person.`;
  return { ok: true, sentence, value: waiting.map(shownQuestion), asks: [] };
}

function failureIn({ value }: Answer): string | null {
  const error = (value as { error?: { message?: unknown; details?: unknown } } | null)?.error;
  if (error === undefined) return null;
  return [error.message, ...(Array.isArray(error.details) ? error.details : [])].map(String).join(' ');
}

function sentenceOf(row: ToolRow, answer: Answer): string {
  const failure = failureIn(answer);
  if (failure !== null) return failure;
  if (answer.value === null) return answer.words === '' ? `harness ended with exit code ${answer.code}.` : answer.words.slice(0, 2_000);
  if (row.name === 'harness_status') return statusSentence(answer.value as Record<string, unknown>);
  if (row.name === 'harness_say') return 'Kept: the agent hears it at its next safe boundary.';
  if (row.name === 'harness_answer') return 'Recorded. Call the tool that asked again, and it goes on.';
  return `${row.title}: exit code ${answer.code}.`;
}

function statusSentence({ current, questions, flow, mission }: Record<string, unknown>): string {
  const waits = Array.isArray(questions) && questions.length > 0 ? ` Waiting for an answer: ${questions.join(', ')}.` : '';
  const step = (flow ?? mission) as { next?: unknown; phase?: unknown } | undefined;
  const other = typeof step?.next === 'string' ? step.next : typeof step?.phase === 'string' ? step.phase : 'see below';
  return `Now: ${typeof current === 'string' ? current : other}.${waits}`;
}

/** Starts the command, or joins the one under way; resolves when it ends. */
export async function carryOut(
  desk: Desk,
  row: ToolRow,
  input: Record<string, unknown>,
  how: { signal: AbortSignal; report(message: string): void },
): Promise<Outcome> {
  const { platform, program } = desk;
  const wanted = JSON.stringify(input);
  const before = await runUnderWay(desk, row, wanted);
  const run = before ?? (await startRun(platform, program, { tool: row.name, input: wanted, files: {}, ...row.call(input) }));
  if (before !== null) how.report(`joined ${row.name}, under way since ${before.at}`);
  const interrupt = (): void => void (desk.gone.aborted ? undefined : interruptRun(platform, run));
  // The library ends every call when the host goes away; that is no interrupt.
  const cancelled = (): void => void setTimeout(interrupt, GONE_MS).unref();
  how.signal.addEventListener('abort', cancelled, { once: true });
  if (how.signal.aborted) cancelled();
  const heart = heartbeat(how.report);
  try {
    const ended = await followRun(platform, run, (event) => heart.tell(desk.describe(event)));
    return await outcomeOf(desk, row, ended, before);
  } finally {
    heart.stop();
    how.signal.removeEventListener('abort', cancelled);
  }
}

/** The end of the input is seen a moment after the calls end. */
const GONE_MS = 100;

async function runUnderWay({ platform, program }: Desk, row: ToolRow, wanted: string): Promise<Run | null> {
  const living = await livingRuns(platform, program.root);
  return living.find(({ tool, input }) => tool === row.name && (row.kind === 'flow' || input === wanted)) ?? null;
}

const BEAT_MS = 10_000;

/** A host that hears nothing gives up. */
function heartbeat(report: (message: string) => void): { tell(message: string): void; stop(): void } {
  const began = Date.now();
  let last = 'started';
  const timer = setInterval(() => report(`${last} (${Math.round((Date.now() - began) / 1_000)} s)`), BEAT_MS);
  return {
    tell: (message) => {
      if (message === '' || message === last) return;
      last = message;
      report(message);
    },
    stop: () => clearInterval(timer),
  };
}

async function outcomeOf(desk: Desk, row: ToolRow, ended: Ended, joined: Run | null): Promise<Outcome> {
  const { events, exitCode, words } = ended;
  const last = events.at(-1) ?? null;
  const with_ = joined === null ? {} : { joined: { tool: joined.tool, since: joined.at, input: JSON.parse(joined.input) as unknown } };
  if (row.kind === 'task') {
    const failure = last === null ? words : failureIn({ code: exitCode, value: last, words });
    const said = [last?.['message'], last?.['escalation_reason']].find((one) => typeof one === 'string');
    const sentence = failure ?? (said === undefined ? `${row.title}: exit code ${exitCode}.` : String(said));
    return {
      ok: last !== null && failureIn({ code: exitCode, value: last, words }) === null,
      sentence,
      value: { ...last, ...with_ },
      asks: [],
    };
  }
  const end = last?.['type'] === 'end' ? last : null;
  const waiting = await waitingQuestions(desk.platform, desk.program);
  const value = {
    ...(end ?? { exit_code: exitCode, words }),
    sessions: events.filter(({ type }) => type === 'session.end').slice(-20),
    warnings: events.flatMap(({ type, message }) => (type === 'warning' ? [message] : [])).slice(-10),
    questions: waiting.map(shownQuestion),
    ...with_,
  };
  return {
    ok: end !== null && GOOD_ENDS.has(exitCode ?? EXIT.defect),
    sentence: [endSentence(end, ended), ...nextSentences(waiting, exitCode)].join(' '),
    value,
    asks: exitCode === EXIT.waiting ? waiting.filter(({ person }) => !person) : [],
  };
}

/** An answer to act on; the others are errors for a model too. */
const GOOD_ENDS: ReadonlySet<number> = new Set([
  EXIT.done,
  EXIT.escalated,
  EXIT.rejected,
  EXIT.budget,
  EXIT.planRejected,
  EXIT.waiting,
  EXIT.partial,
]);

function endSentence(end: Record<string, unknown> | null, { exitCode, words }: Ended): string {
  if (end === null) return words === '' ? 'The run ended without a result; harness_status shows where it stands.' : words;
  const commit = typeof end['commit'] === 'string' ? ` Commit ${end['commit'].slice(0, 12)}.` : '';
  const message = typeof end['message'] === 'string' && end['message'] !== '' ? ` ${end['message']}` : '';
  return `Ended: ${String(end['outcome'])} (exit code ${exitCode}).${message}${commit}`;
}

function nextSentences(waiting: readonly WaitingQuestion[], exitCode: number | null): string[] {
  const persons = waiting.filter(({ person }) => person);
  const others = waiting.filter(({ person }) => !person);
  return [
    ...(persons.length === 0
      ? []
      : [
          `A person has to answer ${persons.map(({ id }) => id).join(', ')} at a terminal: harness answer ${persons[0]?.id ?? ''} <option>. Tell the user, and call this tool again afterwards.`,
        ]),
    ...(others.length === 0
      ? []
      : [`Ask the user about ${others.map(({ id }) => id).join(', ')} and hand the answer over with harness_answer.`]),
    ...(exitCode === EXIT.locked
      ? ['Another harness process works on this project; harness_status names it. Call again when it has ended.']
      : []),
  ];
}
