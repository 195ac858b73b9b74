/** What an agent needs to go on with work that another session left. Pure. */
import { joinSections, listOf, oneLine, testFileLine } from './one-line.ts';

export interface PartialFacts {
  feature: { id: number; description: string };
  test_files: readonly string[];
  /** The one that left the work; null where nobody knows. */
  session: number | null;
  /** In words. */
  reason: string;
  done: readonly string[];
  left: readonly string[];
  decisions: readonly string[];
  files: readonly string[];
  /** The last lines that its agent said. */
  said: readonly string[];
  /** The last line of its agent that reads like the result of a test run. */
  last_test: string | null;
}

export function partialDetails(facts: PartialFacts): string {
  const test = facts.last_test === null ? [] : [`**Last test result it saw:** ${oneLine(facts.last_test, 160)}`];
  return joinSections([
    [
      '## Continuing Partial Feature',
      `**Feature #${facts.feature.id}:** ${oneLine(facts.feature.description, 200)}`,
      `**Status:** partial (${facts.session === null ? '' : `session ${facts.session}: `}${oneLine(facts.reason, 120)})`,
      testFileLine(facts.test_files),
      ...test,
    ],
    listOf(
      "**What's Done** (from the notes of the earlier session)",
      facts.done.slice(0, 8).map((item) => oneLine(item, 140)),
    ),
    listOf(
      "**What's Left** (from the notes of the earlier session)",
      facts.left.slice(0, 8).map((item) => oneLine(item, 140)),
    ),
    listOf(
      '**Decisions** (from the notes of the earlier session)',
      facts.decisions.slice(0, 5).map((item) => oneLine(item, 160)),
    ),
    listOf(
      '**Last words of its agent** (its own view, not checked)',
      facts.said.slice(-6).map((item) => oneLine(item, 200)),
    ),
    listOf(
      '**Files in progress** (changed since the last accepted commit)',
      facts.files.slice(0, 12).map((file) => oneLine(file, 120)),
    ),
    ['See the unfinished work with `git status` and `git diff HEAD` in your copy. Continue from where it stopped; do not start over.'],
  ]);
}
