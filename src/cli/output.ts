/**
 * Events and answers in, text or NDJSON out.
 *
 * 1. Under `--json` stdout carries JSON and nothing else; what a person reads goes to stderr.
 * 2. Without it a command's text goes to stdout, problems go to stderr.
 * 3. `--quiet` leaves results, warnings and problems.
 * 4. What a repository, an agent or a test named reaches no terminal before it is cleaned: everything for a person passes `cleanScreen`.
 * 5. The `end` event is printed once, whoever emits it first; a person is not told again what was said before, by the harness or by its agent.
 */
import type { EventType, HarnessEvent, StampedEvent } from '../domain/event.ts';
import { isoNow, type Clock } from '../platform/platform.ts';
import type { CommandResult, CommandRow, Output } from './command.ts';
import type { Failure } from './exit.ts';
import { createLiveView, MOST_LINES, plainView } from './live-view.ts';
import { cleanScreen, createPaint } from './paint.ts';
import { renderText } from './render-text.ts';
import type { Sink, Terminal } from './terminal.ts';
import { wrap } from './wrap.ts';
import { cleanText } from '../domain/clean-text.ts';

export interface OutputSettings {
  json: boolean;
  quiet: boolean;
  colour: boolean;
  form: CommandRow['output'];
  /** Whether the terminal can take back what stands on it. */
  redraws: boolean;
  /** What is not for a terminal is data, a patch for example, and stays as it is. */
  exact?: boolean;
  /** A flow that tells its steps itself, in the user's language. */
  speaks?: boolean;
  /** A prompt shows the question itself. */
  interactive: boolean;
}

export interface CommandOutput extends Output {
  finish(result: CommandResult): void;
  fail(failure: Failure): void;
}

export function createOutput(clock: Clock, terminal: Terminal, settings: OutputSettings): CommandOutput {
  const { json, quiet } = settings;
  const human = json ? terminal.stderr : terminal.stdout;
  const paint = createPaint(settings.colour && human.isTTY);
  const problemPaint = createPaint(settings.colour && terminal.stderr.isTTY);
  const isLive = settings.form === 'stream' && settings.redraws && !quiet && human.isTTY && terminal.stderr.isTTY;
  const live = isLive ? createLiveView(clock, terminal.stderr) : plainView();
  const width = (): number | undefined => columnsOf(human);
  const told = new Set<string>();
  const seen = seenLines();
  let ended = false;
  let closed = false;
  let inFlow = settings.speaks === true;
  let label = '';
  let held: Extract<HarnessEvent, { type: 'escalation' }> | null = null;

  /** After a failure was reported, work that was cut off may still speak. */
  const print = (sink: Sink, text: string): void => (closed ? undefined : live.print(sink, text));
  const show = (sink: Sink, text: string): void => print(sink, settings.exact === true && !sink.isTTY ? text : cleanScreen(text));
  const say = (text: string): void => show(human, `${text}\n`);

  const emit = (event: HarnessEvent): void => {
    if (event.type === 'end') {
      if (ended) return;
      ended = true;
      live.close();
    }
    live.see(event);
    if (json && settings.form === 'stream') print(terminal.stdout, renderJson({ ...event, ts: isoNow(clock) }));
    inFlow ||= event.type === 'flow.phase' || event.type === 'flow.step';
    if (event.type === 'flow.phase' && event.label === label) return;
    if (event.type === 'flow.phase') label = event.label;
    if (inFlow && TOLD_BY_FLOWS.has(event.type)) return;
    if (json && !human.isTTY && OF_THE_AGENT.has(event.type)) return;
    if (json && quiet) return;
    if (settings.interactive && event.type === 'escalation') return void (held = event);
    if (settings.interactive && event.type === 'gate.asked' && event.left !== true) return void (held = null);
    release();
    if (event.type === 'end' && event.message !== undefined && told.has(event.message)) return;
    if (OF_THE_AGENT.has(event.type)) return stream(event);
    const words = event.type === 'progress' ? seen.without(event.message) : '';
    if (words === null) return;
    const lines = renderText(event.type === 'progress' ? { ...event, message: words } : event, paint, { quiet, width: width() });
    if ((event.type === 'session.end' || event.type === 'progress') && event.message !== undefined && lines.length > 0)
      told.add(event.message);
    if (lines.length > 0) say(lines.join('\n'));
  };
  /** Told in words only where no prompt came to ask the same. */
  const release = (): void => {
    if (held !== null) say(renderText(held, paint, { quiet, width: width() }).join('\n'));
    held = null;
  };
  const stream = (event: HarnessEvent): void => {
    const { part, unseen } = isLive && event.type === 'agent.text' ? lastLines(event) : { part: event, unseen: 0 };
    const lines = renderText(part, paint, { quiet, width: width() });
    if (part.type === 'agent.text' && lines.length > 0) seen.see(part.text);
    live.stream(human, lines.map(cleanScreen), unseen);
  };

  const answer = (value: unknown, text: string): void => {
    if (json) print(terminal.stdout, `${JSON.stringify(value)}\n`);
    else if (text !== '') say(text);
  };

  return {
    json,
    emit,
    watch: (event) => live.see(event),
    paint,
    object: (value, text) => answer(value, folded(text, width())),
    line: answer,
    note: (text) => {
      if (quiet) return;
      say(folded(text, width()));
    },
    aside: (text) => (quiet ? undefined : show(terminal.stderr, `${folded(text, columnsOf(terminal.stderr))}\n`)),
    setBudget: (dollars) => live.setBudget(dollars),
    drained: () => terminal.stdout.drained?.() ?? terminal.stderr.drained?.() ?? null,
    finish: (result) => {
      if (settings.form === 'stream') emit(endOf(result));
      live.close();
    },
    fail: (failure) => {
      release();
      live.close();
      const columns = columnsOf(terminal.stderr);
      const details = failure.details.map((detail) => `${folded(`  ${detail}`, columns)}\n`);
      show(terminal.stderr, `${problemPaint.bad(folded(failure.message, columns))}\n${details.join('')}`);
      if (json && settings.form === 'object')
        answer({ error: { message: failure.message, details: failure.details, exit_code: failure.exitCode } }, '');
      else if (json && !ended)
        print(
          terminal.stdout,
          renderJson({
            ...endOf({
              exitCode: failure.exitCode,
              message: failure.message,
              ...(failure.reasons === undefined ? {} : { reasons: [...failure.reasons] }),
            }),
            ts: isoNow(clock),
          }),
        );
      closed = true;
    },
  };
}

function columnsOf(sink: Sink): number | undefined {
  return sink.isTTY ? Math.max(40, sink.columns() - 1) : undefined;
}

/** Each line broken between words where it is wider than the terminal; elsewhere as it is. */
function folded(text: string, columns: number | undefined): string {
  if (columns === undefined) return text;
  return text
    .split('\n')
    .flatMap((line) => wrap(line, columns))
    .join('\n');
}

/** Under `--json` stdout has them already; a person at a terminal sees them as well. */
/** A flow with phases says these things itself, in the user's language. */
const TOLD_BY_FLOWS: ReadonlySet<HarnessEvent['type']> = new Set([
  'workspace.prepared',
  'workspace.captured',
  'session.start',
  'session.end',
  'gate.answered',
]);

const OF_THE_AGENT: ReadonlySet<EventType> = new Set<EventType>(['agent.text', 'agent.tool', 'agent.result']);

/** No more of a text than a terminal will show. */
function lastLines(event: Extract<HarnessEvent, { type: 'agent.text' }>): { part: HarnessEvent; unseen: number } {
  let start = event.text.length;
  for (let lines = 0; lines < MOST_LINES && start > 0; lines += 1) start = event.text.lastIndexOf('\n', start - 1);
  if (start <= 0) return { part: event, unseen: 0 };
  let unseen = 0;
  for (let at = event.text.indexOf('\n'); at !== -1 && at <= start; at = event.text.indexOf('\n', at + 1)) unseen += 1;
  return { part: { ...event, text: event.text.slice(start + 1) }, unseen };
}

function endOf(result: CommandResult): HarnessEvent {
  const { exitCode, outcome, reasons, ...rest } = result;
  return { type: 'end', outcome: outcome ?? (exitCode === 0 ? 'complete' : 'error'), reasons: reasons ?? [], exit_code: exitCode, ...rest };
}

/**
 * What the harness says, without the lines that the person has just seen the agent say.
 *
 * 1. A line that is the agent's own, marked as done or not, is left out; of one that ends in it (`Plan: …`) the beginning stays.
 * 2. Only what was shown counts: where the agent's words are not printed, the harness's are whole.
 */
const MOST_REMEMBERED = 200;

interface SeenLines {
  see(text: string): void;
  /** Null: nothing is left of it. */
  without(message: string): string | null;
}

export function seenLines(): SeenLines {
  const seen = new Set<string>();
  return {
    see: (text) => {
      for (const line of cleanText(text).split('\n').map(bare)) if (line !== '') seen.add(line);
      for (const line of seen) {
        if (seen.size <= MOST_REMEMBERED) return;
        seen.delete(line);
      }
    },
    without: (message) => {
      if (seen.size === 0) return message;
      const left = message.split('\n').flatMap((line) => unrepeated(line, seen));
      return left.length === 0 ? null : left.join('\n');
    },
  };
}

function unrepeated(line: string, seen: ReadonlySet<string>): string[] {
  if (seen.has(bare(line))) return [];
  const [, head, rest] = /^(.*?[^\s:：])\s*[:：]\s*(\S.*)$/u.exec(line) ?? [];
  return head !== undefined && rest !== undefined && seen.has(bare(rest)) ? [head] : [line];
}

function bare(line: string): string {
  return line.trim().replace(/^✓\s+/, '');
}

/** One event is one line: `type` and `ts` first, then its fields as they are. */
function renderJson(event: StampedEvent): string {
  const { type, ts, ...fields } = event;
  return `${JSON.stringify({ type, ts, ...fields })}\n`;
}
