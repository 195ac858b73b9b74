import { expect, test } from 'vitest';
import { endsBy, neededMs, runHours } from './run-hours.ts';

const at = (time: string): number => Date.parse(`2026-11-19T${time}:00Z`);
const NIGHTS = { not_before: '22:00', not_after: '07:00', timezone: 'UTC' };

test('nobody who is there is held to the hours of the settings', () => {
  expect(runHours({ schedule: NIGHTS }, { until: null, unattended: false, now: at('12:00') })).toBeNull();
  expect(runHours({ schedule: false }, { until: null, unattended: true, now: at('12:00') })).toBeNull();
  expect(runHours({ schedule: NIGHTS }, { until: null, unattended: true, now: at('12:00') })!.at(at('12:00'))).toEqual({
    open: false,
    opens: at('22:00'),
  });
});

test('the earlier of two ends holds, and a window that opens later is none', () => {
  const until = (time: string, now: string) => runHours({ schedule: NIGHTS }, { until: time, unattended: true, now: at(now) })!;
  expect(endsBy(until('23:30', '22:30'), at('22:30'))).toBe(at('23:30'));
  expect(endsBy(until('09:00', '22:30'), at('22:30'))).toBe(at('07:00') + 86_400_000);
  expect(until('20:00', '12:00').at(at('12:00'))).toEqual({ open: false, opens: null });
  expect(until('23:30', '22:30').at(at('23:30'))).toEqual({ open: false, opens: null });
});

test('what a session takes is the median of the last ten, and never more than its limit', () => {
  expect(neededMs([], 3_600_000)).toBe(300_000);
  expect(neededMs([9_999, 60, 120, 90, 60, 60, 60, 120, 120, 90, 90], 3_600_000)).toBe(90_000);
  expect(neededMs([9_999], 600_000)).toBe(600_000);
});
