/**
 * Modules that are loaded before any code of the project, to take away what code could tell a test run by.
 *
 * 1. In a process of its own (node:test's files): the marks are gone for everyone.
 * 2. In a runner's process: the marks are hidden from the project's code alone, because the runner needs them.
 * 3. Another clock is the same for everyone.
 */

import bun from '../../../assets/parts/bun.mjs';
import chanceBytes from '../../../assets/parts/chance-bytes.cjs';
import chanceProgram from '../../../assets/parts/chance.cjs';
import chanceInPython from '../../../assets/parts/chance.py';
import clock from '../../../assets/parts/clock.cjs';
import clockInPython from '../../../assets/parts/clock.py';
import dates from '../../../assets/parts/dates.cjs';
import direct from '../../../assets/parts/direct.cjs';
import hiding from '../../../assets/parts/hiding.cjs';
import { fill } from '../../domain/fill-program.ts';
import { ORDINARY_MACHINE, ordinaryProcess } from './ordinary.ts';
import type { PlanRequest } from './runner.ts';

/** Variables that say how the process was started, whichever runner did. */
function markedNames(marks: string, keepNodeEnv = true): string {
  return String.raw`/^(?:${marks}|NODE_OPTIONS|npm_.*|CI${keepNodeEnv ? '' : '|NODE_ENV'})$/`;
}

/** For `--import` or `--require` in front of a test file that node runs directly. Packages see the file's name: some store results by it. */
export function directPreload({ marks, room, supportDirectory, variant }: PlanRequest): string {
  const program = fill(direct, {
    marks: markedNames(marks),
    env: JSON.stringify(variant.neutral?.guise?.env ?? {}),
    words: JSON.stringify(variant.neutral?.guise?.words ?? []),
    room: JSON.stringify(`${room}/`),
    support: JSON.stringify(`${supportDirectory}/`),
  });
  return `{\n${program}${ordinaryProcess(variant.neutral?.keepTerminal === true)}}`;
}

/** For bun, whose test files have a process of their own: what it cannot change stays as it is. */
export function bunPreload(marks: string, keepNodeEnv: boolean): string {
  return `{\n${fill(bun, { marks: markedNames(marks, keepNodeEnv) })}try {${ORDINARY_MACHINE}} catch {}\n}`;
}

/** For `NODE_OPTIONS=--require` of a runner; the code of the project is told by the caller's path. */
export function hidingPreload({ room, marks, variant }: PlanRequest): string {
  const { keepNodeEnv = false, keepTerminal = false, guise } = variant.neutral ?? {};
  const program = fill(hiding, {
    marks: markedNames(marks, keepNodeEnv),
    room: JSON.stringify(`${room}/`),
    env: JSON.stringify(guise?.env ?? {}),
    words: JSON.stringify(guise?.words ?? []),
  });
  return `${program}{${ordinaryProcess(keepTerminal)}}\n`;
}

/** How long a process with another date has been running. */
const AGE_MS = 3 * 24 * 3_600_000;

/**
 * For `--import` or `--require`: works as both. Every door to the date leads to the same one: that of dates themselves and of their
 * constructor, of formats that are asked without a date, of the time at which the process began. The process is some days old.
 */
export function clockPreload(shiftMs: number): string {
  const program = fill(clock, {
    before_ms: String(shiftMs - AGE_MS),
    age_ms: String(AGE_MS),
    age_s: String(AGE_MS / 1_000),
    age_ns: `${AGE_MS}_000_000n`,
  });
  return `${shiftedDates(shiftMs)}${program}`;
}

/** What every world of the language has of its own: its dates and their formats. */
export function shiftedDates(shiftMs: number): string {
  return fill(dates, { shift_ms: String(shiftMs) });
}

/**
 * For `--import` or `--require`: numbers that differ from each other and lie at one end of their range; of bytes the first does. Only for the
 * code of the project: runners name their messages by chance.
 */
export function chancePreload(chance: 'low' | 'high', room: string): string {
  return `{\n${chosenNumbers(chance, room)}${chanceBytes}}\n`;
}

/** What every world of the language has of its own: its random numbers. A part of a block. */
export function chosenNumbers(chance: 'low' | 'high', room: string): string {
  return fill(chanceProgram, { room: JSON.stringify(`${room}/`), is_low: String(chance === 'low') });
}

/** The same for pytest. Names of temporary files stay what they are: they have to differ. */
export function pythonChance(chance: 'low' | 'high'): string {
  return fill(chanceInPython, { is_low: chance === 'low' ? 'True' : 'False' });
}

/**
 * For Python, before the first test file is imported. The class of dates stays the one it is, so that packages can replace it: its
 * `today` asks `time.time` by itself, and what asks the system is changed in the class. Where an interpreter does not let that happen, the rest has to do.
 */
export function pythonClock(shiftSeconds: number): string {
  return fill(clockInPython, { shift: String(shiftSeconds), age: String(AGE_MS / 1_000) });
}
