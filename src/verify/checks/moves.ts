/**
 * Tests that were renamed or moved: gone under one name, passing under another with the same body.
 *
 * A body that several tests share on either side says nothing about which is which, unless there are as many as before.
 */
import type { TreeStore } from '../../domain/tree.ts';
import { fileOf } from '../memory/baseline.ts';
import { languageOf } from '../source/mask.ts';
import { bodyHash, isNamed, testCasesIn } from '../source/test-cases.ts';

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
    for (const [index, id] of old.toSorted().entries()) moves.set(id, candidates.toSorted()[index]!);
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

/** Hashes of the bodies of these tests, where their texts can be found in the tree. */
export async function bodiesOf(trees: TreeStore, tree: string, ids: readonly string[]): Promise<Map<string, string>> {
  const bodies = new Map<string, string>();
  for (const file of new Set(ids.map(fileOf))) {
    const language = languageOf(file);
    const text = language === null ? undefined : (await trees.read(tree, file))?.toString('utf8');
    if (language === null || text === undefined) continue;
    const cases = testCasesIn(text, language);
    for (const id of ids.filter((one) => fileOf(one) === file)) {
      const name = id.slice(file.length + 2).replace(/ #\d+$/, '');
      const own = cases.filter((one) => one.title !== null && isNamed(name, one.title));
      if (own.length === 1) bodies.set(id, bodyHash(text, own[0]!));
    }
  }
  return bodies;
}
