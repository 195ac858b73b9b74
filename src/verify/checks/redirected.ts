/**
 * Names that a test takes from another file than before, although the earlier one still has them: what it tests is another thing now.
 *
 * A file that only hands on what the new one has is no other thing.
 */
import { posix } from 'node:path';
import type { Platform } from '../../platform/platform.ts';
import type { JudgeInput } from '../contract.ts';
import { moduleCandidates, pythonCandidates } from '../source/imports.ts';
import { readSource } from '../source/read-source.ts';
import type { SourceImport, SourceReading } from '../source/source.ts';

/** Each as a sentence; empty: none. */
export async function redirectedNames(
  platform: Platform,
  { trees, candidate }: Pick<JudgeInput, 'trees' | 'candidate'>,
  path: string,
  before: SourceReading,
  after: SourceReading,
): Promise<string[]> {
  const known = new Set(before.imports.flatMap((one) => one.names.map((name) => `${one.specifier} ${name}`)));
  const moved = after.imports.some((one) => one.names.some((name) => !known.has(`${one.specifier} ${name}`)));
  if (!moved) return [];
  const paths = new Set((await trees.list(candidate.tree)).map((entry) => entry.path));
  const [old, now] = [before, after].map((reading) => placesOf(reading, path, paths)) as [Map<string, string>, Map<string, string>];
  const found: string[] = [];
  for (const [name, place] of old) {
    const other = now.get(name);
    if (other === undefined || other === place) continue;
    const reading = await readSource(platform, place, (await trees.read(candidate.tree, place))?.toString('utf8') ?? '');
    const handsOn = reading?.imports.some((one) => filesOf(one, place, paths).includes(other)) ?? false;
    if (!handsOn && (reading === null || reading.exports.includes(name)))
      found.push(`${name} was taken from ${place}, which still has it, and is taken from ${other} now`);
  }
  return found;
}

/** From the names that are imported to the files that they come from. */
function placesOf(reading: SourceReading, path: string, paths: ReadonlySet<string>): Map<string, string> {
  const places = new Map<string, string>();
  for (const one of reading.imports) {
    const [file] = filesOf(one, path, paths);
    if (file !== undefined) for (const name of one.names) places.set(name, file);
  }
  return places;
}

function filesOf(one: SourceImport, path: string, paths: ReadonlySet<string>): string[] {
  const candidates = path.endsWith('.py')
    ? pythonCandidates({ ...one, names: [] }, path).at(-1)
    : one.specifier.startsWith('.')
      ? moduleCandidates(posix.join(posix.dirname(path), one.specifier))
      : [];
  return (candidates ?? []).filter((file) => paths.has(file));
}
