/** Lanes as people run programs: `.env` for the agent and for nobody else, ports of its own for each, and where to look at them. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { HONEST, HONEST_BOTH, projectWithAgent } from './calculator.ts';
import { eventsOf, exists, git, harness, startHarness, write, type Scene } from './support.ts';

const SECRET = 'q7Zp-41xW-93kd-Lm2s';
const SETTINGS = 'workspace:\n  include: [.env, "config/local.*", notes.txt]\n';
const SERVE = `node -e 'require("http").createServer((q, s) => s.end("feature " + process.env.HARNESS_FEATURE_ID)).listen(Number(process.env.HARNESS_PORT_BASE) + 3, "127.0.0.1", () => console.log("serving"))' &
server=$!`;

/** The user's own files, which git ignores, and what their own settings allow of them. */
async function withOwnFiles(script: string, allowed: string): Promise<Scene> {
  const scene = await projectWithAgent(script, { checked: true, settings: SETTINGS });
  await write(scene, {
    '.env': `API_KEY=${SECRET}\nPORT=3000\n`,
    'config/local.json': '{ "name": "local" }\n',
    'notes.txt': 'mine\n',
  });
  await mkdir(scene.env['HARNESS_HOME']!, { recursive: true });
  await writeFile(join(scene.env['HARNESS_HOME']!, 'config.yaml'), `workspace: { include_allowed: ${allowed} }\n`);
  return scene;
}

test('two lanes with a server each: both can be looked at, none meets the other, .env is there for the agents alone', async () => {
  const scene = await withOwnFiles(
    `set -e\ngrep -q API_KEY .env\ntest -e config/local.json\necho PORT=1 >> .env\n${SERVE}\nwhile [ ! -e "$HOME/go" ]; do sleep 0.1; done\nkill $server\n${HONEST_BOTH}`,
    '[.env, "config/local.*"]',
  );
  const started = startHarness(scene, ['run', '--lanes', '2', '--json']);
  const serving = (): number => started.seen().split('"text":"serving"').length - 1;
  await expect.poll(serving, { timeout: 60_000 }).toBe(2);
  const { lanes } = JSON.parse((await harness(scene, 'status', '--json')).stdout) as {
    lanes: { lane: string; feature: number; addresses: string[] }[];
  };
  const pages = await Promise.all(lanes.map(async ({ addresses: [address] }) => await (await fetch(address!)).text()));
  expect(pages).toEqual(lanes.map(({ feature }) => `feature ${feature}`));
  expect(new Set(lanes.flatMap(({ addresses }) => addresses)).size).toBe(2);
  expect((await harness(scene, 'status')).stdout).toContain(lanes[1]!.addresses[0]);
  await writeFile(join(scene.env['HOME']!, 'go'), '');
  const run = await started.ended;
  expect(run, run.stdout.slice(-3_000) + run.stderr).toMatchObject({ code: 0 });
  for (const session of [1, 2]) {
    const captured = await git(scene, 'ls-tree', '-r', '--name-only', `refs/harness/candidates/${session}`);
    expect(captured).not.toMatch(/\.env|local\.json|notes\.txt/);
  }
  expect(await git(scene, 'log', 'HEAD', '--name-only', '--format=')).not.toMatch(/\.env|local\.json/);
  const refused = eventsOf(run, 'warning').filter(({ message }) => String(message).includes('workspace.include'));
  expect(refused[0]!['message']).toContain('notes.txt');
  expect(await exists(join(scene.project, 'notes.txt'))).toBe(true);
}, 180_000);

test('a secret of such a file in the work is a question, and is hidden where the session is written down', async () => {
  const scene = await withOwnFiles(
    `cat .env\n${HONEST}\necho "export const key = '$(sed -n 's/API_KEY=//p' .env)';" >> src/subtract.js`,
    '[.env]',
  );
  const run = await harness(scene, 'run', '--json');
  expect(run, run.stdout + run.stderr).toMatchObject({ code: 8, last: { outcome: 'needs_human', reasons: ['secret.in_work'] } });
  expect(run.stdout).toContain('API_KEY=[hidden]');
  expect(run.stdout + run.stderr).not.toContain(SECRET);
  expect((await harness(scene, 'log', 'query', 'type=agent.text')).stdout).not.toContain(SECRET);
  expect(await git(scene, 'log', '-p', 'HEAD')).not.toContain(SECRET);
});

test('without the word of the user nothing is copied, and a project cannot give it', async () => {
  const scene = await projectWithAgent(`test ! -e .env\n${HONEST}`, { checked: true, settings: SETTINGS });
  await write(scene, { '.env': `API_KEY=${SECRET}\n` });
  expect(await harness(scene, 'run')).toMatchObject({ code: 0 });
  await write(scene, {
    '.harness.yaml': 'project:\n  name: calculator\ntesting:\n  full: npm test\nworkspace:\n  include: [.env]\n  include_allowed: [.env]\n',
  });
  await git(scene, 'commit', '-q', '-m', 'Allow', '--', '.harness.yaml');
  const refused = await harness(scene, 'run');
  expect(refused).toMatchObject({ code: 2 });
  expect(refused.stderr).toContain('workspace.include_allowed');
});
