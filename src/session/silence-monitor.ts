/** An agent that says and does nothing for too long is hung. */
import type { Monitor } from './monitor.ts';

export interface SilenceState {
  lastAt: number | null;
}

export function silenceMonitor(limitMs: number): Monitor<SilenceState> {
  return {
    initial: { lastAt: null },
    step: (state, input) => {
      if (input.kind === 'event' || input.kind === 'turn' || state.lastAt === null) return [{ lastAt: input.at }, []];
      if (input.at - state.lastAt < limitMs) return [state, []];
      return [
        { lastAt: input.at },
        [
          {
            kind: 'stop',
            limit: 'silence',
            reason: 'stalled',
            message: `nothing heard from the agent for ${Math.round(limitMs / 1000)} seconds`,
          },
        ],
      ];
    },
  };
}
