/** What a documenter can bring about, with a real program that writes in its place. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { feature, working } from '../machine/test-support.ts';
import { openMissionBench, type MissionBench } from '../test-support.ts';
import { document } from './document.ts';

let bench: MissionBench;
beforeAll(async () => void (bench = await openMissionBench()));
beforeEach(() => bench.reset());
afterAll(() => bench.close());

const write = async (script: string, step = document) => {
  bench.agent(`cat > /dev/null; mkdir -p docs; ${script}\n`);
  const state = working([feature(1, { status: 'passed' }), feature(2, { status: 'passed' })], { stage: 'closing' });
  return await bench.perform(step, state, { rules: { documents: 'done' } });
};

test('pages land once for all features, also where the branch went on meanwhile', async () => {
  let moved = false;
  const goOn = (): void => {
    if (moved) return;
    moved = true;
    writeFileSync(join(bench.place.root, 'src/more.txt'), 'more\n');
    bench.git('add', '-A');
    bench.git('commit', '-qm', 'More');
  };
  const told = await write('echo words > docs/one.md; echo DOCUMENTED', (place, ...rest) => {
    const diff: typeof place.trees.diff = async (...trees) => {
      goOn();
      return await place.trees.diff(...trees);
    };
    return document({ ...place, trees: Object.assign(Object.create(place.trees), { diff }) }, ...rest);
  });
  expect(told).toEqual({ event: { type: 'documented', features: ['F-001', 'F-002'] } });
  expect(bench.git('log', '-2', '--format=%s').split('\n')).toEqual(['Document F-001, F-002', 'More']);
  expect(bench.git('ls-files', 'docs', 'src/more.txt').split('\n')).toEqual(['docs/one.md', 'src/more.txt']);
});

test('pages of a writer that was stopped do not land', async () => {
  const before = bench.head();
  await write('echo half > docs/one.md; echo I begin; exit 3');
  expect(bench.head()).toEqual(before);
  expect(bench.told('warning').at(-1)!.message).toContain('it was stopped');
});
