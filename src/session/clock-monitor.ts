/** Wall clock: one warning, then the end. */
import type { Reason } from '../domain/reasons.ts';
import type { Monitor } from './monitor.ts';

export interface ClockSettings {
  timeoutMs: number;
  warningMs: number;
  /** Absent: `timeout`. */
  reason?: Reason;
}

export interface ClockState {
  startedAt: number | null;
  warned: boolean;
  stopped: boolean;
}

export function clockMonitor(settings: ClockSettings): Monitor<ClockState> {
  return {
    initial: { startedAt: null, warned: false, stopped: false },
    step: (state, input) => {
      if (state.stopped) return [state, []];
      const startedAt = state.startedAt ?? input.at;
      const elapsed = input.at - startedAt;
      if (elapsed >= settings.timeoutMs) {
        return [
          { startedAt, warned: true, stopped: true },
          [{ kind: 'stop', limit: 'time', reason: settings.reason ?? 'timeout', message: endOf(settings) }],
        ];
      }
      if (state.warned || elapsed < settings.warningMs) return [{ ...state, startedAt }, []];
      const left = minutes(settings.timeoutMs - elapsed);
      return [
        { startedAt, warned: true, stopped: false },
        [
          {
            kind: 'inject',
            limit: 'time',
            text: `[harness] ${left} left in this session. Bring the work to a state that the next session can continue: save your notes in claude-progress.txt, and claim only what is done and tested.`,
          },
        ],
      ];
    },
  };
}

function endOf({ timeoutMs, reason }: ClockSettings): string {
  return reason === undefined ? `the session reached its limit of ${minutes(timeoutMs)}` : 'the hours of this run are over';
}

function minutes(ms: number): string {
  const value = Math.max(1, Math.round(ms / 60_000));
  return value === 1 ? '1 minute' : `${value} minutes`;
}
