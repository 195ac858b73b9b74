/**
 * The same in Python: functions and classes of the modules that were loaded before any code of the project, and members of those classes.
 * Whose code stands there now is told by the code itself. What is no function and no class counts only where assertions measure by it.
 */
import looking from '../../../assets/looking.py';
import { isRecord, text } from './results.ts';
import type { ParsedRun } from './runner.ts';

/** Defines `_Looking(room)`, whose `again()` gives what was replaced since, as `{'what', 'by'}`. */
export const PYTHON_LOOKING = looking;

/** In the last line of a report. */
export function replacedIn(last: Record<string, unknown> | undefined): Pick<ParsedRun, 'replaced'> {
  const told = last?.['replaced'];
  return Array.isArray(told) ? { replaced: told.filter(isRecord).map((one) => ({ what: text(one['what']), by: text(one['by']) })) } : {};
}
