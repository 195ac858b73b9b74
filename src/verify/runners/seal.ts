/**
 * The seal of a report: only who read the key before any code under test was loaded can have written it.
 *
 * 1. The key lies in a file that the reporter removes as it reads it; the report ends with a line that seals all before it.
 * 2. Threads that code under test starts load the same modules again: they get no key.
 * 3. A report without the right seal is no report, whoever wrote it.
 */
import program from '../../../assets/parts/seal.mjs';
import { createHmac } from 'node:crypto';
import { asScript, fill } from '../../domain/fill-program.ts';

/** The report without its seal; null where the seal is missing or wrong. */
export function openSealed(report: string, key: string): string | null {
  const end = report.endsWith('\n') ? report.length - 1 : report.length;
  const at = report.lastIndexOf('\n', end - 1) + 1;
  const content = report.slice(0, at);
  const match = /^\{"seal":"([0-9a-f]{64})"\}$/.exec(report.slice(at, end));
  return match !== null && match[1] === createHmac('sha256', key).update(content).digest('hex') ? content : null;
}

/** For reporters in JavaScript: `seal(text)` gives the last line. What it needs is taken before code under test can change it. */
export function sealSource(keyPath: string, style: 'module' | 'commonjs'): string {
  const module = fill(program, { key: JSON.stringify(keyPath) });
  return style === 'module' ? module : asScript(module);
}
