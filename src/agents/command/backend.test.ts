import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { bubblewrapHere } from '../../platform/bubblewrap.ts';
import type { AgentEvent, AgentTask } from '../contract.ts';
import { bench, collect, endOf, eventually, ofType, runs, wholeTurn, type Bench } from '../test-support.ts';
import { commandBackend } from './backend.ts';

const sandboxed = (await bubblewrapHere()).hides;
let at: Bench;
beforeEach(async () => {
  at = await bench({}, { CANARY: 'must not leak', PATH: '/nonexistent' });
});
afterEach(() => at.remove());

async function run(command: string, task: AgentTask = at.task): Promise<AgentEvent[]> {
  const conversation = await commandBackend({ command }).start(task, { platform: at.platform });
  return wholeTurn(conversation, 'Do the work.');
}

const textOf = (events: readonly AgentEvent[]): string =>
  ofType(events, 'text')
    .map((event) => event.text)
    .join('\n');

test('system text and prompt arrive on stdin, followed by end of file', async () => {
  const events = await run('cat > prompt.txt; echo received');
  expect(await readFile(join(at.task.workspace, 'prompt.txt'), 'utf8')).toBe('You build the application.\n\nDo the work.');
  expect(textOf(events)).toBe('received');
  expect(endOf(events)).toEqual({ kind: 'finished' });
});

test('the environment holds the given variables and the HARNESS ones, and nothing else', async () => {
  await run('env > environment.txt', { ...at.task, outputFile: '/somewhere/out.json' });
  const lines = (await readFile(join(at.task.workspace, 'environment.txt'), 'utf8')).trim().split('\n');
  const names = lines.map((line) => line.split('=')[0]!).filter((name) => !['PWD', 'OLDPWD', '_', 'SHLVL'].includes(name));
  expect(names.sort()).toEqual(
    [
      'HARNESS_FEATURE_ID',
      'HARNESS_OUTPUT',
      'HARNESS_PROJECT_DIR',
      'HARNESS_ROLE',
      'HARNESS_SESSION',
      'HARNESS_TEST_FILE',
      'HOME',
      'LANG',
      'PATH',
      'TMPDIR',
    ].sort(),
  );
  expect(lines).toContain('HARNESS_SESSION=7');
  expect(lines).toContain('HARNESS_ROLE=project/coding');
  expect(lines).toContain('HARNESS_FEATURE_ID=3');
  expect(lines).toContain('HARNESS_TEST_FILE=tests/three.test.js');
  expect(lines).toContain('HARNESS_OUTPUT=/somewhere/out.json');
  expect(lines).toContain(`HARNESS_PROJECT_DIR=${at.task.workspace}`);
  expect(lines).toContain(`TMPDIR=${at.task.temporary}`);
});

test('variables without a value are left out rather than empty', async () => {
  await run('env > environment.txt', { ...at.task, feature: null, testFiles: [] });
  const text = await readFile(join(at.task.workspace, 'environment.txt'), 'utf8');
  expect(text).not.toMatch(/HARNESS_OUTPUT|HARNESS_FEATURE_ID|HARNESS_TEST_FILE/);
});

describe('output lines', () => {
  test('become text, usage and tool events in their order', async () => {
    await writeFile(
      join(at.task.workspace, 'agent.sh'),
      [
        'echo first',
        `echo '{"type":"usage","input_tokens":100,"output_tokens":20,"cache_read_input_tokens":30,"cost_usd":0.5}'`,
        `echo '{"type":"tool","name":"shell","input":{"command":"ls"}}'`,
        `echo '{"type":"other","x":1}'`,
        'echo last',
      ].join('\n'),
    );
    const events = await run('sh agent.sh');
    expect(events.map((event) => event.type).filter((type, index, all) => type !== all[index - 1])).toEqual([
      'text',
      'usage',
      'tool',
      'text',
      'end',
    ]);
    expect(ofType(events, 'usage')).toEqual([
      {
        type: 'usage',
        usage: { input_tokens: 100, output_tokens: 20, cache_read_input_tokens: 30, cache_creation_input_tokens: 0 },
        context_tokens: 150,
        cost_usd: 0.5,
        estimated: false,
      },
    ]);
    expect(ofType(events, 'tool')[0]).toMatchObject({ name: 'shell', input: { command: 'ls' } });
    expect(textOf(events)).toBe('first\n{"type":"other","x":1}\nlast');
  });

  test('a usage line without a price leaves the cost unknown', async () => {
    const events = await run(`echo '{"type":"usage","input_tokens":1,"output_tokens":2}'`);
    expect(ofType(events, 'usage')[0]?.cost_usd).toBeNull();
  });

  test('a known type with wrong fields is kept as text and warned about', async () => {
    const events = await run(`echo '{"type":"usage","input_tokens":-5,"output_tokens":2}'`);
    expect(ofType(events, 'usage')).toEqual([]);
    expect(textOf(events)).toContain('"input_tokens":-5');
    expect(ofType(events, 'warning')[0]?.message).toContain('input_tokens');
  });

  test('stderr is text too, and never an event', async () => {
    const events = await run(`echo '{"type":"tool","name":"x","input":{}}' >&2`);
    expect(ofType(events, 'tool')).toEqual([]);
    expect(textOf(events)).toContain('"name":"x"');
    expect(ofType(events, 'text')).toEqual([expect.objectContaining({ aside: true })]);
  });

  test('a line of 100 MB is cut, with little memory', async () => {
    const before = process.memoryUsage().rss;
    let highest = before;
    const conversation = await commandBackend({ command: 'head -c 104857600 /dev/zero | tr "\\0" x; echo; echo after' }).start(at.task, {
      platform: at.platform,
    });
    const watch = setInterval(() => (highest = Math.max(highest, process.memoryUsage().rss)), 10);
    const events = await wholeTurn(conversation, 'go').finally(() => clearInterval(watch));
    expect(textOf(events)).toMatch(/x \[line cut: 104792064 more bytes\]\nafter$/);
    expect(textOf(events).length).toBeLessThan(70_000);
    expect(highest - before).toBeLessThan(60 * 1024 * 1024);
  });

  test('of more output than is allowed the beginning and the end are kept, usage is counted, and a warning says how much was dropped', async () => {
    const lines = `node -e 'for (let i = 0; i < 3000; i++) console.log("line " + i + " " + "x".repeat(90)); console.log(JSON.stringify({ type: "usage", input_tokens: 5, output_tokens: 1 }));'`;
    const command = `${lines}; ${lines}; echo the end`;
    const conversation = await commandBackend({ command, outputBytes: 80_000 }).start(at.task, { platform: at.platform });
    const events = await wholeTurn(conversation, 'go');
    const text = textOf(events);
    expect(text).toMatch(/^line 0 x+\nline 1 /);
    expect(text).toMatch(/\nline 2999 x+\nthe end$/);
    expect(text.length).toBeLessThan(80_000);
    expect(text.length).toBeGreaterThan(60_000);
    expect(ofType(events, 'usage')).toHaveLength(2);
    expect(ofType(events, 'warning').map(({ message }) => message)).toEqual([
      expect.stringMatching(
        /^the agent wrote more than 0\.1 MB of output; its beginning and its end are kept, 0\.5 MB in between were dropped$/,
      ),
    ]);
  });

  test('a slow reader slows the agent down instead of filling memory', async () => {
    const conversation = await commandBackend({
      command: 'i=0; while [ $i -lt 400 ]; do head -c 65536 /dev/zero | tr "\\0" "a"; echo; i=$((i+1)); echo $i > progress; done',
    }).start(at.task, {
      platform: at.platform,
    });
    const turn = conversation.turn('go')[Symbol.asyncIterator]();
    await turn.next();
    await new Promise((resolve) => setTimeout(resolve, 600));
    const written = Number(await readFile(join(at.task.workspace, 'progress'), 'utf8'));
    await conversation.stop();
    expect(written).toBeLessThan(100);
  });
});

describe('the end', () => {
  test('a status other than zero is a failure of the agent that carries its last error line', async () => {
    const events = await run(`echo '{"type":"error","message":"no credit"}'; exit 3`);
    expect(endOf(events)).toEqual({
      kind: 'failed',
      class: 'agent',
      message: "the agent's command exited with status 3: no credit",
      retryAt: null,
    });
  });

  test('a workspace that is not there is a failure of the agent', async () => {
    const events = await run('true', { ...at.task, workspace: join(at.task.workspace, 'gone') });
    expect(endOf(events)).toMatchObject({ kind: 'failed', class: 'agent' });
  });

  test('a second turn is refused', async () => {
    const conversation = await commandBackend({ command: 'true' }).start(at.task, { platform: at.platform });
    expect(conversation.manyTurns).toBe(false);
    expect(conversation.inject).toBeUndefined();
    await collect(conversation.turn('one'));
    expect(endOf(await collect(conversation.turn('two')))).toMatchObject({ kind: 'failed', class: 'agent' });
  });

  test('a missing command is the user’s to mend', async () => {
    await expect(commandBackend({ command: null }).start(at.task, { platform: at.platform })).rejects.toThrow(/no command to start/);
  });
});

describe.each([false, ...(sandboxed ? [true] : [])])('an agent behind the shell that is asked to end (in a sandbox: %s)', (inside) => {
  test('saves its work, and nothing of the command comes after it', async () => {
    const saves = `trap "sleep 0.3; echo saved > saved.txt; exit 0" TERM; echo ready; while :; do sleep 0.05; done`;
    const sandbox = { writable: [at.task.workspace], hidden: [], network: 'none' as const };
    const task = { ...at.task, sandbox: inside ? sandbox : null };
    const conversation = await commandBackend({ command: `sh -c '${saves}'; echo more > more.txt` }).start(task, { platform: at.platform });
    const events = await collect(conversation.turn('go'), (event) => {
      if (event.type === 'text' && event.text.includes('ready')) void conversation.stop();
    });
    await conversation.stop();
    expect(endOf(events)).toEqual({ kind: 'stopped' });
    expect(await readFile(join(at.task.workspace, 'saved.txt'), 'utf8')).toBe('saved\n');
    expect(await at.platform.files.exists(join(at.task.workspace, 'more.txt'))).toBe(false);
  });
});

test('what the shell says about the end of the agent is not the agent’s text', async () => {
  const conversation = await commandBackend({ command: `sh -c 'echo ready; sleep 1000'; :` }).start(at.task, { platform: at.platform });
  const events = await collect(conversation.turn('go'), (event) => {
    if (event.type === 'text') void conversation.stop();
  });
  expect(textOf(events)).toBe('ready');
});

describe('no process is left', () => {
  const living = (): Promise<number[]> => at.platform.processes.findByEnvironment('HARNESS_PROJECT_DIR', at.task.workspace);

  test('after a hard stop, also when a child has left the process group', async () => {
    const command = 'sleep 1000 & setsid sleep 1001 >/dev/null 2>&1 < /dev/null & echo ready; wait';
    const conversation = await commandBackend({ command }).start(at.task, { platform: at.platform });
    const events = await collect(conversation.turn('go'), (event) => {
      if (event.type === 'text') void eventually(async () => (await living()).length >= 3).then(() => conversation.stop());
    });
    expect(endOf(events)).toEqual({ kind: 'stopped' });
    await conversation.stop();
    expect(await living()).toEqual([]);
  });

  test('after a hard stop of an agent that ignores SIGTERM', async () => {
    const conversation = await commandBackend({ command: 'trap "" TERM; echo ready; while true; do sleep 0.1; done' }).start(at.task, {
      platform: at.platform,
    });
    const begin = performance.now();
    const events = await collect(conversation.turn('go'), (event) => {
      if (event.type === 'text') void conversation.stop();
    });
    await conversation.stop();
    expect(endOf(events)).toEqual({ kind: 'stopped' });
    expect(performance.now() - begin).toBeGreaterThan(4_500);
    expect(await living()).toEqual([]);
  });

  test('after an ordinary end with children in the background', async () => {
    const events = await run('sleep 1000 >/dev/null 2>&1 & setsid sleep 1001 >/dev/null 2>&1 & exit 0');
    expect(endOf(events)).toEqual({ kind: 'finished' });
    expect(await living()).toEqual([]);
  });

  test('after an ordinary end, also when a child of the group has dropped its environment', async () => {
    await run('env -i sleep 1000 >/dev/null 2>&1 & echo $! > pid; exit 0');
    const pid = Number(await readFile(join(at.task.workspace, 'pid'), 'utf8'));
    expect(await runs(pid)).toBe(false);
  });

  test('when the host leaves the turn early', async () => {
    const conversation = await commandBackend({ command: 'echo ready; sleep 1000' }).start(at.task, { platform: at.platform });
    for await (const event of conversation.turn('go')) if (event.type === 'text') break;
    expect(await living()).toEqual([]);
  });
});
