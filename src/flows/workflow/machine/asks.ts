/**
 * What layer 1 finds that a person may accept, as in the project flow: changed tests, settings of tools, dependencies. Pure.
 *
 * 1. It is asked only where nothing else stands against what was done to the project: what is refused anyway goes back first.
 * 2. What is accepted is a file as it was shown. The same file in another version is asked about again.
 */
import type { Accepted, Asks } from '../contract.ts';
import { pathsInSubjects } from '../../../domain/finding-paths.ts';
import type { TreeChange, TreeEdit } from '../../../domain/tree.ts';
import type { Finding } from '../../../domain/verdict.ts';
import { firstItem } from '../../../domain/items.ts';
import { beforeFirst } from '../../../domain/text-parts.ts';

export function asksAbout(findings: readonly Finding[], changes: readonly TreeChange[]): Asks | null {
  const deciding = findings.filter((finding) => finding.weight !== 'warn');
  const changed = new Set(changes.map((change) => change.path));
  if (deciding.length === 0 || !deciding.every((finding) => isAcceptable(finding, changed))) return null;
  return {
    gate: firstItem(deciding).reason === 'dependencies.changed' ? 'workflow.dependencies' : 'workflow.tampering',
    findings: deciding.map((finding) => `${finding.reason}: ${finding.message}`),
    subjects: [...new Set(deciding.flatMap((finding) => finding.subjects))],
  };
}

/** A question in the project flow as well, and about files that the work changed. What cannot be captured as it is, the implementer can mend. */
function isAcceptable({ check, weight, reason, subjects }: Finding, changed: ReadonlySet<string>): boolean {
  const paths = pathsInSubjects(subjects);
  return (
    weight === 'ask' &&
    check !== 'capture' &&
    (reason.startsWith('tamper.') || reason === 'dependencies.changed') &&
    paths.length > 0 &&
    paths.every((path) => changed.has(path))
  );
}

/** The files in question as they stand. */
export function acceptedAs({ subjects }: Pick<Asks, 'subjects'>, changes: readonly TreeChange[]): Accepted[] {
  const paths = new Set(pathsInSubjects(subjects));
  return changes
    .filter((change) => paths.has(change.path))
    .map(({ path, to }) => ({ path, entry: to === null ? null : { mode: to.mode, oid: to.oid } }));
}

/** Of the changes, those that a person accepted in just this version: they belong to what the rest is judged by. */
export function acceptedAmong(changes: readonly TreeChange[], allowed: readonly Accepted[]): TreeEdit[] {
  return changes
    .filter(({ path, to }) => allowed.some((one) => one.path === path && one.entry?.oid === to?.oid && one.entry?.mode === to?.mode))
    .map(({ path, to }): TreeEdit => (to === null ? { path, kind: 'delete' } : { path, kind: 'entry', entry: to }));
}

/**
 * Tests that a spec lets change, each in a line of its own: `- May change: test/a.test.js (the format is another now)`. A person has approved them with the
 * spec. Paths and globs; the words before the colon stay English in every language.
 */
export function mayChangeIn(spec: string): string[] {
  const lines = [...spec.matchAll(/^[ \t]*(?:[-*+][ \t]+)?(?:\*\*)?May change(?:\*\*)?:(?:\*\*)?[ \t]+(\S[^\n]{0,500})$/gim)];
  return [...new Set(lines.map(([, rest = '']) => (/^`([^`]+)`/.exec(rest)?.[1] ?? beforeFirst(rest, /[\s,;:]/)).trim()))].filter(isNarrow);
}

/** One that would let every file change lets none. */
function isNarrow(glob: string): boolean {
  return glob !== '' && !glob.startsWith('/') && !glob.split('/').includes('..') && /[^*?/.[\]{}]/.test(glob);
}
