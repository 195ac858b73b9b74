/**
 * Is the agent getting anywhere? Looked at every `intervalTokens` of context, and once at half of the window unless that was done just before.
 *
 * 1. Stuck: no file changed, no test run and fewer than three commands since the last look.
 * 2. First stuck look: a hint. `stopAfter` stuck looks in a row: the agent is told to write down what blocks it, and is stopped
 *    `LAST_REQUESTS` requests later at the latest.
 * 3. The same error again and again: a hint at `maxRepeatedErrors`, the end at twice that.
 * 4. While the agent writes, nothing is looked at; after the end nothing more is said.
 */
import { parseActions, toolAction } from '../journal/actions.ts';
import type { AgentEvent } from '../agents/contract.ts';
import type { Directive, Monitor } from './monitor.ts';
import { ofAllRunners } from '../verify/runners/registry.ts';
import { ownValue } from '../domain/items.ts';

export interface ProgressSettings {
  windowTokens: number;
  intervalTokens: number;
  stuckWarning: string;
  stopAfter: number;
  maxRepeatedErrors: number;
}

export interface ProgressState {
  lastCheckTokens: number;
  lookedAtHalf: boolean;
  files: number;
  tests: number;
  commands: number;
  stuckChecks: number;
  errors: Readonly<Record<string, number>>;
  hinted: readonly string[];
  /** Requests that the agent has left to write down what blocks it; null: it was not told to. */
  left: number | null;
  stopped: boolean;
}

/** Enough to read the progress file, write it and end the turn. */
const LAST_REQUESTS = 4;
const MIN_COMMANDS = 3;
const MAX_REMEMBERED_ERRORS = 200;
const TEST_RUN = new RegExp(
  String.raw`\b(${ofAllRunners((runner) => runner.single?.typed ?? []).join('|')}|go\s+test|cargo\s+test|npm\s+(run\s+)?test|\d+ (passed|passing|failed|failing))\b|# (pass|fail) \d+\b`,
);

export function progressMonitor(settings: ProgressSettings): Monitor<ProgressState> {
  return {
    initial: {
      lastCheckTokens: 0,
      lookedAtHalf: false,
      files: 0,
      tests: 0,
      commands: 0,
      stuckChecks: 0,
      errors: {},
      hinted: [],
      left: null,
      stopped: false,
    },
    wantsFiles: (state, event) =>
      event.type === 'usage' && !state.stopped && state.left === null && isLookDue(state, event.context_tokens, settings),
    step: (state, input) => {
      if (state.stopped) return [state, []];
      if (state.left !== null)
        return input.kind === 'event' && input.event.type === 'usage' ? wrappingUp(state, state.left - 1) : [state, []];
      if (input.kind === 'turn') return [input.fresh ? { ...state, lastCheckTokens: 0, lookedAtHalf: false } : state, []];
      if (input.kind === 'files') return [{ ...state, files: state.files + input.changed }, []];
      if (input.kind !== 'event') return [state, []];
      const counted = count(state, input.event);
      const [afterErrors, errorDirectives] = repeated(counted, settings);
      if (input.event.type !== 'usage' || afterErrors.stopped) return [afterErrors, errorDirectives];
      const [next, directives] = look(afterErrors, input.event.context_tokens, settings);
      return [next, [...errorDirectives, ...directives]];
    },
  };
}

function isLookDue(state: ProgressState, tokens: number, settings: ProgressSettings): boolean {
  const since = tokens - state.lastCheckTokens;
  return (
    since >= settings.intervalTokens || (!state.lookedAtHalf && tokens >= settings.windowTokens / 2 && since >= settings.intervalTokens / 2)
  );
}

function count(state: ProgressState, event: AgentEvent): ProgressState {
  if (event.type === 'tool' || event.type === 'text') {
    const actions =
      event.type === 'tool' ? [toolAction(event.name, event.input)].filter((action) => action !== null) : parseActions(event.text);
    let { files, tests, commands } = state;
    for (const action of actions) {
      if (action.kind === 'file_write') files++;
      if (action.kind === 'cmd_run') commands++;
      if (action.kind === 'cmd_run' && TEST_RUN.test(action.cmd)) tests++;
    }
    if (event.type === 'text' && TEST_RUN.test(event.text)) tests++;
    return { ...state, files, tests, commands };
  }
  const failed =
    event.type === 'tool_result' && !event.ok ? event.output : event.type === 'warning' && event.isError === true ? event.message : null;
  if (failed !== null) {
    const error = signature(failed);
    const times = ownValue(state.errors, error) ?? 0;
    const room = times > 0 || Object.keys(state.errors).length < MAX_REMEMBERED_ERRORS;
    return room ? { ...state, errors: { ...state.errors, [error]: times + 1 } } : state;
  }
  return state;
}

/** The last telling line of an error, with numbers and addresses made equal. */
export function signature(output: string): string {
  const lines = output
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const telling = lines.findLast((line) => /error|exception|fail|cannot|not found|denied/i.test(line)) ?? lines.at(-1) ?? 'empty output';
  return telling.replace(/0x[0-9a-f]+|\d+/gi, '#').slice(0, 200);
}

function repeated(state: ProgressState, settings: ProgressSettings): readonly [ProgressState, Directive[]] {
  for (const [error, times] of Object.entries(state.errors)) {
    if (times >= settings.maxRepeatedErrors * 2) {
      return [
        { ...state, stopped: true },
        [{ kind: 'stop', limit: 'progress', reason: 'repeated_error', message: `the same error occurred ${times} times: ${error}` }],
      ];
    }
    if (times >= settings.maxRepeatedErrors && !state.hinted.includes(error)) {
      const text = `[harness] The same error has occurred ${times} times: "${error}". This approach does not work; step back and try a fundamentally different one.`;
      return [{ ...state, hinted: [...state.hinted, error] }, [{ kind: 'inject', limit: 'progress', text }]];
    }
  }
  return [state, []];
}

function look(state: ProgressState, tokens: number, settings: ProgressSettings): readonly [ProgressState, Directive[]] {
  if (!isLookDue(state, tokens, settings)) return [tokens < state.lastCheckTokens ? { ...state, lastCheckTokens: tokens } : state, []];
  const idle = state.files < 1 && state.tests < 1 && state.commands < MIN_COMMANDS;
  const stuckChecks = idle ? state.stuckChecks + 1 : 0;
  const lookedAtHalf = state.lookedAtHalf || tokens >= settings.windowTokens / 2;
  const next: ProgressState = { ...state, lastCheckTokens: tokens, lookedAtHalf, files: 0, tests: 0, commands: 0, stuckChecks };
  if (!idle) return [next, []];
  if (stuckChecks >= settings.stopAfter) return [{ ...next, left: LAST_REQUESTS }, [{ kind: 'wrap_up', ...stuck(next), text: LAST_WORD }]];
  return [
    next,
    [
      {
        kind: 'inject',
        limit: 'progress',
        text: `[harness] ${settings.stuckWarning} If something blocks you, describe it in claude-progress.txt.`,
      },
    ],
  ];
}

function stuck({ stuckChecks }: ProgressState): { limit: 'progress'; reason: 'stuck'; message: string } {
  return {
    limit: 'progress',
    reason: 'stuck',
    message: `no file changed, no test run and hardly a command in ${stuckChecks} checks in a row`,
  };
}

const LAST_WORD =
  '[harness] Still no progress: this session ends now. Write into claude-progress.txt what blocks you, what you tried and what you would need to go on. Change nothing else, then end your turn.';

function wrappingUp(state: ProgressState, left: number): readonly [ProgressState, Directive[]] {
  return left > 0 ? [{ ...state, left }, []] : [{ ...state, left, stopped: true }, [{ kind: 'stop', ...stuck(state) }]];
}
