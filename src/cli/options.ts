/** Reads parsed options by the type their row declares. */
import { usageError } from '../domain/errors.ts';
import type { OptionValues } from './command.ts';

export function textOption(options: OptionValues, name: string): string | null {
  const value = options[name];
  return typeof value === 'string' ? value : null;
}

export function numberOption(options: OptionValues, name: string): number | null {
  const value = options[name];
  return typeof value === 'number' ? value : null;
}

/** `--no-x` options read as `x`, true unless given. */
export function flagOption(options: OptionValues, name: string): boolean {
  return options[name] === true;
}

export function listOption(options: OptionValues, name: string): string[] {
  const value = options[name];
  return Array.isArray(value) ? value : [];
}

/** `--lanes N`; null when it is not given. */
export function lanesOption(options: OptionValues): number | null {
  const lanes = numberOption(options, 'lanes');
  if (lanes === null || (Number.isInteger(lanes) && lanes >= 1 && lanes <= MOST_LANES)) return lanes;
  throw usageError(`--lanes takes a whole number from 1 to ${MOST_LANES}, not ${lanes}.`);
}

const MOST_LANES = 32;
