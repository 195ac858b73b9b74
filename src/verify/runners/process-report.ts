/** The report of a runner that hears of all its tests in one process: a list of tests, and how many failures it counted. */
import type { TestStatus } from '../../domain/verdict.ts';
import { noReport } from './no-report.ts';
import { isRecord, parseObject, strings, text, toResults, WHOLE_FILE, type RawResult } from './results.ts';
import type { ParsedRun, RunnerOutput } from './runner.ts';
import { beforeFirst } from '../../domain/text-parts.ts';

/** `name` is the runner's, for people. */
export function parseProcessReport(output: RunnerOutput, name: string): ParsedRun {
  if (output.report === null) return noReport(output);
  const report = parseObject(output.report);
  if (report === null || !Array.isArray(report['tests'])) return { tests: [], problems: ['the report cannot be read'] };
  const raw = report['tests'].filter(isRecord).map(toRaw);
  const failed = raw.filter((one) => one.status === 'failed' || one.status === 'error').length;
  const problems = strings(report['problems']).map((problem) => `error outside the tests: ${beforeFirst(problem, '\n').slice(0, 300)}`);
  if (typeof report['failures'] === 'number' && report['failures'] > 0 && failed === 0)
    problems.push(`${name} counted ${report['failures']} failures that its results do not show`);
  return { tests: toResults(raw, output.room), problems };
}

function toRaw(test: Record<string, unknown>): RawResult {
  const name = strings(test['name']);
  const duration = typeof test['duration'] === 'number' ? test['duration'] : undefined;
  const message = text(test['message']);
  return { file: text(test['file']), name: name.length === 0 ? [WHOLE_FILE] : name, status: statusOf(test), duration, message };
}

const AS_TOLD: readonly TestStatus[] = ['todo', 'xfail'];

function statusOf(test: Record<string, unknown>): TestStatus {
  if (test['status'] === 'failed') return test['hook'] === true || strings(test['name'])[0] === WHOLE_FILE ? 'error' : 'failed';
  if (test['status'] !== 'passed') return AS_TOLD.find((one) => one === test['status']) ?? 'skipped';
  return typeof test['retries'] === 'number' && test['retries'] > 0 ? 'retried' : 'passed';
}
