/**
 * Monitors watch one session. Each is a pure reducer: (state, input) → state and directives.
 *
 * 1. Time comes in with the input (monotonic milliseconds); a monitor has no clock.
 * 2. A directive is a wish: the session runner delivers injections where the agent can be reached, and stops it.
 * 3. Each message is sent once for its threshold, not once for each event.
 */
import type { AgentEvent } from '../agents/contract.ts';
import type { Reason } from '../domain/reasons.ts';

export type WatchInput = { at: number } &
  /** The agent is given the word; `fresh` with an empty context window. */
  (
    | { kind: 'turn'; fresh: boolean }
    | { kind: 'event'; event: AgentEvent }
    | { kind: 'tick' }
    /** Files that changed in the workspace since the last look, for agents that do not report their writes. */
    | { kind: 'files'; changed: number }
  );

export type LimitKind = 'context' | 'time' | 'progress' | 'budget' | 'silence' | 'usage';

export type Directive =
  | { kind: 'inject'; limit: LimitKind; text: string }
  | { kind: 'stop'; limit: LimitKind; reason: Reason; message: string }
  /** The last word to the agent: its turn ends with this reason, by itself or by a stop that follows. An agent that cannot be told is stopped. */
  | { kind: 'wrap_up'; limit: LimitKind; reason: Reason; message: string; text: string }
  | { kind: 'note'; limit: LimitKind; message: string };

export interface Monitor<State> {
  initial: State;
  step(state: State, input: WatchInput): readonly [State, readonly Directive[]];
  /** Whether this event should be preceded by a look at the files of the workspace. */
  wantsFiles?(state: State, event: AgentEvent): boolean;
}

export interface Watch {
  step(input: WatchInput): Directive[];
  wantsFiles(event: AgentEvent): boolean;
}

/** Runs several monitors as one. */
export function combine(monitors: readonly Monitor<never>[]): Watch {
  const states: unknown[] = monitors.map((monitor) => monitor.initial);
  return {
    step: (input) =>
      monitors.flatMap((monitor, index) => {
        const [state, directives] = monitor.step(states[index] as never, input);
        states[index] = state;
        return [...directives];
      }),
    wantsFiles: (event) => monitors.some((monitor, index) => monitor.wantsFiles?.(states[index] as never, event) ?? false),
  };
}
