import { describe, expect, test } from 'vitest';
import { nodePlatform } from '../platform/node-platform.ts';
import { waitForReset } from './wait-for-reset.ts';

const platform = nodePlatform({});
const never = async (): Promise<boolean> => false;

describe('waiting for the end of a usage limit', () => {
  test('takes until then, and no time when it is past', async () => {
    const before = platform.clock.now();
    expect(
      await waitForReset(platform, { until: before + 60, stepMs: 25, signal: new AbortController().signal, pauseRequested: never }),
    ).toBe('over');
    expect(platform.clock.now()).toBeGreaterThanOrEqual(before + 60);
    expect(await waitForReset(platform, { until: 0, stepMs: 60_000, signal: new AbortController().signal, pauseRequested: never })).toBe(
      'over',
    );
  });

  test('ends at once when it is interrupted', async () => {
    const controller = new AbortController();
    setTimeout(() => controller.abort(), 20);
    expect(
      await waitForReset(platform, {
        until: platform.clock.now() + 60_000,
        stepMs: 60_000,
        signal: controller.signal,
        pauseRequested: never,
      }),
    ).toBe('interrupted');
  });

  test('ends when a pause is asked for, also when that could not be read at first', async () => {
    let asked = 0;
    const pauseRequested = async (): Promise<boolean> => {
      asked += 1;
      if (asked === 1) throw new Error('EACCES');
      return asked > 2;
    };
    expect(
      await waitForReset(platform, {
        until: platform.clock.now() + 60_000,
        stepMs: 5,
        signal: new AbortController().signal,
        pauseRequested,
      }),
    ).toBe('paused');
    expect(asked).toBe(3);
  });

  test('goes by the wall clock, so that a machine that slept goes on at its next step', async () => {
    let wall = 0;
    const slept = { ...platform, clock: { ...platform.clock, now: () => wall, sleep: async () => void (wall += 3_600_000) } };
    expect(await waitForReset(slept, { until: 3_600_000, stepMs: 250, signal: new AbortController().signal, pauseRequested: never })).toBe(
      'over',
    );
    expect(wall).toBe(3_600_000);
  });
});
