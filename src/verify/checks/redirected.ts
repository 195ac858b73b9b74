/**
 * Names of a test that stand for something else than before, although the file that they came from still has it: what it tests is another thing now.
 *
 * A file that only hands on what the new one has is no other thing.
 */
import { pathSetOf } from '../../domain/tree-index.ts';
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
  { path, before, after }: { path: string; before: SourceReading; after: SourceReading },
): Promise<string[]> {
  const words = ({ imports }: SourceReading): string[] =>
    imports.flatMap((one) => one.locals.map((local, at) => `${one.specifier} ${one.names[at]} ${local}`));
  const kept = new Set(words(after));
  if (words(before).every((one) => kept.has(one))) return [];
  const paths = pathSetOf(await trees.list(candidate.tree));
  const [old, now] = [before, after].map((reading) => placesOf(reading, path, paths)) as [Map<string, Place>, Map<string, Place>];
  const bound = new Set(after.statements.flatMap((one) => one.names));
  const found: string[] = [];
  for (const [local, place] of old) {
    const other = now.get(local);
    if (other === undefined ? !bound.has(local) : other.file === place.file && other.name === place.name) continue;
    const reading = await readSource(platform, place.file, (await trees.read(candidate.tree, place.file))?.toString('utf8') ?? '');
    const isHandedOn =
      other !== undefined && reading !== null && handsOn(reading, place, (one) => filesOf(one, place.file, paths).includes(other.file));
    if (!isHandedOn && (reading === null || place.name === '*' || reading.exports.includes(place.name)))
      found.push(
        `${local} came from ${place.file}, which still has it, and is now ${other === undefined ? 'something else' : `${other.name} of ${other.file}`}`,
      );
  }
  return found;
}

/** Whether a file has under this name what it takes from elsewhere. */
function handsOn({ imports, exports }: SourceReading, { name }: Place, isFrom: (one: SourceImport) => boolean): boolean {
  return imports
    .filter(isFrom)
    .some(({ names, locals }) =>
      names.length === 0
        ? exports.includes('*')
        : locals.length === 0
          ? names.includes(name) || names.includes('*')
          : locals.includes(name) || locals.includes('*'),
    );
}

interface Place {
  file: string;
  /** What it is called there. */
  name: string;
}

/** From the names of the test to the files that they come from. */
function placesOf(reading: SourceReading, path: string, paths: ReadonlySet<string>): Map<string, Place> {
  const places = new Map<string, Place>();
  for (const one of reading.imports.filter(({ isType }) => !isType)) {
    const [file] = filesOf(one, path, paths);
    if (file !== undefined) for (const [at, local] of one.locals.entries()) places.set(local, { file, name: one.names[at] ?? '*' });
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
