/**
 * One file of node's own tests in a process of its own, without the runner that would only start that process and pass on what it says.
 *
 * 1. The file's process looks like one that the runner started: the variable is set, and the options of the report are not among its own.
 * 2. The reporter and its key are in place before any code of the project is loaded.
 * 3. What the runner would say about the file as a whole is made from how its process ended: a file that ended early, told of no test, or failed
 *    without a test that failed is an error, whatever its status.
 * 4. Versions of node that nobody has compared keep their runner.
 */
import { WHOLE_FILE, type RawResult } from './results.ts';
import type { RunnerOutput } from './runner.ts';

const LAST_KNOWN_NODE = 22;

/** In this version of node a file says by itself what it says under the runner. */
export function canBeAlone(version = process.versions.node): boolean {
  return Number.parseInt(version) <= LAST_KNOWN_NODE;
}

/**
 * In the reporter, loaded first: node reads its options, and only then does the process say whose child it is. Node 20 reads them as its tests are
 * loaded, later versions with the first thing that is asked of them.
 */
export const ALONE = `import { after as afterAll } from 'node:test';
if (Number.parseInt(process.versions.node) > 20) afterAll(() => {});
process.env.NODE_TEST_CONTEXT = 'child-v8';
process.execArgv = process.execArgv.filter((word) => !word.startsWith('--test-reporter'));
`;

/** Once all tests are done, what is still open is not waited for: the report is brought to its end, and then the process. */
export function aloneEnding(reportPath: string): string {
  return `import { statSync } from 'node:fs';
import { after } from 'node:test';
const { exit, emit } = process;
let told = -1;
let still = 0;
let isAsked = false;
const look = () => {
  const { size } = statSync(${JSON.stringify(reportPath)}, { throwIfNoEntry: false }) ?? { size: 0 };
  still = size === told ? still + 1 : 0;
  told = size;
  if (still <= 3) return;
  if (isAsked) exit.call(process);
  isAsked = true;
  still = 0;
  emit.call(process, 'beforeExit', process.exitCode ?? 0);
};
after(() => void setInterval(look, 100).unref());
`;
}

/** The tests and what became of the file. Of a report that was not brought to its end, what passed is not believed. */
export function withWholeFile({ files, code, stderr }: RunnerOutput, told: readonly RawResult[], complete: boolean): RawResult[] {
  const tests = complete ? [...told] : told.filter((one) => one.status !== 'passed');
  const failed = tests.some((one) => one.status === 'failed' || one.status === 'error');
  if (code === null || (complete && (code === 0 ? tests.length > 0 : failed))) return tests;
  const message = code === 0 ? 'the file ended without reporting a test' : `test failed\n${stderr.slice(-8_000)}`;
  return [...tests, { file: files?.[0] ?? '', name: [WHOLE_FILE], status: 'error', message }];
}
