/**
 * Tests that were renamed or moved: gone under one name, passing under another with the same body.
 *
 * A body that several tests share on either side says nothing about which is which, unless there are as many as before.
 */
import { fileOf } from '../../domain/verdict.ts';
import type { TreeStore } from '../../domain/tree.ts';
import type { Platform } from '../../platform/platform.ts';
import { readSources } from '../source/read-source.ts';
import { languageOf } from '../source/source.ts';
import { bodyHash, testNamed } from '../source/test-names.ts';
import { itemAt } from '../../domain/items.ts';

/** From the old id to the new one. */
export function matchMoves(
  gone: readonly string[],
  gained: readonly string[],
  before: ReadonlyMap<string, string>,
  now: ReadonlyMap<string, string>,
): Map<string, string> {
  const moves = new Map<string, string>();
  const byBody = groupBy(gained, now);
  for (const [body, old] of groupBy(gone, before)) {
    const candidates = byBody.get(body) ?? [];
    if (candidates.length !== old.length) continue;
    for (const [index, id] of old.toSorted().entries()) moves.set(id, itemAt(candidates.toSorted(), index));
  }
  return moves;
}

function groupBy(ids: readonly string[], bodies: ReadonlyMap<string, string>): Map<string, string[]> {
  const groups = new Map<string, string[]>();
  for (const id of ids) {
    const body = bodies.get(id);
    if (body !== undefined) groups.set(body, [...(groups.get(body) ?? []), id]);
  }
  return groups;
}

/** Of tests that are gone, those that pass under another name; each side with the tree in which its texts stand. */
export async function findMoves(
  platform: Platform,
  trees: TreeStore,
  gone: { tree: string; ids: readonly string[] },
  gained: { tree: string; ids: readonly string[] },
): Promise<Map<string, string>> {
  if (gone.ids.length === 0 || gained.ids.length === 0) return new Map();
  const [before, now] = [await bodiesOf(platform, trees, gone.tree, gone.ids), await bodiesOf(platform, trees, gained.tree, gained.ids)];
  return matchMoves(gone.ids, gained.ids, before, now);
}

/** Hashes of the bodies of these tests, where their texts can be found in the tree; also where a title is worked out only as the test runs. */
export async function bodiesOf(platform: Platform, trees: TreeStore, tree: string, ids: readonly string[]): Promise<Map<string, string>> {
  const bodies = new Map<string, string>();
  const files = [...new Set(ids.map(fileOf))].filter((file) => languageOf(file) !== null);
  const texts = await Promise.all(files.map(async (path) => ({ path, text: (await trees.read(tree, path))?.toString('utf8') ?? '' })));
  const readings = await readSources(platform, texts);
  const byFile = new Map(texts.map(({ path, text }, index) => [path, { text, reading: readings[index] ?? null }]));
  for (const id of ids) {
    const known = byFile.get(fileOf(id));
    if (known === undefined || known.reading === null) continue;
    const one = testNamed(known.reading, id.slice(fileOf(id).length + 2).replace(/ #\d+$/, ''), known.text);
    if (one !== null) bodies.set(id, bodyHash(known.text, one));
  }
  return bodies;
}
