/** Where hidden tests and the work disagree: what each side says, for the person who decides. Code and output of the tests stay out of it. */
import { cleanLine, cleanText } from '../../../domain/clean-text.ts';
import type { ExaminedTest } from '../../../domain/verdict.ts';

const LONGEST_WORDS = 40;

export function bothSides(examined: readonly ExaminedTest[], said: string | null): string[] {
  const failing = examined.filter(({ passed, ruling }) => !passed && ruling === 'entailed');
  if (failing.length === 0) return [];
  return [
    ...failing.flatMap(({ behaviour, reason = '' }) => [
      `a hidden test checks: ${cleanLine(behaviour)}`,
      ...(reason === '' ? [] : [`    required because: ${cleanLine(reason)}`]),
    ]),
    ...(said === null || said.trim() === '' ? [] : ['the agent says:', ...linesOf(said).map((line) => `    ${line}`)]),
    'to see the tests and what they said, run harness tests --hidden at a terminal',
  ];
}

function linesOf(text: string): string[] {
  const lines = cleanText(text).trimEnd().split('\n');
  return lines.length <= LONGEST_WORDS ? lines : [...lines.slice(0, LONGEST_WORDS), `… and ${lines.length - LONGEST_WORDS} more lines`];
}
