/**
 * The verdict of an evaluation, from the evaluator's line and report. Pure.
 *
 * 1. The report decides whether it passed: the last `### Verdict:` line counts. Without one it has not passed.
 * 2. The line says which layer failed; one without a layer means layer 3. A line that says FAIL is never overruled by a report that says PASS.
 */
import type { QaVerdict } from '../contract.ts';

export interface ReadVerdict {
  verdict: QaVerdict;
  /** Line and report contradict each other, or the report says nothing. */
  doubt: 'none' | 'no-verdict' | 'contradiction';
}

export function readVerdict(line: string | null, report: string): ReadVerdict {
  const said = verdictIn(line);
  const written = writtenVerdict(report);
  const failure = said === null || said === 'PASS' ? 'FAIL L3' : said;
  if (written === null) return { verdict: failure, doubt: 'no-verdict' };
  if (written === 'FAIL') return { verdict: failure, doubt: said === 'PASS' ? 'contradiction' : 'none' };
  return said === null || said === 'PASS' ? { verdict: 'PASS', doubt: 'none' } : { verdict: said, doubt: 'contradiction' };
}

/** Null: the report has no verdict. */
export function writtenVerdict(report: string): 'PASS' | 'FAIL' | null {
  const found = [...report.matchAll(/^#{1,6} *Verdict: *\**(PASS|FAIL)\b/gm)].at(-1);
  return found === undefined ? null : (found[1] as 'PASS' | 'FAIL');
}

function verdictIn(line: string | null): QaVerdict | null {
  if (line === null) return null;
  if (/\bFAIL L2\b/.test(line)) return 'FAIL L2';
  if (/\bFAIL\b/.test(line)) return 'FAIL L3';
  return /\bPASS\b/.test(line) ? 'PASS' : null;
}

/** What has to be put right, for the person who decides: the section of fix instructions, else the failed items. */
export function failingItems(report: string): string[] {
  const section = /^#{1,6} *Fix Instructions[^\n]*\n([\s\S]*?)(?=^#{1,6} |$(?![\s\S]))/m.exec(report)?.[1];
  const lines = (
    section ??
    report
      .split('\n')
      .filter((line) => /\bFAIL\b/.test(line) && !/Verdict:/.test(line))
      .join('\n')
  ).split('\n');
  return lines
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .slice(0, MOST_ITEMS)
    .map((line) => line.slice(0, LONGEST_ITEM));
}

const MOST_ITEMS = 10;
const LONGEST_ITEM = 300;
