/** How full the agent's context window is: a note at half, a warning, a request to wrap up, and the end. A leap over several says the last only. */
import type { Directive, Monitor } from './monitor.ts';

export interface ContextSettings {
  windowTokens: number;
  warnThreshold: number;
  forceThreshold: number;
}

export interface ContextState {
  level: number;
}

export function contextMonitor(settings: ContextSettings): Monitor<ContextState> {
  return {
    initial: { level: 0 },
    step: (state, input) => {
      if (input.kind === 'turn' && input.fresh) return [{ level: 0 }, []];
      if (input.kind !== 'event' || input.event.type !== 'usage') return [state, []];
      const used = input.event.context_tokens / settings.windowTokens;
      const level = levelOf(used, settings);
      if (level <= state.level) return [state, []];
      return [{ level }, directives(level, used, settings)];
    },
  };
}

function levelOf(used: number, settings: ContextSettings): number {
  if (used >= 1) return 4;
  if (used >= settings.forceThreshold) return 3;
  if (used >= settings.warnThreshold) return 2;
  return used >= 0.5 ? 1 : 0;
}

function directives(level: number, used: number, settings: ContextSettings): Directive[] {
  const percent = (share: number): string => `${Math.round(share * 100)}%`;
  switch (level) {
    case 1:
      return [{ kind: 'note', limit: 'context', message: `half of the context window is used (${percent(used)})` }];
    case 2:
      return [
        {
          kind: 'inject',
          limit: 'context',
          text: `[harness] ${percent(settings.warnThreshold)} of your context window is used. Plan the end of this session: finish what is close to done, and if the feature will not fit, note in claude-progress.txt what is done and what is left.`,
        },
      ];
    case 3:
      return [
        {
          kind: 'inject',
          limit: 'context',
          text: `[harness] ${percent(settings.forceThreshold)} of your context window is used. Stop implementing now. Write into claude-progress.txt exactly where you are: what is done, what is half done, what is left, which files. Do not rush to a claim; the next session continues from your notes. Then end your turn.`,
        },
      ];
    default:
      return [
        {
          kind: 'stop',
          limit: 'context',
          reason: 'context_limit',
          message: `the context window of ${settings.windowTokens} tokens is full`,
        },
      ];
  }
}
