/**
 * Events and answers in, text or NDJSON out.
 *
 * 1. Under `--json` stdout carries JSON and nothing else; what a person reads goes to stderr.
 * 2. Without it a command's text goes to stdout, problems go to stderr.
 * 3. `--quiet` leaves results, warnings and problems.
 * 4. The `end` event is printed once, whoever emits it first; a person is not told again what was said before.
 */
import type { HarnessEvent } from '../domain/event.ts';
import { isoNow, type Clock } from '../platform/platform.ts';
import type { CommandResult, CommandRow, Output } from './command.ts';
import type { Failure } from './exit.ts';
import { createLiveLine } from './live-line.ts';
import { createPaint } from './paint.ts';
import { renderJson } from './render-json.ts';
import { renderText } from './render-text.ts';
import type { Terminal } from './terminal.ts';
import { wrap } from './wrap.ts';

export interface OutputSettings {
  json: boolean;
  quiet: boolean;
  colour: boolean;
  form: CommandRow['output'];
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
  const live = createLiveLine(clock, terminal.stderr, settings.form === 'stream' && !quiet && human.isTTY);
  const width = human.isTTY ? Math.max(40, human.columns() - 1) : undefined;
  const told = new Set<string>();
  let ended = false;

  const print = (sink: Terminal['stdout'], text: string): void => live.around(() => sink.write(text));
  const say = (text: string): void => print(human, `${text}\n`);

  const emit = (event: HarnessEvent): void => {
    if (event.type === 'end') {
      if (ended) return;
      ended = true;
      live.close();
    }
    live.see(event);
    if (json && settings.form === 'stream') print(terminal.stdout, renderJson({ ...event, ts: isoNow(clock) }));
    if ((json && quiet) || (settings.interactive && event.type === 'gate.asked')) return;
    if (event.type === 'end' && event.message !== undefined && told.has(event.message)) return;
    const lines = renderText(event, paint, { quiet, width });
    if ((event.type === 'session.end' || event.type === 'progress') && event.message !== undefined && lines.length > 0)
      told.add(event.message);
    for (const line of lines) say(line);
  };

  const answer = (value: unknown, text: string): void => {
    if (json) print(terminal.stdout, `${JSON.stringify(value)}\n`);
    else if (text !== '') say(text);
  };

  return {
    json,
    emit,
    object: answer,
    line: answer,
    note: (text) => {
      if (quiet) return;
      for (const line of text.split('\n')) for (const part of width === undefined ? [line] : wrap(line, width)) say(part);
    },
    setBudget: (dollars) => live.setBudget(dollars),
    finish: (result) => {
      if (settings.form === 'stream') emit(endOf(result));
      live.close();
    },
    fail: (failure) => {
      live.close();
      print(terminal.stderr, `${[problemPaint.bad(failure.message), ...failure.details.map((detail) => `  ${detail}`)].join('\n')}\n`);
      if (!json) return;
      if (settings.form === 'object')
        answer({ error: { message: failure.message, details: failure.details, exit_code: failure.exitCode } }, '');
      else if (!ended)
        print(terminal.stdout, renderJson({ ...endOf({ exitCode: failure.exitCode, message: failure.message }), ts: isoNow(clock) }));
    },
  };
}

function endOf(result: CommandResult): HarnessEvent {
  const { exitCode, outcome, reasons, ...rest } = result;
  return { type: 'end', outcome: outcome ?? (exitCode === 0 ? 'complete' : 'error'), reasons: reasons ?? [], exit_code: exitCode, ...rest };
}
