/** Where the examiner and the work disagree: what each of them says, for the person who decides. */
import { cleanText } from '../../../domain/clean-text.ts';
import type { ExaminedTest } from '../../../domain/verdict.ts';

const LONGEST_CODE = 40;

export function bothSides(examined: readonly ExaminedTest[], said: string | null): string[] {
  const failing = examined.filter(({ passed }) => !passed);
  if (failing.length === 0) return [];
  return [
    ...failing.flatMap(({ behaviour, code, message }) => [
      `the examiner expects: ${behaviour}`,
      ...linesOf(code).map((line) => `    ${line}`),
      `  the work gives: ${inOneLine(message) || 'no result that could be read'}`,
    ]),
    ...(said === null || said.trim() === '' ? [] : ['the agent says:', ...linesOf(said).map((line) => `    ${line}`)]),
  ];
}

function linesOf(text: string): string[] {
  const lines = cleanText(text).trimEnd().split('\n');
  return lines.length <= LONGEST_CODE ? lines : [...lines.slice(0, LONGEST_CODE), `… and ${lines.length - LONGEST_CODE} more lines`];
}

function inOneLine(message: string | null): string {
  return cleanText(message ?? '')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, LONGEST_MESSAGE);
}

const LONGEST_MESSAGE = 300;
