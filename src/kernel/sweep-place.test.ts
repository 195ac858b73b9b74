import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { projectKey } from '../workspace/paths.ts';
import { createBench } from '../workspace/test-support.ts';
import type { Place } from './place.ts';
import { sweepPlace } from './sweep-place.ts';

/** Above the highest number that a process can have. */
const NOBODY = 4_194_305;

test('what a dead process left beside the base of a copy goes, and what a living one writes stays', async () => {
  const bench = createBench();
  bench.write({ 'a.txt': 'a' });
  bench.commit();
  const home = await bench.home();
  const lane = join(bench.harnessHome, 'work', projectKey(home.root), 'lane-1');
  const left = [
    'pristine.git/.harness-tmp-harness-base-pID-1a',
    'pristine.git/refs/harness/.harness-tmp-base-pID-2b',
    '.harness-tmp-x-pID-3c',
  ];
  const [dead, living] = [NOBODY, process.ppid].map((pid) => left.map((name) => join(lane, name.replace('ID', String(pid)))));
  for (const path of [...dead!, ...living!, join(lane, 'pristine.git/harness-base')]) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, 'x');
  }
  const place = { platform: bench.platform, home, harnessHome: bench.harnessHome, root: bench.root };
  expect((await sweepPlace(place as Place)).toSorted()).toEqual(dead!.toSorted());
  bench.dispose();
});
