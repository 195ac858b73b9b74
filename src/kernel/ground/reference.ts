/**
 * `--reference PATH`: a file with the conventions of a project, named by a person.
 *
 * 1. The first check that fails names itself; nothing else is tried in its place.
 * 2. A resumed session checks again: the file may have changed since.
 */
import { usageError } from '../../domain/errors.ts';
import { validatePath, type PathRule } from '../../domain/validate-path.ts';
import type { Place } from '../place.ts';
import { MOST_BYTES, MOST_LINES, readGuidance, type GuidanceFault } from '../roles/guidance-file.ts';
import { wordsIn } from '../../domain/words.ts';

type Ground = Pick<Place, 'platform' | 'root'>;

export type Reference =
  | { ok: true; path: string; text: string }
  | { ok: false; check: 'path'; rule: PathRule }
  | { ok: false; check: 'file'; fault: GuidanceFault | 'extension' };

/** The normalised path; a file that may not be used is an error with the failed check, exit 2. */
export async function checkReference(ground: Ground, given: string, language: string): Promise<string> {
  return (await readReference(ground, given, language)).path;
}

export async function readReference(ground: Ground, given: string, language: string): Promise<{ path: string; text: string }> {
  const found = await inspectReference(ground, given);
  if (found.ok) return found;
  const words = wordsIn(language).common;
  const reason = found.check === 'path' ? words.path.reasons[found.rule] : words.reference[found.fault];
  throw usageError(words.path.refused({ setting: '--reference', path: given, reason }));
}

export async function inspectReference({ platform, root }: Ground, given: string): Promise<Reference> {
  const checked = validatePath(given, 'file_reference');
  if (!checked.ok) return { ok: false, check: 'path', rule: checked.rule };
  if (!/\.(?:md|txt|markdown)$/i.test(checked.path)) return { ok: false, check: 'file', fault: 'extension' };
  const file = await readGuidance(platform, root, checked.path, { noLinks: true, bytes: MOST_BYTES, lines: MOST_LINES });
  return file.ok ? { ok: true, path: checked.path, text: file.text } : { ok: false, check: 'file', fault: file.fault };
}
