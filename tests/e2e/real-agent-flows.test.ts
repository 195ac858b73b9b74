/**
 * The workflow and spec flows with agents from npm, against a scripted model on loopback: part of the long check (`npm run agents`).
 */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import type { Usage } from '../../src/domain/money.ts';
import { isInstalled } from '../conformance/installed-agents.ts';
import { MENDS, output, part, SPEC, WORKFLOW, type Conversation } from './flow-scenarios.ts';
import { ACP_AGENTS, OWN_BACKENDS } from './real-agent-list.ts';
import { closeServers, sceneWith, type RealAgent } from './real-agent-project.ts';
import { ANSWERS, DOCS as SPEC_DOCS, TASK as SPEC_TASK } from './spec-support.ts';
import { eventsOf, git, processesWith, read, startHarness, type Run, type Scene } from './support.ts';
import { BUGGY, GO, lastCommit, TASK } from './workflow-scene.ts';

afterEach(closeServers);

const SHOP = { 'package.json': '{ "name": "shop", "type": "module", "scripts": { "test": "node --test" } }\n' };

async function flow(scene: Scene, args: readonly string[], answers: Readonly<Record<string, unknown>>): Promise<Run> {
  const file = join(scene.folder, 'answers.json');
  await writeFile(file, JSON.stringify(answers));
  return await startHarness(scene, [...args, '--json', '--answers', file]).ended;
}

const workflow = (scene: Scene, mode: string, answers: Readonly<Record<string, unknown>> = GO): Promise<Run> =>
  flow(scene, ['workflow', TASK, '--mode', mode, '--model-config', 'default'], answers);

async function costsOf(
  scene: Scene,
): Promise<{ cumulative: { total_sessions: number; total_cost_usd: number; total_input_tokens: number } }> {
  return parse(await readFile(join(scene.project, '.harness', 'costs.yaml'), 'utf8')) as never;
}

/** Every session that started was paid for: tokens are in the file that all flows share. */
async function expectCosts(scene: Scene, run: Run, agent: RealAgent): Promise<void> {
  const { cumulative } = await costsOf(scene);
  const ends = eventsOf(run, 'session.end') as unknown as { cost_usd: number | null; usage: Usage }[];
  expect(cumulative.total_sessions).toBe(ends.length);
  for (const { usage } of ends)
    expect(usage.input_tokens + usage.cache_read_input_tokens + usage.cache_creation_input_tokens).toBeGreaterThan(0);
  if (agent.backend === 'claude-code') expect(ends.every(({ cost_usd }) => (cost_usd ?? 0) > 0)).toBe(true);
  expect(cumulative.total_cost_usd).toBeCloseTo(
    ends.reduce((sum, { cost_usd }) => sum + (cost_usd ?? 0), 0),
    4,
  );
}

for (const agent of [...OWN_BACKENDS, ...ACP_AGENTS])
  describe.skipIf(process.env['HARNESS_LONG_CHECK'] === undefined || !isInstalled(agent.name))(
    `${agent.name} from npm in a flow`,
    { timeout: 300_000 },
    () => {
      test('plays the twelve roles of the workflow in multi mode up to a verified commit, and is paid for each', async () => {
        const scene = await sceneWith(agent, BUGGY, WORKFLOW);
        const run = await workflow(scene, 'multi');
        expect(run, run.stdout + run.stderr).toMatchObject({ code: 0, last: { outcome: 'verified' } });
        expect((await lastCommit(scene)).files).toEqual(['src/add.js', 'test/add.test.js']);
        expect(eventsOf(run, 'session.start')).toHaveLength(12);
        expect(eventsOf(run, 'warning').filter((event) => String(event['message']).includes('parse'))).toEqual([]);
        await expectCosts(scene, run, agent);
      });

      test('plays the seven roles of a deep spec up to the approval', async () => {
        const scene = await sceneWith(agent, SHOP, SPEC);
        const run = await flow(scene, ['spec', SPEC_TASK, '--mode', 'deep', '--model-config', 'default'], {
          ...ANSWERS,
          'spec.questions-1': { text: 'The back office' },
        });
        expect(run, run.stdout + run.stderr).toMatchObject({ code: 0, last: { outcome: 'complete' } });
        expect(await read(scene, `${SPEC_DOCS}/spec.md`)).toContain('Orders for the back office');
        expect(await read(scene, `${SPEC_DOCS}/critic_findings.md`)).toContain('[m1] wording');
        await expectCosts(scene, run, agent);
      });

      test('a planner that edits code changes nothing: only its file counts', async () => {
        const meddling = part('spec.md', 'spec written — add adds', '# Spec\nadd must add\n', MENDS);
        const idle: Conversation = {
          when: { contains: 'output/changes.md' },
          steps: [{ tools: [output('changes.md', '- nothing\n')] }, { text: 'changed 0 files — nothing to do' }],
        };
        const scene = await sceneWith(agent, BUGGY, [meddling, idle, ...WORKFLOW]);
        const run = await workflow(scene, 'single', { ...GO, 'workflow.verify': 'Stop', 'workflow.commit': 'No commit' });
        expect(run, run.stdout + run.stderr).toMatchObject({ code: 0, last: { outcome: 'complete' } });
        expect(await read(scene, 'src/add.js')).toContain('a - b');
        expect(await git(scene, 'status', '--porcelain', 'src', 'test')).toBe('');
      });

      test.skipIf(agent.backend === 'acp')('a role without a shell runs no command', async () => {
        const forgetful = part('changes.md', 'changed 1 file — a test', '- `test/add.test.js`\n', MENDS.slice(1));
        const curious: Conversation = {
          when: { contains: 'Checks of a piece of work failed' },
          steps: [{ tools: [{ name: 'shell', input: { command: 'echo a command ran' } }] }, { text: 'FAIL — add subtracts' }],
        };
        const scene = await sceneWith(agent, BUGGY, [curious, forgetful, ...WORKFLOW]);
        const run = await flow(
          scene,
          ['workflow', TASK, '--mode', 'single', '--model-config', 'default', '--verifier-model', 'sonnet'],
          GO,
        );
        expect(run, run.stdout + run.stderr).toMatchObject({ code: 8 });
        const verifiers = eventsOf(run, 'session.start').filter((event) => event['prompt'] === 'verifier');
        expect(verifiers.length).toBeGreaterThan(0);
        const said = run.events.filter((event) => verifiers.some(({ session }) => session === event['session']));
        expect(said.filter((event) => event.type === 'agent.text').map((event) => event['text'])).toContain('FAIL — add subtracts');
        expect(said.filter((event) => event.type === 'agent.result' && event['ok'] === true)).toEqual([]);
      });

      test('a role that leaves no file twice ends the command with its name', async () => {
        const mute: Conversation = { when: { contains: 'output/spec.md' }, steps: [{ text: 'I would rather not.' }] };
        const scene = await sceneWith(agent, BUGGY, [mute, ...WORKFLOW]);
        const run = await workflow(scene, 'single');
        expect(run, run.stdout + run.stderr).toMatchObject({ code: 10, last: { outcome: 'partial', reasons: ['agent.failed'] } });
        expect(String(run.last!['message'])).toContain('workflow/planner-single');
        expect(eventsOf(run, 'session.start')).toHaveLength(2);
        await expectCosts(scene, run, agent);
      });

      test('an interrupt during a role ends the agent; the same command asks that role again and finishes', async () => {
        const mark = `flow-child-${agent.name}`;
        const goAhead = join(await mkdtemp(join(tmpdir(), 'harness-flow-')), 'go-ahead');
        const hang = `[ -e ${goAhead} ] || { setsid sh -c 'sleep 300; : ${mark}' > /dev/null 2>&1 < /dev/null & sleep 301; }`;
        const hesitant: Conversation = {
          when: { contains: 'output/spec.md' },
          steps: [
            { tools: [{ name: 'shell', input: { command: hang } }] },
            { tools: [output('spec.md', '# Spec\nadd must add\n')] },
            { text: 'spec written — add adds' },
          ],
        };
        const scene = await sceneWith(agent, BUGGY, [hesitant, ...WORKFLOW]);
        const answers = join(scene.folder, 'answers.json');
        await writeFile(answers, JSON.stringify(GO));
        const started = startHarness(scene, [
          'workflow',
          TASK,
          '--mode',
          'single',
          '--model-config',
          'default',
          '--json',
          '--answers',
          answers,
        ]);
        while ((await processesWith(mark)).length === 0 && started.child.exitCode === null)
          await new Promise((resolve) => setTimeout(resolve, 100));
        started.child.kill('SIGINT');
        const run = await started.ended;
        expect(run, run.stderr + run.stdout).toMatchObject({ code: 130 });
        expect(await processesWith(mark)).toEqual([]);
        expect(await processesWith(join(scene.folder, 'harness-home'))).toEqual([]);
        await writeFile(goAhead, '');
        const end = await workflow(scene, 'single');
        expect(end, end.stderr + end.stdout).toMatchObject({ code: 0, last: { outcome: 'verified' } });
        expect(eventsOf(end, 'session.start').map((event) => event['prompt'])).toEqual(['planner-single', 'generator-single', 'evaluator']);
        await rm(dirname(goAhead), { recursive: true });
      });

      test.skipIf(agent.keyOf === undefined)('a refused login ends the command with exit 6 and its reason', async () => {
        const scene = await sceneWith(agent, BUGGY, WORKFLOW);
        scene.env[agent.keyOf!] = 'another-key';
        const run = await workflow(scene, 'single');
        expect(run, run.stdout + run.stderr).toMatchObject({ code: 6, last: { reasons: ['api.auth'] } });
        expect(String(run.last!['message'])).toContain('workflow/planner-single');
      });
    },
  );
