import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { treeOf } from '../../workspace/home.ts';
import { callRole } from './call-role.ts';
import type { Desk, RoleCall } from './contract.ts';
import { readCosts } from './costs-file.ts';
import { createDeskBench, type DeskBench } from './test-support.ts';

const GREETING = 'cat > /dev/null; echo "thinking"; printf "# Report\\n" > "$HARNESS_OUTPUT"; echo "report written - 1 section"\n';

async function calling(desk: Desk, more: Partial<RoleCall> = {}): Promise<RoleCall> {
  return {
    role: 'workflow/tester',
    variables: { task: 'greet' },
    model: null,
    output: 'report.md',
    lane: 'tester',
    tree: await treeOf(desk.platform, desk.home, desk.home.head!),
    keeps: 'output',
    ...more,
  };
}

describe.each([
  ['inside git', true],
  ['outside git', false],
])('a role %s', (_, git) => {
  let bench: DeskBench;
  beforeEach(() => void (bench = createDeskBench({ git })));
  afterEach(() => bench.dispose());

  test('gives its file and its last words, and changes nothing of the user', async () => {
    const result = await bench.hold(GREETING, async (desk) => callRole(desk, await calling(desk)));
    expect(result).toEqual({
      stop: null,
      reply: 'thinking\nreport written - 1 section',
      output: '# Report\n',
      refused: null,
      capture: null,
    });
    expect(existsSync(join(bench.root, 'report.md'))).toBe(false);
    expect(bench.events.map((event) => event.type)).toEqual(expect.arrayContaining(['session.start', 'workspace.prepared', 'session.end']));
    if (git) expect(bench.git('status', '--porcelain')).toBe('');
  });

  test('sees prompt, role and files in its copy', async () => {
    const script = '{ cat; echo; echo "$HARNESS_ROLE $HARNESS_SESSION"; cat hello.txt; ls -A; } > "$HARNESS_OUTPUT"\n';
    const result = await bench.hold(script, async (desk) => callRole(desk, await calling(desk)));
    expect(result.output).toContain('You are a test.\n\nDo: greet');
    expect(result.output).toContain('workflow/tester 1\nhello\n');
  });

  test('that keeps its tree hands its changes over, without its own file', async () => {
    const script = 'echo changed > hello.txt; echo new > added.txt; echo x > "$HARNESS_OUTPUT"\n';
    await bench.hold(script, async (desk) => {
      const { capture } = await callRole(desk, await calling(desk, { keeps: 'tree' }));
      expect(capture!.changed.map((change) => `${change.status} ${change.path}`).toSorted()).toEqual([
        'added added.txt',
        'modified hello.txt',
      ]);
      expect((await desk.trees.read(capture!.tree, 'hello.txt'))!.toString()).toBe('changed\n');
    });
    expect(readFileSync(join(bench.root, 'hello.txt'), 'utf8')).toBe('hello\n');
  });

  test('can work beside another one, each with its own files, number and cost', async () => {
    const script = [
      'echo "$HARNESS_SESSION" > own.txt',
      'sleep 1',
      'printf "%s %s" "$HARNESS_SESSION" "$(cat own.txt)" > "$HARNESS_OUTPUT"',
      `echo '{"type":"usage","input_tokens":10,"output_tokens":1,"cost_usd":0.25}'`,
    ].join('\n');
    await bench.hold(script, async (desk) => {
      const results = await Promise.all(['one', 'two', 'three'].map(async (lane) => callRole(desk, await calling(desk, { lane }))));
      expect(results.map((result) => result.stop)).toEqual([null, null, null]);
      expect(results.map((result) => result.output).toSorted()).toEqual(['1 1', '2 2', '3 3']);
      const { cumulative } = await readCosts(desk, { writer: false });
      expect(cumulative).toMatchObject({ total_sessions: 3, total_cost_usd: 0.75 });
    });
  });
});
