/** Shared shapes of results: ids, relative files, classes of failure. */
import { isAbsolute, relative } from 'node:path';
import type { TestResult, TestStatus } from '../../domain/verdict.ts';
import { failureWords } from './failure-words.ts';

/** Name of the result that stands for a whole file which could not be run. */
export const WHOLE_FILE = '(file)';

export interface RawResult {
  file: string;
  name: readonly string[];
  status: TestStatus;
  duration?: number;
  message?: string;
}

/** Results with stable ids: the second of the same id gets ` #2`, and a name that holds the path of the room is told without it, because every run has a room of its own. */
export function toResults(raw: readonly RawResult[], room: string): TestResult[] {
  const seen = new Map<string, number>();
  return raw.map((one) => {
    const file = relativeFile(one.file, room);
    const name = one.name.join(' > ').replaceAll(room, '.');
    const plain = `${file}::${name}`;
    const count = (seen.get(plain) ?? 0) + 1;
    seen.set(plain, count);
    const result: TestResult = { id: count === 1 ? plain : `${plain} #${count}`, file, name, status: one.status };
    if (one.duration !== undefined && Number.isFinite(one.duration)) result.duration_ms = one.duration;
    if (one.message !== undefined && one.message !== '') result.message = failureWords(one.message, room);
    if (one.status === 'failed' || one.status === 'error') result.failure = classifyFailure(one.message ?? '');
    return result;
  });
}

export function relativeFile(file: string, room: string): string {
  const path = isAbsolute(file) ? relative(room, file) : file;
  return path.replaceAll('\\', '/').replace(/^\.\//, '');
}

const IMPORT_FAILURE =
  /Cannot find (?:module|package)|ERR_MODULE_NOT_FOUND|MODULE_NOT_FOUND|ERR_PACKAGE_PATH_NOT_EXPORTED|does not provide an export named|Failed to (?:load url|resolve import)|ImportError|ModuleNotFoundError|Does the file exist\?/;
const TIMEOUT_FAILURE = /timed? ?out|testTimeoutFailure/i;
const ASSERTION_FAILURE = /AssertionError|ERR_ASSERTION|expect\(|^E\s+assert\b|assert /m;

function classifyFailure(message: string): NonNullable<TestResult['failure']> {
  if (IMPORT_FAILURE.test(message)) return 'import';
  if (ASSERTION_FAILURE.test(message)) return 'assertion';
  if (TIMEOUT_FAILURE.test(message)) return 'timeout';
  return 'other';
}

/** Values of a JSON-lines report; a line that does not parse ends it. */
export function readLines(report: string): { values: Record<string, unknown>[]; broken: boolean } {
  const values: Record<string, unknown>[] = [];
  for (const line of report.split('\n')) {
    if (line.trim() === '') continue;
    try {
      const value: unknown = JSON.parse(line);
      if (!isRecord(value)) return { values, broken: true };
      values.push(value);
    } catch {
      return { values, broken: true };
    }
  }
  return { values, broken: false };
}

/** null where the text is no object. */
export function parseObject(source: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(source);
    return isRecord(value) ? value : null;
  } catch {
    return null;
  }
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

export function strings(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((one): one is string => typeof one === 'string') : [];
}
