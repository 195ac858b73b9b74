/**
 * Of tests that do not pass under other conditions, those that a session is held to.
 *
 * 1. A test that passed before the session, and that the base does not pass either under the same conditions, is a property of the project:
 *    told, and held against nobody.
 * 2. Everything else is the session's: new tests, and old ones that stand it on the base.
 */
import { pathSetOf } from '../../domain/tree-index.ts';
import { fileOf } from '../../domain/verdict.ts';
import type { JudgeInput } from '../contract.ts';

export interface Lost {
  anew: string[];
  /** Ids of tests that do not pass on the base either. */
  before: string[];
}

/** `lost`: lines that begin with the id of a test. `onBase`: those of the given tests that are lost in these files of the base, in such lines. */
export async function lostAnew(
  { baseline, trees, base }: Pick<JudgeInput, 'baseline' | 'trees' | 'base'>,
  lost: readonly string[],
  onBase: (files: string[], wanted: string[]) => Promise<string[]>,
): Promise<Lost> {
  const old = (baseline?.passing_tests ?? []).filter((id) => lost.some((line) => isAbout(line, id)));
  const present = pathSetOf(await trees.list(base.tree));
  const wanted = old.filter((id) => present.has(fileOf(id)));
  if (wanted.length === 0) return { anew: [...lost], before: [] };
  const there = await onBase([...new Set(wanted.map(fileOf))], wanted);
  const before = wanted.filter((id) => there.some((line) => isAbout(line, id)));
  return { anew: lost.filter((line) => !before.some((id) => isAbout(line, id))), before };
}

function isAbout(line: string, id: string): boolean {
  return line.startsWith(`${id} (`);
}

/** For the detail of a check; empty where there are none. */
export function beforeWords(before: readonly string[]): string {
  if (before.length === 0) return '';
  const shown = before.slice(0, 3).join(', ');
  const more = before.length > 3 ? ` and ${before.length - 3} more` : '';
  return `; ignored, because it also fails on base: ${shown}${more}`;
}
