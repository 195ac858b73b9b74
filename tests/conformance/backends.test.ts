/** The agent contract, held by every backend. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { AgentConversation, AgentEvent, AgentTask } from '../../src/agents/contract.ts';
import { BACKEND_NAMES } from '../../src/agents/registry.ts';
import { bench, collect, endOf, eventually, ofType, wholeTurn, type Bench } from '../../src/agents/test-support.ts';
import { bubblewrapHere } from '../../src/platform/bubblewrap.ts';
import { AGENT_CACHE, isInstalled } from './installed-agents.ts';
import { REAL_SUBJECTS } from './real-subjects.ts';
import { SUBJECTS, type Part } from './subjects.ts';

const HARNESS_AGENT_CACHE = AGENT_CACHE;
/** A real agent takes a second to start; a busy machine makes that many. */
const PATIENCE_SECONDS = 40;

test('every backend of the registry has its part', () => {
  expect(new Set([...SUBJECTS, ...REAL_SUBJECTS].map((subject) => subject.name))).toEqual(new Set(BACKEND_NAMES));
});

describe.each([...SUBJECTS, ...REAL_SUBJECTS.filter((subject) => isInstalled(subject.name))])('$name', (subject) => {
  let at: Bench;
  let closers: (() => Promise<void>)[];
  beforeEach(async () => {
    at = await bench({}, { CANARY_TOKEN: 'never to be seen', ANTHROPIC_API_KEY: 'user-key', PATH: '/usr/bin:/bin', HARNESS_AGENT_CACHE });
    closers = [() => at.remove()];
  });
  afterEach(async () => {
    for (const close of closers.reverse()) await close();
  });

  async function start(part: Part, overrides: Partial<AgentTask> = {}, where: Bench = at): Promise<AgentConversation> {
    const { backend, env, close } = await subject.backend(where, part);
    closers.push(close);
    expect(backend.name).toBe(subject.name);
    expect(backend.usage).toBe(subject.usage);
    return backend.start({ ...where.task, env: { ...where.task.env, ...env }, ...overrides }, { platform: where.platform });
  }
  const living = (where: Bench = at): Promise<number[]> =>
    where.platform.processes.findByEnvironment('HARNESS_PROJECT_DIR', where.task.workspace);
  const inWorkspace = (name: string, where: Bench = at): Promise<string> => readFile(join(where.task.workspace, name), 'utf8');
  const hanging = (where: Bench = at): Promise<void> =>
    eventually(
      async () =>
        (await inWorkspace('hanging', where).then(
          () => true,
          () => false,
        )) && (await living(where)).length >= 3,
      PATIENCE_SECONDS,
    );

  test('a turn streams text, tool calls and usage, and ends once', async () => {
    const events = await wholeTurn(await start('work'), 'Begin.');
    expect(endOf(events)).toEqual({ kind: 'finished' });
    const text = ofType(events, 'text')
      .map((event) => event.text)
      .join('\n');
    expect(text).toContain('I begin.');
    expect(text).toContain('I am done.');
    expect(ofType(events, 'tool')).toMatchObject([{ name: subject.shellTool ?? 'shell', input: { command: expect.any(String) } }]);
    const usages = ofType(events, 'usage');
    expect(usages.length).toBeGreaterThanOrEqual(1);
    for (const { usage, context_tokens, estimated } of usages) {
      if (!estimated)
        expect(context_tokens).toBe(
          usage.input_tokens + usage.output_tokens + usage.cache_read_input_tokens + usage.cache_creation_input_tokens,
        );
      expect(context_tokens).toBeGreaterThan(0);
    }
    const kinds = events.map((event) => event.type);
    expect(kinds.indexOf('text')).toBeLessThan(kinds.indexOf('tool'));
  });

  test('events come while the agent works, not at its end', async () => {
    const conversation = await start('hang');
    const seen: AgentEvent['type'][] = [];
    const turn = collect(conversation.turn('Begin.'), (event) => void seen.push(event.type));
    await eventually(() => seen.includes('text') && seen.includes('tool'), PATIENCE_SECONDS);
    await conversation.stop();
    expect(endOf(await turn)).toEqual({ kind: 'stopped' });
  });

  test('the agent works in its workspace, with a clean environment', async () => {
    await wholeTurn(await start('work', { outputFile: join(at.task.temporary, 'out.json') }), 'Begin.');
    expect((await inWorkspace('where.txt')).trim()).toBe(at.task.workspace);
    expect(await readFile(join(at.task.env['HOME']!, 'outside.txt'), 'utf8').catch(() => null)).toBe(subject.confinesItself ? null : '');
    const lines = (await inWorkspace('environment.txt')).trim().split('\n');
    const shellNames = new Set(['PWD', 'OLDPWD', 'SHLVL', '_']);
    const names = lines
      .map((line) => line.split('=')[0]!)
      .filter((name) => !shellNames.has(name) && !(subject.addsVariables?.test(name) ?? false));
    expect(new Set(names)).toEqual(
      new Set([
        'PATH',
        'HOME',
        'LANG',
        'TMPDIR',
        'HARNESS_SESSION',
        'HARNESS_ROLE',
        'HARNESS_OUTPUT',
        'HARNESS_FEATURE_ID',
        'HARNESS_TEST_FILE',
        'HARNESS_PROJECT_DIR',
      ]),
    );
    expect(lines).toContain(`HARNESS_PROJECT_DIR=${at.task.workspace}`);
    expect(lines.join('\n')).not.toMatch(/never to be seen|user-key/);
  });

  test('injection is there or declared absent, and so are further turns', async () => {
    const conversation = await start('work');
    expect(conversation.inject !== undefined).toBe(subject.injects);
    expect(conversation.manyTurns).toBe(subject.manyTurns);
    conversation.inject?.('75% of the context is used.');
    expect(endOf(await collect(conversation.turn('Begin.')))).toEqual({ kind: 'finished' });
    const second = endOf(await collect(conversation.turn('More.')));
    await conversation.stop();
    expect(second.kind).toBe(subject.manyTurns ? 'finished' : 'failed');
  });

  test('a hard stop leaves no process, not even a detached one', async () => {
    const conversation = await start('hang');
    const turn = collect(conversation.turn('Begin.'));
    await hanging();
    await conversation.stop();
    expect(await living()).toEqual([]);
    expect(endOf(await turn)).toEqual({ kind: 'stopped' });
    await conversation.stop();
  });

  test('a hard stop leaves the neighbour in another workspace alone', async () => {
    const neighbour = await bench({}, { HARNESS_AGENT_CACHE });
    closers.push(() => neighbour.remove());
    const [mine, theirs] = [await start('hang'), await start('hang', {}, neighbour)];
    const turns = [collect(mine.turn('Begin.')), collect(theirs.turn('Begin.'))];
    await Promise.all([hanging(), hanging(neighbour)]);
    await mine.stop();
    expect((await living(neighbour)).length).toBeGreaterThanOrEqual(3);
    await theirs.stop();
    expect((await Promise.all(turns)).map((events) => endOf(events).kind)).toEqual(['stopped', 'stopped']);
  });

  test('a host that leaves in the middle and then stops leaves no process', async () => {
    const conversation = await start('hang');
    for await (const event of conversation.turn('Begin.')) if (event.type === 'tool') break;
    await conversation.stop();
    expect(await living()).toEqual([]);
  });

  test('a stop before the turn means that nothing is started', async () => {
    const conversation = await start('work');
    await conversation.stop();
    expect(endOf(await collect(conversation.turn('Begin.')))).toEqual({ kind: 'stopped' });
    await expect(inWorkspace('where.txt')).rejects.toThrow(/ENOENT/);
  });

  test('a failure is an end with a class and a message, never an exception', async () => {
    const end = endOf(await wholeTurn(await start('fail'), 'Begin.'));
    expect(end).toMatchObject({ kind: 'failed', class: subject.failsAs, retryAt: null });
    expect(end.kind === 'failed' && end.message.length > 10).toBe(true);
  });

  test('in a sandbox it works and stops the same; without one on this machine it fails instead of running bare', async () => {
    const sandbox = { writable: [at.task.workspace, at.task.temporary], hidden: [], network: 'host' as const, privateTmp: false };
    const { hides: available } = await bubblewrapHere();
    const worked = await wholeTurn(await start('work', { sandbox }), 'Begin.');
    expect(await inWorkspace('where.txt').catch(() => null)).toBe(available ? `${at.task.workspace}\n` : null);
    await expect(readFile(join(at.task.env['HOME']!, 'outside.txt'))).rejects.toThrow(/ENOENT/);
    expect(endOf(worked).kind).toBe(available || subject.inProcess ? 'finished' : 'failed');
    if (!available) return;
    const conversation = await start('hang', { sandbox });
    const turn = collect(conversation.turn('Begin.'));
    await hanging();
    await conversation.stop();
    expect(await living()).toEqual([]);
    expect(endOf(await turn)).toEqual({ kind: 'stopped' });
  });
});
