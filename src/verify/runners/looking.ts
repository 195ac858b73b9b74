/**
 * What code under test puts in the place of the language's own: members of built-in objects, timers, node's modules. They are remembered before any
 * code of the project is loaded, and looked at again when the test files are loaded and when the tests are done.
 *
 * 1. Only what was there counts: whoever adds a member replaces none. Plain values do not count, and neither do `process` and `console`, which
 *    runners replace.
 * 2. Who made the new member is told by where its code stands. A file of the project is named; '' is anybody else: a package, node itself, nobody.
 *    What a runner itself puts in place, for itself or because it was told to, is left out: code that asks it to is noticed by that.
 * 3. What is found is added to a file beside the report, line by line: runners have worlds, threads and processes of their own. Of each, the last line
 *    counts, and the one from when its files were loaded: what is put back between the two is the tests' own business.
 */
import lookingProgram from '../../../assets/parts/looking.cjs';
import { fill } from '../../domain/fill-program.ts';
import type { Replaced } from '../../domain/verdict.ts';
import { isRecord, readLines, text } from './results.ts';
import type { PlanRequest } from './runner.ts';

/** The file beside the report. */
export function seenPath(reportPath: string): string {
  return `${reportPath}.seen`;
}

/** Statements of JavaScript: `looking.remember(world)` gives a function that looks again. */
export function lookingSource({ room, reportPath }: Pick<PlanRequest, 'room' | 'reportPath'>): string {
  return fill(lookingProgram, { room: JSON.stringify(`${room}/`), seen: JSON.stringify(seenPath(reportPath)) });
}

/** Of each world what was last said; hostile input. */
export function readSeen(content: string): Replaced[] {
  const last = new Map<string, Record<string, unknown>>();
  for (const value of readLines(content).values) last.set(text(value['world']), value);
  const found = [...last.values()].flatMap((value) => (Array.isArray(value['found']) ? value['found'].filter(isRecord) : []));
  const each = new Map(found.map((one) => [`${text(one['what'])} ${text(one['by'])}`, { what: text(one['what']), by: text(one['by']) }]));
  return [...each.values()].filter((one) => one.what !== '').slice(0, MOST_SEEN);
}

const MOST_SEEN = 400;
