/**
 * Commands that the harness cannot start itself: run by a shell, read from TAP, JUnit files or the exit status alone.
 *
 * The parsers are loaded when a report is read: every command knows the runners by name, and few of them read one.
 */
import type { Parser } from 'tap-parser';
import type { RunnerName, TestStatus } from '../../domain/verdict.ts';
import { isRecord, text, toResults, type RawResult } from './results.ts';
import type { BasicRunner, ParsedRun, RunnerOutput, RunPlan } from './runner.ts';
import { firstItem } from '../../domain/items.ts';

export const tapRunner: BasicRunner = shellRunner('tap', 'stdout', parseTap, {
  summary: { passed: /^# (?:pass|passing):?\s+[1-9]\d*/, failed: /^# (?:fail|failing):?\s+[1-9]\d*/ },
  weakness: {
    detail: 'the report is read from the output that the tests share',
    unheld: ['inside the runner', 'environment', 'attack the reader'],
  },
});
export const junitRunner: BasicRunner = shellRunner('junit', 'junit-files', parseJunit, {
  summary: null,
  weakness: { detail: "the report is written by the project's own tools", unheld: ['inside the runner', 'environment'] },
});
export const exitCodeRunner: BasicRunner = shellRunner('exit-code', 'none', parseExit, {
  summary: null,
  weakness: {
    detail: 'only the exit status of the test command is known',
    unheld: ['remove tests', 'weaken tests', 'inside the runner', 'environment'],
  },
});

/** A word as the shell takes it for one; patterns stay what they are. */
export function quoted(word: string): string {
  return /^[\w./@%+=:,*?-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/** File part of ids where a report names none. */
const WHOLE_SUITE = '(suite)';

function shellRunner(
  name: RunnerName,
  report: RunPlan['report'],
  parse: BasicRunner['parse'],
  known: Pick<BasicRunner, 'summary' | 'weakness'>,
): BasicRunner {
  return {
    name,
    isReport: true,
    detect: (words) => ({ interpreterArgs: [], args: [...words] }),
    plan: (match) => ({ file: '/bin/sh', args: ['-c', match.args.join(' ')], env: {}, support: [], report }),
    parse,
    interpreter: null,
    leavings: [],
    files: { modules: [], settings: [], manifestKeys: [], packages: [] },
    marks: { hidden: [], variables: [], globals: [], modules: [], words: [] },
    single: null,
    ...known,
  };
}

function parseExit(output: RunnerOutput): ParsedRun {
  const file = output.files?.length === 1 ? firstItem(output.files) : WHOLE_SUITE;
  const message = output.code === 0 ? undefined : `${output.stdout}\n${output.stderr}`.trim().slice(-2_000);
  return {
    tests: toResults([{ file, name: ['suite'], status: output.code === 0 ? 'passed' : 'failed', message }], output.room),
    problems: [],
  };
}

async function parseTap(output: RunnerOutput): Promise<ParsedRun> {
  const raw: RawResult[] = [];
  const problems: string[] = [];
  const file = output.files?.length === 1 ? firstItem(output.files) : WHOLE_SUITE;
  const { Parser: TapParser } = await import('tap-parser');
  const parser = new TapParser();
  collectTap(parser, file, [], raw);
  parser.on('complete', (results) => {
    if (results.bailout) problems.push('the TAP output bails out');
    if (results.plan.start === null && results.count > 0) problems.push('the TAP output has no plan');
    if (results.failures.some((failure: object) => 'tapError' in failure)) problems.push('the TAP output breaks its plan');
  });
  parser.end(output.stdout);
  return { tests: toResults(raw, output.room), problems };
}

function collectTap(parser: Parser, file: string, name: readonly string[], raw: RawResult[]): void {
  parser.on('child', (child: Parser) => collectTap(child, file, [...name, child.name], raw));
  parser.on('assert', (assert) => {
    raw.push({
      file,
      name: [...name, assert.name === '' ? `#${assert.id}` : assert.name],
      status: tapStatus(assert),
      message: assert.ok ? undefined : JSON.stringify(assert.diag ?? {}).slice(0, 2_000),
    });
  });
}

function tapStatus(assert: { ok: boolean; skip: unknown; todo: unknown }): TestStatus {
  if (assert.skip !== false && assert.skip !== undefined) return 'skipped';
  if (assert.todo !== false && assert.todo !== undefined) return 'todo';
  return assert.ok ? 'passed' : 'failed';
}

/** Several JUnit documents arrive joined by a NUL character. */
async function parseJunit(output: RunnerOutput): Promise<ParsedRun> {
  if (output.report === null) return { tests: [], problems: ['no JUnit report was written'] };
  const { XMLParser } = await import('fast-xml-parser');
  const raw: RawResult[] = [];
  const problems: string[] = [];
  for (const document of output.report.split('\0')) {
    try {
      const parser = new XMLParser({
        ignoreAttributes: false,
        attributeNamePrefix: '@',
        processEntities: false,
        isArray: (tag) => ['testsuite', 'testcase'].includes(tag),
      });
      collectJunit(parser.parse(document), '', raw);
    } catch {
      problems.push('a JUnit report cannot be read');
    }
  }
  return { tests: toResults(raw, output.room), problems };
}

function collectJunit(node: unknown, file: string, raw: RawResult[]): void {
  if (!isRecord(node)) return;
  const here = text(node['@file']) || file;
  for (const key of ['testsuites', 'testsuite']) for (const child of asArray(node[key])) collectJunit(child, here, raw);
  for (const testcase of asArray(node['testcase'])) {
    if (!isRecord(testcase)) continue;
    const failure = testcase['failure'] ?? testcase['error'];
    raw.push({
      file: text(testcase['@file']) || here || text(testcase['@classname']) || WHOLE_SUITE,
      name: [text(testcase['@name'])],
      status:
        'error' in testcase
          ? 'error'
          : 'failure' in testcase
            ? 'failed'
            : 'skipped' in testcase
              ? 'skipped'
              : 'rerunFailure' in testcase || 'flakyFailure' in testcase
                ? 'retried'
                : 'passed',
      duration: Number(text(testcase['@time'])) * 1_000,
      message:
        failure === undefined ? undefined : isRecord(failure) ? `${text(failure['@message'])}\n${text(failure['#text'])}` : text(failure),
    });
  }
}

function asArray(value: unknown): unknown[] {
  return value === undefined ? [] : Array.isArray(value) ? value : [value];
}
