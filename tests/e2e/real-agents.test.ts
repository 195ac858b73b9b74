/** Claude Code and Codex from npm, driven by the built program against a scripted model on loopback: a verified session and a caught lie. */
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { isInstalled } from '../conformance/installed-agents.ts';
import { claim, RUN_SUBTRACT, WRITE_SUBTRACT } from './calculator.ts';
import { OWN_BACKENDS } from './real-agent-list.ts';
import { closeServers, projectWith } from './real-agent-project.ts';
import { eventsOf, git, harness, processesWith, snapshot, startHarness } from './support.ts';

afterEach(closeServers);

for (const agent of OWN_BACKENDS)
  describe.skipIf(!isInstalled(agent.name))(`${agent.name} from npm`, () => {
    test('an honest session is verified and committed once; its tokens are counted, and a secret of the user is not in its environment', async () => {
      const scene = await projectWith(agent, ['env', WRITE_SUBTRACT, RUN_SUBTRACT, claim(2)]);
      const before = await git(scene, 'rev-parse', 'HEAD');
      const run = await harness(scene, 'run', '--json');
      expect(run, run.stderr + run.stdout).toMatchObject({ code: 0 });
      expect(await git(scene, 'rev-parse', 'HEAD^')).toBe(before);
      expect(run.last).toMatchObject({ outcome: 'verified', feature: 2, exit_code: 0 });
      expect(eventsOf(run, 'agent.usage').length).toBeGreaterThanOrEqual(2);
      expect(eventsOf(run, 'agent.tool')).toHaveLength(4);
      expect(eventsOf(run, 'agent.result')[0]!['output']).toContain('HARNESS_SESSION=1');
      expect(run.stdout).not.toContain('seen-by-nobody');
    });

    test('a claim without working code is refused, and home is byte-identical', async () => {
      const lie = `${WRITE_SUBTRACT}\necho 'export const subtract = () => 7;' > src/subtract.js`;
      const scene = await projectWith(agent, [lie, `${RUN_SUBTRACT} || true; echo '# pass 1'`, claim(2)]);
      const before = await snapshot(scene);
      const run = await harness(scene, 'run', '--json');
      expect(run, run.stderr + run.stdout).toMatchObject({ code: 4 });
      expect(run.last).toMatchObject({ outcome: 'rejected', reasons: expect.arrayContaining(['test.failed']) });
      expect(await snapshot(scene)).toEqual(before);
    });

    test('an interrupt ends the agent and its detached child', async () => {
      const mark = `real-agent-child-${agent.name}`;
      const hang = `setsid sh -c 'sleep 300; : ${mark}' > /dev/null 2>&1 < /dev/null & sleep 301`;
      const scene = await projectWith(agent, [hang]);
      const started = startHarness(scene, ['run', '--json']);
      while ((await processesWith(mark)).length === 0 && started.child.exitCode === null)
        await new Promise((resolve) => setTimeout(resolve, 100));
      started.child.kill('SIGINT');
      const run = await started.ended;
      expect(run, run.stderr + run.stdout).toMatchObject({ code: 130 });
      expect(await processesWith(mark)).toEqual([]);
      expect(await processesWith(join(scene.folder, 'harness-home'))).toEqual([]);
    });
  });
