import { expect, test } from 'vitest';
import { afterOutage, type Outage } from './outage.ts';

const HOUR = 3_600_000;

/** Every pause of an outage that never ends; sessions take no time. */
function play(feature: (session: number) => number | null = () => 1): { pauses: number[]; tells: number[]; last: Outage; end: number } {
  const [pauses, tells]: number[][] = [[], []];
  let now = 1_000;
  let outage: Outage | null = null;
  for (let session = 1; ; session += 1) {
    const next = afterOutage(outage, feature(session), now);
    if (next.kind === 'give_up') return { pauses: pauses!, tells: tells!, last: outage!, end: now };
    if (next.tell) tells!.push(now - 1_000);
    pauses!.push(next.ms);
    now += next.ms;
    outage = next.outage;
  }
}

test('pauses grow from seconds to a quarter of an hour', () => {
  const { pauses } = play();
  expect(pauses.slice(0, 9)).toEqual([5, 10, 20, 40, 80, 160, 320, 640, 900].map((seconds) => seconds * 1_000));
  expect(Math.max(...pauses)).toBe(900_000);
});

test('a person is told once, when it lasts; the run ends after six hours', () => {
  const { tells, end } = play();
  expect(tells).toHaveLength(1);
  expect(tells[0]).toBeGreaterThanOrEqual(HOUR / 4);
  expect(tells[0]).toBeLessThan(HOUR);
  expect(end).toBe(1_000 + 6 * HOUR);
});

test('it remembers the features that met it, each once', () => {
  expect(play((session) => (session % 3 === 0 ? null : session % 3)).last.features).toEqual([1, 2]);
});
