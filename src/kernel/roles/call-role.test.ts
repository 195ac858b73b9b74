import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { treeOf } from '../../workspace/home.ts';
import { callRole } from './call-role.ts';
import type { Place } from '../place.ts';
import type { RoleCall } from './contract.ts';
import { readCosts } from '../books/costs-file.ts';
import { createPlaceBench, type PlaceBench } from '../test-support.ts';

const GREETING = 'cat > /dev/null; echo "thinking"; printf "# Report\\n" > "$HARNESS_OUTPUT"; echo "report written - 1 section"\n';

async function calling(place: Place, more: Partial<RoleCall> = {}): Promise<RoleCall> {
  return {
    role: 'workflow/tester',
    variables: { task: 'greet' },
    model: null,
    output: 'report.md',
    lane: 'tester',
    tree: await treeOf(place.platform, place.home, place.home.head!),
    keeps: 'output',
    language: 'en',
    ...more,
  };
}

describe.each([
  ['inside git', true],
  ['outside git', false],
])('a role %s', (_, git) => {
  let bench: PlaceBench;
  beforeEach(() => void (bench = createPlaceBench({ git })));
  afterEach(() => bench.dispose());

  test('gives its file and its last words, and changes nothing of the user', async () => {
    const result = await bench.hold(GREETING, async (place) => callRole(place, await calling(place)));
    expect(result).toEqual({
      session: 1,
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
    const result = await bench.hold(script, async (place) => callRole(place, await calling(place)));
    expect(result.output).toContain('You are a test.\n\nDo: greet');
    expect(result.output).toContain('workflow/tester 1\nhello\n');
  });

  test('that keeps its tree hands its changes over, without its own file', async () => {
    const script = 'echo changed > hello.txt; echo new > added.txt; echo x > "$HARNESS_OUTPUT"\n';
    await bench.hold(script, async (place) => {
      const { capture } = await callRole(place, await calling(place, { keeps: 'tree' }));
      expect(capture!.changed.map((change) => `${change.status} ${change.path}`).toSorted()).toEqual([
        'added added.txt',
        'modified hello.txt',
      ]);
      expect((await place.trees.read(capture!.tree, 'hello.txt'))!.toString()).toBe('changed\n');
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
    await bench.hold(script, async (place) => {
      const results = await Promise.all(['one', 'two', 'three'].map(async (lane) => callRole(place, await calling(place, { lane }))));
      expect(results.map((result) => result.stop)).toEqual([null, null, null]);
      expect(results.map((result) => result.output).toSorted()).toEqual(['1 1', '2 2', '3 3']);
      const { cumulative } = await readCosts(place, { writer: false });
      expect(cumulative).toMatchObject({ total_sessions: 3, total_cost_usd: 0.75 });
    });
  });
});

describe('a role call', () => {
  let bench: PlaceBench;
  beforeEach(() => void (bench = createPlaceBench({ git: true })));
  afterEach(() => bench.dispose());

  test.each([
    ['a link', 'ln -s /etc/hostname "$HARNESS_OUTPUT"', /is a link/],
    ['ten megabytes', 'head -c 10485760 /dev/zero | tr "\\0" x > "$HARNESS_OUTPUT"', /10485760 bytes/],
    ['a directory', 'mkdir "$HARNESS_OUTPUT"', /is a directory/],
    ['no text', 'head -c 500 /dev/urandom > "$HARNESS_OUTPUT"', /UTF-8|null bytes/],
    ['its folder moved away', 'd=$(dirname "$HARNESS_OUTPUT"); rm -r "$d"; ln -s /etc "$d"', /no longer a directory/],
  ])('does not take %s for a file', async (_, script, reason) => {
    const result = await bench.hold(script, async (place) => callRole(place, await calling(place)));
    expect(result).toMatchObject({ stop: null, output: null });
    expect(result.refused).toMatch(reason);
    expect(bench.events.filter((event) => event.type === 'warning').map((event) => event.message)).toEqual(
      expect.arrayContaining([expect.stringContaining('the file of workflow/tester was not taken')]),
    );
  });

  test('does not find what an earlier call in the same lane wrote', async () => {
    await bench.hold('echo one > "$HARNESS_OUTPUT"; echo x > stray.txt', async (place) => callRole(place, await calling(place)));
    const second = await bench.hold('ls -A . .harness/output', async (place) => callRole(place, await calling(place)));
    expect(second).toMatchObject({ output: null, refused: null });
    expect(second.reply).not.toMatch(/stray|report/);
  });

  test('of an agent that fails says so, and counts what it cost', async () => {
    const script = `echo '{"type":"usage","input_tokens":5,"output_tokens":1,"cost_usd":0.5}'; echo half > "$HARNESS_OUTPUT"; exit 7`;
    await bench.hold(script, async (place) => {
      const result = await callRole(place, await calling(place));
      expect(result.stop).toMatchObject({ reason: 'agent.failed' });
      expect((await readCosts(place, { writer: false })).cumulative).toMatchObject({ total_sessions: 1, total_cost_usd: 0.5 });
    });
    expect(bench.events.find((event) => event.type === 'session.end')).toMatchObject({ outcome: 'error', reasons: ['agent.failed'] });
  });

  test('is not made when the budget is used up', async () => {
    bench.write({ '.harness.yaml': 'project:\n  name: x\ntesting:\n  full: "true"\ncosts:\n  total_project_usd: 0.4\n' });
    const script = `echo '{"type":"usage","input_tokens":5,"output_tokens":1,"cost_usd":0.3}'`;
    await bench.hold(script, async (place) => {
      expect((await callRole(place, await calling(place))).stop).toBeNull();
      expect((await callRole(place, await calling(place))).stop).toMatchObject({ reason: 'budget.project' });
      expect((await callRole(place, await calling(place))).stop).toMatchObject({ reason: 'budget.project', neverStarted: true });
      expect((await readCosts(place, { writer: false })).cumulative.total_sessions).toBe(2);
    });
  });

  test('shares the budget with those that run beside it', async () => {
    bench.write({ '.harness.yaml': 'project:\n  name: x\ntesting:\n  full: "true"\ncosts:\n  total_project_usd: 1\n' });
    const usage = (dollars: number): string => `echo '{"type":"usage","input_tokens":5,"output_tokens":1,"cost_usd":${dollars}}'`;
    const script = `case "$HARNESS_OUTPUT" in */first.md) ${usage(0.7)}; sleep 6;; *) sleep 2; ${usage(0.4)}; sleep 60;; esac`;
    await bench.hold(script, async (place) => {
      const [first, second] = await Promise.all([
        callRole(place, await calling(place, { lane: 'first', output: 'first.md' })),
        callRole(place, await calling(place, { lane: 'second', output: 'second.md' })),
      ]);
      expect(first.stop).toBeNull();
      expect(second.stop).toMatchObject({ reason: 'budget.project' });
      expect((await readCosts(place, { writer: false })).cumulative.total_cost_usd).toBe(1.1);
    });
  });

  test('ends when the user interrupts, with no process left', async () => {
    const stop = new AbortController();
    const script = 'echo begun; sleep 300';
    const call = bench.hold(
      script,
      async (place) => {
        const result = await callRole(place, await calling(place));
        const left = await place.platform.processes.findByEnvironment('HARNESS_ROLE', 'workflow/tester');
        return { result, left };
      },
      stop.signal,
    );
    while (!bench.events.some((event) => event.type === 'agent.text')) await bench.platform.clock.sleep(50);
    stop.abort();
    expect(await call).toMatchObject({ result: { stop: { reason: 'interrupted' } }, left: [] });
  });

  test('without a sandbox ends its own processes and not those of its neighbour', async () => {
    bench.write({ '.harness.yaml': 'project:\n  name: x\ntesting:\n  full: "true"\nsandbox:\n  mode: "off"\n' });
    const script = [
      'case "$HARNESS_OUTPUT" in */quick.md) (setsid sleep 300 >/dev/null 2>&1 &) ; sleep 0.5;; *) sleep 3;; esac',
      'echo done > "$HARNESS_OUTPUT"',
    ].join('\n');
    await bench.hold(script, async (place) => {
      const [quick, slow] = await Promise.all([
        callRole(place, await calling(place, { lane: 'quick', output: 'quick.md' })),
        callRole(place, await calling(place, { lane: 'slow', output: 'slow.md' })),
      ]);
      expect([quick, slow]).toMatchObject([
        { stop: null, output: 'done\n' },
        { stop: null, output: 'done\n' },
      ]);
      expect(await place.platform.processes.findByEnvironment('HARNESS_ROLE', 'workflow/tester')).toEqual([]);
      expect(await place.documents.folder('agent-processes').has('quick.json')).toBe(false);
    });
  });

  test('gets a number above every session that was, also when the counter is lost', async () => {
    const numberOf = async (): Promise<string | null> =>
      bench.hold('echo "$HARNESS_SESSION" > "$HARNESS_OUTPUT"', async (place) => (await callRole(place, await calling(place))).output);
    expect(await numberOf()).toBe('1\n');
    writeFileSync(join(bench.root, '.harness/session_state.json'), '{"last_session": 11}');
    expect(await numberOf()).toBe('12\n');
    expect(await numberOf()).toBe('13\n');
    await bench.platform.files.remove(join(bench.root, '.harness/role_sessions.json'));
    expect(await numberOf()).toBe('14\n');
  });

  test('works before the first commit, and with uncommitted files', async () => {
    bench.git('update-ref', '-d', 'HEAD');
    const result = await bench.hold('cat hello.txt', async (place) => {
      const tree = await place.trees.compose(await place.trees.emptyTree(), [
        { path: 'hello.txt', kind: 'write', content: 'not committed' },
      ]);
      return callRole(place, { ...(await calling({ ...place, home: { ...place.home, head: tree } })), tree, output: null });
    });
    expect(result).toMatchObject({ stop: null, reply: 'not committed' });
  });

  test('for an unknown role, a lane or a file that is none is refused before anything starts', async () => {
    await bench.hold('true', async (place) => {
      await expect(callRole(place, await calling(place, { role: 'workflow/nobody' }))).rejects.toThrow('There is no role workflow/nobody');
      await expect(callRole(place, await calling(place, { lane: '../x' }))).rejects.toThrow('not a valid name for a lane');
      await expect(callRole(place, await calling(place, { lane: 'main' }))).rejects.toThrow('not a valid name for a lane');
      await expect(callRole(place, await calling(place, { output: '../spec.md' }))).rejects.toThrow("not a valid name for a role's file");
    });
    expect(bench.events.some((event) => event.type === 'session.start')).toBe(false);
  });
});
