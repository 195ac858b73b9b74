/**
 * Test files that are programs: each runs in a node process of its own, into which a listener is loaded first.
 *
 * 1. A first process, in which no code of the project ever runs, starts the others, one key for each, and seals what they told.
 * 2. A listener reads its key from a pipe and closes that before any code of the project is loaded; without the right seal a file has told
 *    nothing. A file that ended early, or told of no test, is an error.
 * 3. What a program prints is for people alone.
 */
import lookInRunners from '../../../assets/parts/look-in-runners.cjs';
import scriptsListener from '../../../assets/scripts-listener.cjs';
import scriptsStarter from '../../../assets/scripts-starter.mjs';
import { join } from 'node:path';
import { fill } from '../../domain/fill-program.ts';
import type { TestStatus } from '../../domain/verdict.ts';
import { lookingSource } from './looking.ts';
import { elsewhereForNode } from './elsewhere.ts';
import { directPreload } from './neutral.ts';
import { noReport } from './no-report.ts';
import { isRecord, readLines, strings, text, toResults, WHOLE_FILE, type RawResult } from './results.ts';
import type { ParsedRun, PlanRequest, RunnerFacts, RunnerOutput, RunPlan } from './runner.ts';
import { sealSource } from './seal.ts';

export interface ScriptRun {
  /** Relative; each a program. */
  files: readonly string[];
  /** Options for node, the same for all files. */
  interpreterArgs: readonly string[];
  /** Statements of a CommonJS module: `told(file, name, status, message)` tells of a test, `watch(isOver)` asks when all are. */
  listener: string;
  /** How many files run at the same time. */
  sideBySide: number;
}

export function planScripts(facts: RunnerFacts, request: PlanRequest, run: ScriptRun): RunPlan {
  const at = (name: string): string => join(request.supportDirectory, name);
  const { variant } = request;
  const preloads = [
    { path: at('listener.cjs'), content: `${fill(scriptsListener, { room: JSON.stringify(`${request.room}/`) })}${run.listener}` },
    ...(variant.neutral === undefined
      ? []
      : [{ path: at('first.cjs'), content: `${directPreload(request)}\n${lookingSource(request)}${lookInRunners}` }]),
  ];
  const elsewhere = elsewhereForNode(request);
  const settings = {
    report: request.reportPath,
    args: [...[...preloads.map(({ path }) => path), ...elsewhere.preload].map((path) => `--require=${path}`), ...run.interpreterArgs],
    files: run.files,
    sideBySide: run.sideBySide,
    forceExit: variant.forceExit === true,
  };
  const starter = at('starter.mjs');
  return {
    file: facts.node,
    args: [starter],
    env: {},
    support: [
      ...preloads,
      ...elsewhere.support,
      {
        path: starter,
        content: `${sealSource(request.keyPath, 'module')}const settings = ${JSON.stringify(settings)};\n${scriptsStarter}`,
      },
    ],
    report: 'file',
  };
}

export function parseScripts(output: RunnerOutput): ParsedRun {
  if (output.report === null) return noReport(output);
  const { values, broken } = readLines(output.report);
  const last = values.at(-1);
  const complete = !broken && last !== undefined && typeof last['end'] === 'number' && last['lines'] === values.length - 1;
  const problems = complete ? [] : ['the report is not complete'];
  return { tests: toResults(values.slice(0, complete ? -1 : undefined).flatMap(fileResults), output.room), problems };
}

function fileResults(value: Record<string, unknown>): RawResult[] {
  const file = text(value['file']);
  const tests = Array.isArray(value['tests']) ? value['tests'].filter(isRecord).map(toRaw) : null;
  const stderr = text(value['stderr']) || text(value['problem']);
  const wrong = (message: string): RawResult => ({ file, name: [WHOLE_FILE], status: 'error', message });
  const isClean = value['code'] === 0;
  if (tests === null) return [wrong(`the file ended without reporting its results\n${stderr}`)];
  if (tests.length === 0) return [wrong(isClean ? 'the file ended without reporting a test' : `the file could not be run\n${stderr}`)];
  const hasFailed = tests.some(({ status }) => status === 'failed' || status === 'error');
  return isClean || hasFailed ? tests : [...tests, wrong(`its process ended with ${String(value['code'] ?? value['signal'])}\n${stderr}`)];
}

const STATUSES: readonly TestStatus[] = ['passed', 'failed', 'skipped', 'todo'];

function toRaw(test: Record<string, unknown>): RawResult {
  const status = STATUSES.find((one) => one === test['status']) ?? 'error';
  return { file: text(test['file']), name: strings(test['name']), status, message: text(test['message']) };
}
