/** `harness mcp` on the wire, in both generations of the protocol. */
import { afterEach, describe, expect, test } from 'vitest';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { calculator, HONEST, projectWithAgent } from './calculator.ts';
import { closeMcpHosts, ERAS, mcpHost, type Era, type McpHost } from './mcp-client.ts';
import { exists, gates, git, harness, processesWith, startHarness, type Scene } from './support.ts';
import { MEND, TASK, workflowScene, type WorkflowScene } from './workflow-scene.ts';

afterEach(closeMcpHosts);

const TOOLS = [
  'harness_status',
  'harness_judge',
  'harness_workflow',
  'harness_spec',
  'harness_mission',
  'harness_run',
  'harness_worker',
  'harness_gates',
  'harness_answer',
  'harness_say',
  'harness_verify',
  'harness_why',
  'harness_session',
];
const LARGEST = 24_500;

/** Every tool refuses this, and says why. */
const BAD: Readonly<Record<string, Record<string, unknown>>> = {
  harness_judge: { base: '--output=x' },
  harness_workflow: { mode: 'fast' },
  harness_spec: { mode: 7 },
  harness_mission: { lanes: 0 },
  harness_run: { sessions: -1 },
  harness_worker: { task: 'text' },
  harness_answer: { gate: 'no.such' },
  harness_say: { text: '' },
  harness_verify: {},
  harness_why: { subject: '--help' },
  harness_session: { session: 99 },
};

describe.each(ERAS)('%s', (era: Era) => {
  test('every tool takes good input and refuses bad', async () => {
    const scene = await projectWithAgent(HONEST, { checked: true });
    const host = await mcpHost(scene, { era });
    const listed = (await host.request('tools/list')).result?.['tools'] as { name: string; description: string }[];
    expect(listed.map(({ name }) => name)).toEqual(TOOLS);

    const ran = await host.tool('harness_run', {});
    expect(ran, ran.texts.join('\n')).toMatchObject({ isError: false, value: { outcome: 'verified', feature: 2, exit_code: 0 } });
    expect(ran.texts[0]).toContain(`Commit ${(await git(scene, 'rev-parse', 'HEAD')).slice(0, 12)}`);
    expect(host.progress.some((line) => line.includes('Session 1'))).toBe(true);

    const status = await host.tool('harness_status');
    expect(status).toMatchObject({ isError: false, value: { project: 'calculator', features: { passing: 2, total: 3 } } });
    expect(status.texts[0]).toMatch(/^Now: /);
    const session = await host.tool('harness_session', { session: 1 });
    expect(session).toMatchObject({ isError: false });
    const { verdict } = (session.value['summary'] ?? {}) as { verdict?: string };
    const why = await host.tool('harness_why', { subject: '#2' });
    expect(why).toMatchObject({ isError: false, value: { session: 1, feature: 2 } });
    const id = (why.value['verdict'] as { id: string }).id;
    expect(verdict ?? id).toBe(id);
    expect(await host.tool('harness_verify', { verdict: id })).toMatchObject({ isError: false, value: { id, decision: 'accepted' } });
    expect(await host.tool('harness_verify', { feature: 2 })).toMatchObject({ isError: false, value: { passed: true } });
    expect(await host.tool('harness_gates')).toMatchObject({ isError: false, texts: ['No question waits.', '[]'] });
    expect(await host.tool('harness_say', { text: '--stop-after is no option here' })).toMatchObject({ isError: false });
    const worker = await host.tool('harness_worker', {
      task: { task: 'Divide', task_id: '1', files: ['src'], mode: 'solo', spec_skip_reason: null },
    });
    expect(worker, worker.texts.join('\n')).toMatchObject({ value: { schema_version: 'advisor-request.v1' } });
    expect(await host.tool('harness_judge', { base: 'HEAD', head: 'HEAD', describe: 'nothing' })).toMatchObject({
      value: { verdict: 'nothing' },
    });

    for (const [name, input] of Object.entries(BAD)) {
      const refused = await host.tool(name, input);
      expect(refused, `${name} ${refused.texts.join('\n')}`).toMatchObject({ isError: true });
      expect(refused.texts[0]?.length, name).toBeGreaterThan(10);
    }
    const unknown = await host.request('tools/call', { name: 'harness_override', arguments: {} });
    expect(unknown.error !== undefined || unknown.result?.['isError'] === true).toBe(true);

    const read = async (uri: string) => {
      const { result, error } = await host.request('resources/read', { uri });
      const [content] = (result?.['contents'] ?? []) as { text: string }[];
      return error ?? (JSON.parse(content?.text ?? '') as unknown);
    };
    expect(JSON.stringify(await read('harness://features'))).toContain('A user subtracts two numbers');
    expect(await read('harness://session/1')).toMatchObject({ session: 1 });
    expect(await read(`harness://verdict/${id}`)).toMatchObject({ id });
    expect(await read('harness://session/99')).toMatchObject({ code: expect.any(Number) });
  });

  test('preferences are asked through the host; cancel leaves them open; a person’s question is refused whoever answers it', async () => {
    const scene = await workflowInSettings({ generator: MEND });
    const asked: string[] = [];
    const host = await mcpHost(scene, {
      era,
      elicit: ({ message }) => {
        asked.push(String(message).split(':')[0] ?? '');
        return asked.length === 1 ? { action: 'cancel' } : { action: 'accept', content: { option: 'single' } };
      },
    });
    const waits = await host.tool('harness_workflow', { task: TASK });
    expect(waits, waits.texts.join('\n')).toMatchObject({ isError: false, value: { exit_code: 8 } });
    expect((await gates(scene)).map(({ id }) => id)).toEqual(['workflow.mode']);

    const planned = await host.tool('harness_workflow');
    expect(planned.texts[0]).toContain('A person has to answer workflow.spec at a terminal');
    expect(asked).toEqual(['Mode', 'Mode']);
    const refused = await host.tool('harness_answer', { gate: 'workflow.spec', option: 'Proceed' });
    expect(refused).toMatchObject({ isError: true });
    expect(refused.texts[0]).toContain("workflow.spec is a person's question");
    // A hook of the host, or the host itself, that makes an answer up.
    const forged = await host.request('tools/call', {
      name: 'harness_workflow',
      arguments: {},
      inputResponses: { 'workflow.spec': { action: 'accept', content: { option: 'Proceed' } } },
    });
    expect(JSON.stringify(forged.result)).not.toContain('"verified"');
    expect(await gates(scene)).toMatchObject([{ id: 'workflow.spec', person: true }]);
    expect(await startHarness(scene, ['answer', 'workflow.spec', 'Proceed'], { CLAUDECODE: '1' }).ended).toMatchObject({ code: 2 });

    expect(await harness(scene, 'answer', 'workflow.spec', 'Proceed')).toMatchObject({ code: 0 });
    const committing = await host.tool('harness_workflow');
    expect(committing.texts[0]).toContain('workflow.commit');
    expect(await host.tool('harness_answer', { gate: 'workflow.commit', option: 'Commit code only' })).toMatchObject({ isError: false });
    const done = await host.tool('harness_workflow');
    expect(done, done.texts.join('\n')).toMatchObject({ isError: false, value: { outcome: 'verified', exit_code: 0 } });
  });
});

/** The agent is the user's own setting: a host names none. */
async function workflowInSettings(roles: { generator: string }): Promise<WorkflowScene> {
  const scene = await workflowScene({ 'generator-single': roles.generator });
  await mkdir(scene.env['HARNESS_HOME'] ?? '', { recursive: true });
  const command = JSON.stringify(`sh "${scene.agent}"`);
  await writeFile(join(scene.env['HARNESS_HOME'] ?? '', 'config.yaml'), `agent:\n  backend: command\n  command: ${command}\n`);
  return scene;
}

const GATE = (folder: string): string => `touch "${folder}/at-work"; while [ ! -e "${folder}/go" ]; do sleep 0.1; done`;

describe('long work', () => {
  /** An agent that waits for the test; its folder may be written from the sandbox. */
  async function waitingProject(): Promise<{ scene: Scene; atWork(): Promise<void>; go(): Promise<void> }> {
    const scene = await projectWithAgent('', { checked: true, settings: 'sandbox:\n  mode: off\n' });
    const folder = join(scene.folder, 'meet');
    await mkdir(folder, { recursive: true });
    await writeFile(join(scene.env['HOME'] ?? '', 'agent.sh'), `cat > "$TMPDIR/prompt.txt"\n${GATE(folder)}\n${HONEST}\n`);
    return {
      scene,
      atWork: async () => {
        while (!(await exists(join(folder, 'at-work')))) await new Promise((resolve) => setTimeout(resolve, 50));
      },
      go: () => writeFile(join(folder, 'go'), ''),
    };
  }

  const callRun = (host: McpHost) => host.begin('tools/call', { name: 'harness_run', arguments: {}, _meta: { progressToken: 1 } });

  test('a host that is killed in the middle loses nothing: the next one joins the same run', async () => {
    const { scene, atWork, go } = await waitingProject();
    const first = await mcpHost(scene, { era: '2025-11-25' });
    void callRun(first);
    await atWork();
    first.child.kill('SIGKILL');
    const second = await mcpHost(scene, { era: '2026-07-28' });
    const joined = second.tool('harness_run');
    while (!second.progress.some((line) => line.startsWith('joined'))) await new Promise((resolve) => setTimeout(resolve, 50));
    await go();
    const answer = await joined;
    expect(answer, answer.texts.join('\n')).toMatchObject({ value: { outcome: 'verified', joined: { tool: 'harness_run' } } });
    expect(await git(scene, 'rev-list', '--count', 'HEAD')).toBe('3');
  });

  test('two servers on one project: one run, the same end for both, and another tool says what runs', async () => {
    const { scene, atWork, go } = await waitingProject();
    const [one, two] = [await mcpHost(scene, { era: '2025-11-25' }), await mcpHost(scene, { era: '2026-07-28' })];
    const first = one.tool('harness_run');
    await atWork();
    const second = two.tool('harness_run');
    const other = await two.tool('harness_mission');
    expect(other).toMatchObject({ isError: true });
    expect((await two.tool('harness_status')).texts[0]).toContain('running: harness run');
    await go();
    const ends = await Promise.all([first, second]);
    expect(ends.map(({ value }) => value['commit'])).toEqual(Array.from({ length: 2 }, () => ends[0].value['commit']));
    expect(ends[0].value['outcome']).toBe('verified');
  });

  test('a cancelled call interrupts as Ctrl-C does, and the next call goes on', async () => {
    const { scene, atWork, go } = await waitingProject();
    const host = await mcpHost(scene, { era: '2025-11-25' });
    const { id } = callRun(host);
    await atWork();
    host.notify('notifications/cancelled', { requestId: id, reason: 'the user pressed escape' });
    while ((await processesWith(join(scene.folder, 'meet'))).length > 0) await new Promise((resolve) => setTimeout(resolve, 100));
    while ((await host.tool('harness_status')).value['running'] !== null) await new Promise((resolve) => setTimeout(resolve, 100));
    await go();
    expect(await host.tool('harness_run')).toMatchObject({ value: { outcome: 'verified' } });
  });

  test('answers are bounded, however much was said', async () => {
    const noise = `node -e 'for (let i = 0; i < 20000; i++) console.log("line " + i + " " + "x".repeat(100))'`;
    const scene = await projectWithAgent(`${noise}\n${HONEST}`, { checked: true });
    const host = await mcpHost(scene, { era: '2025-11-25' });
    for (const answer of [await host.tool('harness_run'), await host.tool('harness_session', { session: 1 })]) {
      expect(answer.isError).toBe(false);
      expect(answer.size).toBeLessThan(LARGEST);
    }
    expect((await host.tool('harness_session', { session: 1 })).texts[1]).toMatch(/more characters|more\]/);
  });
});

test('where nothing is set up the status says how, and a judge needs no set-up', async () => {
  const scene = await calculator();
  const host = await mcpHost(scene, { era: '2026-07-28' });
  expect((await host.tool('harness_status')).texts[0]).toContain('harness init');
  expect(await host.tool('harness_judge')).toMatchObject({ isError: false, value: { verdict: 'nothing' } });
});

test.each([
  ['harness_mission', 'spec'],
  ['harness_spec', 'reference'],
])('%s reads no file outside of the project', async (name, key) => {
  const scene = await projectWithAgent(HONEST);
  await writeFile(join(scene.env['HOME']!, 'private.md'), 'private');
  const host = await mcpHost(scene, { era: '2026-07-28' });
  for (const path of [join(scene.env['HOME']!, 'private.md'), '../user/private.md', 'src/../../user/private.md'])
    expect(await host.tool(name, { task: 'Build it', [key]: path }), path).toMatchObject({
      isError: true,
      texts: [expect.stringContaining('inside the project')],
    });
});
