/**
 * What stands in for a runner in a program that is none: it takes tests as they are written, runs one after the other, and compares by functions
 * that it took before any code of the project was loaded.
 *
 * 1. Whatever it does not know (mocks of modules, clocks, snapshots, fixtures of others) makes the test one that says nothing, also where the test
 *    catches that.
 * 2. Told are for each test its title, whether it held, how often it asserted, the kinds of errors that it waited for and got, and how often what it
 *    compared was no number.
 * 3. Told like tests are the project's constants that the file names, with those beside them that are the same.
 */

import handed from '../../../assets/checks/plain-kit-handed.mjs';
import kit from '../../../assets/checks/plain-kit.mjs';
import kitInPython from '../../../assets/checks/plain-kit.py';
import { asScript, fill } from '../../domain/fill-program.ts';

/** What a program tells about one test. `unknown`: it needs more than there is. */
export interface ToldTest {
  title: string;
  state: 'held' | 'off' | 'unknown';
  thrown: string[];
  /** How many assertions were asked. */
  asserted: number;
  /** How often what it compared was no number. */
  nans: number;
  /** In the place of a test, a constant: others beside it that stand for the same, or, where titles were asked for, for something else. */
  same?: string[];
  apart?: string[];
}

/** Errors that the language itself raises where code is broken. */
export const FAULTS = [
  'ReferenceError',
  'TypeError',
  'SyntaxError',
  'NameError',
  'UnboundLocalError',
  'AttributeError',
  'ImportError',
  'ModuleNotFoundError',
  'RecursionError',
] as const;

/** Names that are told for one constant: of others that are the same, more than which nobody gives to one thing, and of others that are not. */
export const MOST_SAME = 40;
export const MOST_APART = 60;
export const MANY = '(many)';
/** In the place of a name: the constant is not there. */
export const NOTHING = '(nothing)';

const LIMITS = { many: MANY, most_same: String(MOST_SAME), most_apart: String(MOST_APART) };

export function scriptKit(isModule: boolean): string {
  const program = `${fill(kit, { ...LIMITS, nothing: NOTHING })}${handed}`;
  return isModule ? program : asScript(program);
}

/** For pytest and unittest: functions and classes of tests, tables, fixtures of the file itself, expected errors. */
export function pythonKit(): string {
  return fill(kitInPython, LIMITS);
}
