import { readdirSync } from 'node:fs';
import { afterEach, expect, test } from 'vitest';
import { pruneSaid } from './say/say.ts';
import { createPlaceBench, type PlaceBench } from './test-support.ts';

let bench: PlaceBench;
afterEach(() => bench.dispose());

test.each<[number, number[], number[]]>([
  [2, [], [11, 12]],
  [2, [3], [3, 11, 12]],
  [4, [], [3, 9, 11, 12]],
  [0, [], [3, 9, 11, 12]],
])('with %i sessions kept and %j under way what was said in %j stays', async (keep, underWay, left) => {
  bench = createPlaceBench({ git: false });
  const name = (session: number): string => `session-${String(session).padStart(6, '0')}.jsonl`;
  bench.write(Object.fromEntries([3, 9, 11, 12].map((session) => [`logs/said/${name(session)}`, '{}\n'])));
  bench.write({ 'logs/events.jsonl': '{}\n' });
  const documents = { where: (folder: string) => `${bench.root}/${folder}` } as Parameters<typeof pruneSaid>[0]['documents'];
  await pruneSaid({ platform: bench.platform, documents, stateDir: bench.root }, keep, underWay);
  expect(readdirSync(`${bench.root}/logs/said`).toSorted()).toEqual(left.map(name));
  expect(readdirSync(`${bench.root}/logs`).toSorted()).toEqual(['events.jsonl', 'said']);
});
