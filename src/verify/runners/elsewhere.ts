/**
 * Another date and other random numbers, for every process of a run.
 *
 * 1. A process that has them hands them to node and Python programs it starts, whatever environment they get, and so on below those.
 * 2. What cannot have them (git, a binary, a shell's own commands) is noted by name beside the report: a failure in such a run proves nothing.
 * 3. Programs that a test runner starts for itself are not noted, and no process shows a variable of this.
 */
import exitFailsTest from '../../../assets/exit-fails-test.cjs';
import childrenInNode from '../../../assets/runners/elsewhere.cjs';
import childrenInPython from '../../../assets/runners/elsewhere.py';
import nextSite from '../../../assets/runners/next-site.py';
import otherWorlds from '../../../assets/runners/other-worlds.cjs';
import { join } from 'node:path';
import { fill } from '../../domain/fill-program.ts';
import { chancePreload, chosenNumbers, clockPreload, pythonChance, pythonClock, shiftedDates } from './neutral.ts';
import type { PlanRequest, RunPlan } from './runner.ts';

type Support = RunPlan['support'];

/** One name a line. */
export function startedPath(reportPath: string): string {
  return `${reportPath}.started`;
}

export function readStarted(content: string): string[] {
  const names = content.split('\n').filter((name) => /^[\w.+@-]{1,60}$/.test(name));
  return [...new Set(names)].slice(0, MOST_NAMES);
}

const MOST_NAMES = 20;

/** Modules for node, none where the run has the date and chance of the machine; `preload` is the one to load first. */
export function elsewhereForNode(request: PlanRequest): { preload: string[]; support: Support } {
  const path = join(request.supportDirectory, 'stays.cjs');
  const stays =
    request.variant.exitFails === true ? [{ path, content: fill(exitFailsTest, { room: JSON.stringify(`${request.room}/`) }) }] : [];
  const own = isElsewhere(request) ? { preload: [nodePath(request)], support: supportOf(request) } : { preload: [], support: [] };
  return { preload: [...stays.map((one) => one.path), ...own.preload], support: [...stays, ...own.support] };
}

/** Statements for a Python that runs tests, with what the programs below it load. */
export function elsewhereForPython(request: PlanRequest): { before: string[]; support: Support } {
  if (!isElsewhere(request)) return { before: [], support: [] };
  return { before: [pythonSource(request)], support: supportOf(request) };
}

function isElsewhere({ variant }: PlanRequest): boolean {
  return variant.clockShiftMs !== undefined || variant.chance !== undefined;
}

function nodePath({ supportDirectory }: PlanRequest): string {
  return join(supportDirectory, 'elsewhere.cjs');
}

function pythonFolder({ supportDirectory }: PlanRequest): string {
  return join(supportDirectory, 'elsewhere');
}

function supportOf(request: PlanRequest): Support {
  return [
    { path: nodePath(request), content: nodeSource(request) },
    { path: join(pythonFolder(request), 'sitecustomize.py'), content: `${pythonSource(request)}\n${nextSite}` },
  ];
}

function nodeSource(request: PlanRequest): string {
  const { variant, room } = request;
  const { clockShiftMs, chance } = variant;
  return [
    clockShiftMs === undefined ? '' : `${clockPreload(clockShiftMs)}${inOtherWorlds(shiftedDates(clockShiftMs))}`,
    chance === undefined ? '' : `${chancePreload(chance, room)}${inOtherWorlds(`{${chosenNumbers(chance, room)}}`)}`,
    `try {\nconst settings = ${settingsOf(request)};\n${fill(childrenInNode, { timeless: TIMELESS })}} catch {}\n`,
  ].join('');
}

function pythonSource(request: PlanRequest): string {
  const { clockShiftMs, chance } = request.variant;
  return [
    ...(clockShiftMs === undefined ? [] : [pythonClock(Math.round(clockShiftMs / 1_000))]),
    ...(chance === undefined ? [] : [pythonChance(chance)]),
    `_elsewhere = ${settingsOf(request)}`,
    fill(childrenInPython, { timeless: TIMELESS }),
  ].join('\n');
}

/** The same text in both languages. */
function settingsOf(request: PlanRequest): string {
  return JSON.stringify({ node: nodePath(request), python: pythonFolder(request), started: startedPath(request.reportPath) });
}

/** Jest, and vitest where its settings ask for it, run each test file in a world with dates and random numbers of its own: they are changed as it is made. */
function inOtherWorlds(source: string): string {
  return fill(otherWorlds, { source: JSON.stringify(source) });
}

/** Programs and words of a shell that neither tell the time, nor choose by chance, nor start anything. */
const TIMELESS =
  'cd|echo|printf|exit|true|false|test|\\[|export|set|unset|umask|ulimit|read|shift|wait|:|cat|grep|head|tail|wc|sort|tr|cut|sed|diff|rm|mkdir|chmod|kill|sleep|pwd|basename|dirname|which';
