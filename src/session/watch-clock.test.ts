import fc from 'fast-check';
import { expect, test } from 'vitest';
import { watchClock, type WatchClock } from './watch-clock.ts';

test('session time stands still while anybody holds it, and runs as the machine otherwise', () => {
  const step = fc.oneof(
    fc.record({ kind: fc.constant('pass' as const), ms: fc.nat({ max: 100 }) }),
    fc.constant({ kind: 'hold' as const }),
    fc.record({ kind: fc.constant('release' as const), which: fc.nat({ max: 5 }) }),
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 50, size: 'max' }), (steps) => {
      const { clock, pass } = handClock();
      const releases: (() => void)[] = [];
      const held = new Set<number>();
      let expected = clock.now();
      for (const one of steps) {
        if (one.kind === 'pass') {
          pass(one.ms);
          if (held.size === 0) expected += one.ms;
        } else if (one.kind === 'hold') held.add(releases.push(clock.suspend()) - 1);
        else if (one.which < releases.length) {
          releases[one.which]!();
          held.delete(one.which);
        }
        expect(clock.now()).toBe(expected);
        expect(clock.isSuspended()).toBe(held.size > 0);
      }
    }),
    { numRuns: 500 },
  );
});

function handClock(): { clock: WatchClock; pass(ms: number): void } {
  let time = 1_000;
  const clock = watchClock({ now: () => time, monotonic: () => time, sleep: async () => {} });
  return { clock, pass: (ms) => (time += ms) };
}
