/** Other agents from npm over the Agent Client Protocol: part of the long check (`npm run agents`), since they are large. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { AGENT_CACHE, isInstalled } from '../conformance/installed-agents.ts';
import { writeCodexSettings } from '../conformance/real-subjects.ts';
import { claim, RUN_SUBTRACT, WRITE_SUBTRACT } from './calculator.ts';
import { closeServers, projectWith, type RealAgent } from './real-agent-project.ts';
import { eventsOf, harness, processesWith, snapshot, startHarness } from './support.ts';

const program = (agent: string, name: string): string => join(AGENT_CACHE, agent, 'node_modules', '.bin', name);

/** Whatever the agent looks for outside fails at once. */
const LOOPBACK_ONLY = { HTTP_PROXY: 'http://127.0.0.1:9', HTTPS_PROXY: 'http://127.0.0.1:9', NO_PROXY: '127.0.0.1,localhost' };

const AGENTS: RealAgent[] = [
  {
    name: 'claude-agent-acp',
    backend: 'acp',
    command: program('claude-agent-acp', 'claude-agent-acp'),
    variables: (server, home) => ({
      ANTHROPIC_API_KEY: 'key',
      ANTHROPIC_BASE_URL: server.url,
      CLAUDE_CONFIG_DIR: join(home, '.claude'),
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      IS_SANDBOX: '1',
    }),
  },
  {
    name: 'codex-acp',
    backend: 'acp',
    command: program('codex-acp', 'codex-acp'),
    variables: () => ({ OPENAI_API_KEY: 'key' }),
    prepare: (home, server) => writeCodexSettings(home, server.url),
  },
  {
    name: 'opencode',
    backend: 'acp',
    command: `${join(AGENT_CACHE, 'opencode', 'node_modules', `opencode-${process.platform}-${process.arch}`, 'bin', 'opencode')} acp`,
    variables: () => ({
      ANTHROPIC_API_KEY: 'key',
      OPENCODE_DISABLE_MODELS_FETCH: '1',
      OPENCODE_DISABLE_AUTOUPDATE: '1',
      OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
      ...LOOPBACK_ONLY,
    }),
    prepare: async (home, server) => {
      const settings = {
        model: 'anthropic/claude-sonnet-4-5',
        share: 'disabled',
        autoupdate: false,
        provider: { anthropic: { options: { baseURL: `${server.url}/v1`, apiKey: 'key' } } },
      };
      await mkdir(join(home, '.config', 'opencode'), { recursive: true });
      await writeFile(join(home, '.config', 'opencode', 'opencode.json'), JSON.stringify(settings));
    },
  },
];

afterEach(closeServers);

for (const agent of AGENTS)
  describe.skipIf(process.env['HARNESS_LONG_CHECK'] === undefined || !isInstalled(agent.name))(`${agent.name} from npm`, () => {
    test('an honest session is verified, with the tokens that the agent reports or an estimate', async () => {
      const scene = await projectWith(agent, [WRITE_SUBTRACT, RUN_SUBTRACT, claim(2)]);
      const run = await harness(scene, 'run', '--json');
      expect(run, run.stderr + run.stdout).toMatchObject({ code: 0 });
      expect(run.last).toMatchObject({ outcome: 'verified', feature: 2 });
      expect(eventsOf(run, 'agent.tool').length).toBeGreaterThanOrEqual(3);
      expect(eventsOf(run, 'agent.usage').length).toBeGreaterThanOrEqual(1);
    });

    test('a claim without working code is refused, and home is byte-identical', async () => {
      const lie = `${WRITE_SUBTRACT}\necho 'export const subtract = () => 7;' > src/subtract.js`;
      const scene = await projectWith(agent, [lie, `${RUN_SUBTRACT} || true; echo '# pass 1'`, claim(2)]);
      const before = await snapshot(scene);
      const run = await harness(scene, 'run', '--json');
      expect(run, run.stderr + run.stdout).toMatchObject({ code: 4 });
      expect(await snapshot(scene)).toEqual(before);
    });

    test('an interrupt leaves no process of the agent', async () => {
      const mark = `acp-agent-child-${agent.name}`;
      const scene = await projectWith(agent, [`setsid sh -c 'sleep 300; : ${mark}' > /dev/null 2>&1 < /dev/null & sleep 301`]);
      const started = startHarness(scene, ['run', '--json']);
      while ((await processesWith(mark)).length === 0 && started.child.exitCode === null)
        await new Promise((resolve) => setTimeout(resolve, 100));
      started.child.kill('SIGINT');
      const run = await started.ended;
      expect(run, run.stderr + run.stdout).toMatchObject({ code: 130 });
      expect(await processesWith(mark)).toEqual([]);
    });
  });
