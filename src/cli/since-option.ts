/** What `--since` takes, everywhere. */
import { usageError } from '../domain/errors.ts';

const UNITS = { m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** `12h`, `2d`, `90m`, or a time. */
export function sinceOption(value: string | null, now: number): string | null {
  if (value === null) return null;
  const span = /^(\d{1,6})([mhd])$/.exec(value);
  const instant = span === null ? Date.parse(value) : now - Number(span[1]) * UNITS[span[2] as keyof typeof UNITS];
  if (Number.isNaN(instant))
    throw usageError(
      `--since does not understand "${value}".`,
      'fix: give a span such as 12h, 2d or 90m, or a time such as 2026-11-15T22:00',
    );
  return new Date(instant).toISOString();
}
