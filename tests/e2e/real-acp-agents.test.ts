/** Other agents from npm over the Agent Client Protocol: part of the long check (`npm run agents`), since they are large. */
import { afterEach, describe, expect, test } from 'vitest';
import { isInstalled } from '../conformance/installed-agents.ts';
import { claim, RUN_SUBTRACT, WRITE_SUBTRACT } from './calculator.ts';
import { ACP_AGENTS } from './real-agent-list.ts';
import { closeServers, projectWith } from './real-agent-project.ts';
import { eventsOf, harness, processesWith, snapshot, startHarness } from './support.ts';

afterEach(closeServers);

for (const agent of ACP_AGENTS)
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
