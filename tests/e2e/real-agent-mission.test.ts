/** A short mission with agents from npm, against a scripted model on loopback: part of the long check (`npm run agents`). */
import { afterEach, describe, expect, test } from 'vitest';
import { isInstalled } from '../conformance/installed-agents.ts';
import { planOf } from './mission-agent.ts';
import { missionConversations } from './mission-scenario.ts';
import { ACP_AGENTS, OWN_BACKENDS } from './real-agent-list.ts';
import { closeServers, sceneWith } from './real-agent-project.ts';
import { eventsOf, git, harness, processesWith, read } from './support.ts';

afterEach(closeServers);

const FILES = {
  'package.json': '{ "name": "calc", "type": "module", "scripts": { "test": "node --test" } }\n',
  'src/base.js': 'export const base = 1;\n',
  'test/base.test.js':
    "import { test } from 'node:test';\nimport assert from 'node:assert/strict';\nimport { base } from '../src/base.js';\ntest('base', () => assert.equal(base, 1));\n",
  'SPEC.md': '# Sums\n\nDouble and add.\n',
  '.gitignore': '.harness/\n',
};

for (const agent of [...OWN_BACKENDS, ...ACP_AGENTS])
  describe.skipIf(process.env['HARNESS_LONG_CHECK'] === undefined || !isInstalled(agent.name))(
    `${agent.name} from npm in a mission`,
    { timeout: 300_000 },
    () => {
      test('plays planner, reviewer, workers in two lanes, validators and curator, until every claim is proved', async () => {
        const scene = await sceneWith(agent, FILES, missionConversations(planOf(2)));
        const run = await harness(scene, 'mission', 'run', '--spec', 'SPEC.md', '--lanes', '2', '--json');
        expect(run, run.stdout + run.stderr).toMatchObject({ code: 0, last: { outcome: 'complete' } });
        const landed = await git(scene, 'log', '--format=%(trailers:key=Harness-Feature,valueonly,separator=)');
        expect(
          landed
            .split('\n')
            .filter((line) => line !== '')
            .toSorted(),
        ).toEqual(['F-001', 'F-002']);
        const roles = eventsOf(run, 'session.start').map(({ prompt }) => String(prompt));
        expect(roles.toSorted()).toEqual(['curator', 'plan-reviewer', 'planner', 'validator', 'validator', 'worker', 'worker']);
        const { validator } = JSON.parse(await read(scene, '.harness/mission.json')) as { validator: object };
        expect(validator).toMatchObject({ asked: 2, believed: 2, unquoted: 0 });
        // The scripted model writes through the shell of agents behind the protocol, and a curator has none: it is refused, and nothing is lost by it.
        const warnings = eventsOf(run, 'warning').map(({ message }) => String(message));
        if (agent.backend === 'acp') expect(warnings).toContain('curator: the memory was not written; everything stays as it was');
        else expect(await read(scene, '.harness/memory/summary.md')).toBe('All of it is there.\n');
        expect(eventsOf(run, 'session.end')).toHaveLength(roles.length);
        expect(await processesWith(scene.folder)).toEqual([]);
      });
    },
  );
