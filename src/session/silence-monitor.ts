/** An agent that says and does nothing for too long is hung. A tool that is still at work is a sign of life, though not for ever. */
import type { Monitor, WatchInput } from './monitor.ts';

export interface SilenceState {
  lastAt: number | null;
  /** Tools that were called and have given nothing back; those of an agent that reports no results end with its next words. */
  tools: number;
}

/** Longer than any tool of an agent is let run. */
const LONGEST_TOOL_MS = 30 * 60_000;

export function silenceMonitor(limitMs: number): Monitor<SilenceState> {
  return {
    initial: { lastAt: null, tools: 0 },
    step: (state, input) => {
      if (input.kind === 'event' || input.kind === 'turn' || state.lastAt === null)
        return [{ lastAt: input.at, tools: toolsAfter(state.tools, input) }, []];
      const limit = state.tools > 0 ? Math.max(limitMs, LONGEST_TOOL_MS) : limitMs;
      if (input.at - state.lastAt < limit) return [state, []];
      const seconds = Math.round(limit / 1000);
      return [
        { lastAt: input.at, tools: 0 },
        [{ kind: 'stop', limit: 'silence', reason: 'stalled', message: `nothing heard from the agent for ${seconds} seconds` }],
      ];
    },
  };
}

function toolsAfter(tools: number, input: WatchInput): number {
  if (input.kind === 'turn') return 0;
  if (input.kind !== 'event') return tools;
  switch (input.event.type) {
    case 'tool':
      return tools + 1;
    case 'tool_result':
      return Math.max(0, tools - 1);
    case 'text':
      return 0;
    default:
      return tools;
  }
}
