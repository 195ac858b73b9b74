import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { treeOf } from '../../workspace/home.ts';
import { runInRoom } from './run-checks.ts';
import { createPlaceBench, type PlaceBench } from '../test-support.ts';

describe('commands in a clean room', () => {
  let bench: PlaceBench;
  beforeEach(() => void (bench = createPlaceBench({ git: true })));
  afterEach(() => bench.dispose());

  test('run in order over the tree, share what they make, and all report', async () => {
    bench.write({ 'untracked.txt': 'not in the tree\n' });
    const results = await bench.hold('true', async (place) =>
      runInRoom(place, {
        tree: await treeOf(place.platform, place.home, 'HEAD'),
        commands: [
          { name: 'build', command: 'cat hello.txt > built.txt; echo built', timeoutMs: 20_000 },
          { name: 'test', command: 'ls; cat built.txt; echo broken >&2; exit 3', timeoutMs: 20_000 },
          { name: 'lint', command: 'sleep 30', timeoutMs: 300 },
          { name: 'types', command: 'yes | head -c 3000000; echo the end', timeoutMs: 20_000 },
        ],
      }),
    );
    expect(results.map(({ name, exitCode, timedOut }) => [name, exitCode, timedOut])).toEqual([
      ['build', 0, false],
      ['test', 3, false],
      ['lint', null, true],
      ['types', 0, false],
    ]);
    expect(results[1]!.output).toContain('built.txt\nhello.txt\nhello');
    expect(results[1]!.output).toContain('broken');
    expect(results[1]!.output).not.toContain('untracked.txt');
    expect(results[2]!.durationMs).toBeGreaterThanOrEqual(300);
    expect(results[3]!.output).toMatch(/the end\s*$/);
    expect(results[3]!.output.length).toBeLessThan(10_000);
  });

  test('find the room as the tree says each time, and never see the user’s folder', async () => {
    const command = { name: 'look', command: 'ls; echo left > over.txt; echo x > hello.txt', timeoutMs: 20_000 };
    await bench.hold('true', async (place) => {
      const tree = await treeOf(place.platform, place.home, 'HEAD');
      await runInRoom(place, { tree, commands: [command] });
      const [again] = await runInRoom(place, { tree, commands: [{ ...command, command: 'ls; cat hello.txt' }] });
      expect(again!.output.trim()).toBe('hello.txt\nhello');
    });
    expect(bench.git('status', '--porcelain')).toBe('');
  });
});
