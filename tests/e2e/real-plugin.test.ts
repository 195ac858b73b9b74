/** The plugin from the packed tarball, in Claude Code and Codex from npm with an empty home and a scripted model: part of the long check (`npm run agents`). */
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import type { ScriptedServer } from '../../src/agents/scripted/server.ts';
import { isInstalled } from '../conformance/installed-agents.ts';
import { claude, claudeEnv, closeHosts, codexEnv, installPackage, modelFor, toolResults, typed } from './host-support.ts';
import { gates, git, write, type Scene } from './support.ts';
import { TASK, workflowScene } from './workflow-scene.ts';

afterEach(closeHosts);

const skipped = (agent: string): boolean => process.env['HARNESS_LONG_CHECK'] === undefined || !isInstalled(agent);

/** The flow's own agent is a script that the user's settings name. */
async function userScene(): Promise<Scene> {
  const scene = await workflowScene();
  await mkdir(scene.env['HARNESS_HOME'] ?? '', { recursive: true });
  const command = JSON.stringify(`sh "${scene.agent}"`);
  await writeFile(join(scene.env['HARNESS_HOME'] ?? '', 'config.yaml'), `agent:\n  backend: command\n  command: ${command}\n`);
  await installPackage(scene);
  return scene;
}

async function filesWith(folder: string, word: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  const found: string[] = [];
  for (const entry of entries) {
    const path = join(entry.parentPath, entry.name);
    if (path.includes(word) || (entry.isFile() && (await readFile(path, 'utf8')).includes(word))) found.push(path);
  }
  return found;
}

const ACCEPTING_HOOK = `import { appendFileSync, readFileSync } from 'node:fs';
const call = readFileSync(0, 'utf8');
appendFileSync(process.argv[2], call + '\\n');
const option = ['single', 'default', 'Skip', 'Proceed'].find((one) => call.includes('"' + one + '"')) ?? 'Proceed';
console.log(JSON.stringify({ hookSpecificOutput: { hookEventName: 'Elicitation', action: 'accept', content: { option } } }));
`;

const START = { task: TASK, mode: 'single', model_config: 'default' };
const say = (text: string, name: string, input: Record<string, unknown> = {}) => ({ text, tools: [{ name, input }] });

describe.skipIf(skipped('claude-code'))('Claude Code', { timeout: 400_000 }, () => {
  const tool = (name: string): string => `mcp__plugin_harness_harness__harness_${name}`;

  test('the plugin validates, installs, works up to a verified commit, and leaves nothing', async () => {
    const scene = await userScene();
    const server = await modelFor([
      {
        when: { contains: TASK },
        steps: [
          say('Starting.', tool('workflow'), { task: TASK }),
          say('Skipping the scan.', tool('answer'), { gate: 'workflow.conventions', option: 'Skip' }),
          say('Going on.', tool('workflow')),
          say('I say yes for the user.', tool('answer'), { gate: 'workflow.spec', option: 'Proceed' }),
          say('I try the shell.', 'Bash', { command: 'harness answer workflow.spec Proceed', description: 'Answer' }),
          { text: 'You have to answer workflow.spec.' },
        ],
      },
      {
        steps: [
          say('Going on.', tool('workflow')),
          say('Committing as you said.', tool('answer'), { gate: 'workflow.commit', option: 'Commit code only' }),
          say('Going on.', tool('workflow')),
          { text: 'Verified.' },
        ],
      },
    ]);
    const env = claudeEnv(scene, server);
    const root = join(scene.folder, 'prefix', 'lib', 'node_modules', 'universal-agent-harness', 'plugin');
    const valid = await typed(
      scene,
      env,
      'claude',
      'plugin',
      'validate',
      join(root, '.claude-plugin', 'plugin.json'),
      '--strict',
      '--profile',
      'directory',
    );
    expect(valid, valid.stdout + valid.stderr).toMatchObject({ code: 0 });
    const preview = await typed(scene, env, 'harness', 'plugin', 'install', '--print', '--host', 'claude');
    expect(preview.stdout).toContain('claude plugin install harness@universal-agent-harness');
    expect(await filesWith(join(scene.env['HOME'] ?? '', '.claude'), 'universal-agent-harness')).toEqual([]);
    const installed = await typed(scene, env, 'harness', 'plugin', 'install', '--host', 'claude', '--stop-hook');
    expect(installed, installed.stdout + installed.stderr).toMatchObject({ code: 0 });
    const listed = await typed(scene, env, 'claude', 'plugin', 'list', '--json');
    expect(JSON.parse(listed.stdout)).toMatchObject([{ id: 'harness@universal-agent-harness', enabled: true }]);
    const details = await typed(scene, env, 'claude', 'plugin', 'details', 'harness@universal-agent-harness');
    expect(Number(/Always-on:\s+~(\d+) tok/.exec(details.stdout)?.[1])).toBeLessThan(1_500);

    // A hook of the host that answers everything in the person's place, and keeps what it was asked.
    const settings = join(scene.env['HOME'] ?? '', '.claude', 'settings.json');
    const asked = join(scene.folder, 'elicited.jsonl');
    const hook = join(scene.folder, 'elicitation.mjs');
    await writeFile(hook, ACCEPTING_HOOK);
    const before = JSON.parse(await readFile(settings, 'utf8')) as { hooks: Record<string, unknown> };
    const command = `${process.execPath} ${hook} ${asked}`;
    await writeFile(
      settings,
      JSON.stringify({ ...before, hooks: { ...before.hooks, Elicitation: [{ hooks: [{ type: 'command', command }] }] } }),
    );

    const first = await claude(scene, server, [`/harness:workflow ${TASK}`]);
    expect(first, first.stdout + first.stderr).toMatchObject({ code: 0 });
    const init = JSON.parse(first.stdout.split('\n').find((line) => line.includes('"subtype":"init"')) ?? '{}') as Record<string, unknown>;
    expect(init['skills']).toEqual(expect.arrayContaining(['harness:workflow', 'harness:spec', 'harness:mission', 'harness:harness']));
    expect(init['agents']).toContain('harness:worker');
    // Pending on a busy machine: that it is connected shows in the answers of its tools.
    expect(JSON.stringify(init['mcp_servers'])).toMatch(/"plugin:harness:harness","status":"(connected|pending)"/);
    expect(init['plugin_errors'] ?? []).toEqual([]);
    const answers = toolResults(server);
    expect(answers.at(-2)).toContain("workflow.spec is a person's question");
    expect(answers.at(-1)).toContain("workflow.spec is a person's question");
    expect(await gates(scene)).toMatchObject([{ id: 'workflow.spec', person: true }]);
    const elicited = await readFile(asked, 'utf8');
    expect(elicited).toContain('single');
    expect(elicited).not.toContain('Proceed');

    expect(await typed(scene, scene.env, 'harness', 'answer', 'workflow.spec', 'Proceed')).toMatchObject({ code: 0 });
    const base = await git(scene, 'rev-parse', 'HEAD');
    const second = await claude(scene, server, ['Go on with the work.']);
    expect(second, second.stdout + second.stderr).toMatchObject({ code: 0 });
    expect(toolResults(server).at(-1)).toContain('verified');
    expect(await git(scene, 'rev-parse', 'HEAD^')).toBe(base);

    const removed = await typed(scene, env, 'harness', 'plugin', 'uninstall', '--host', 'claude');
    expect(removed, removed.stdout + removed.stderr).toMatchObject({ code: 0 });
    const kept = JSON.parse(await readFile(settings, 'utf8')) as object;
    expect(kept).toEqual({ hooks: { Elicitation: expect.anything() as unknown } });
  });

  test('the Stop hook refuses a false finish in words, passes a true one, and is honest when the host overrides it', async () => {
    const scene = await userScene();
    const WRONG = 'export const two = () => 3;\n';
    const TEST = `import assert from 'node:assert/strict';\nimport { test } from 'node:test';\nimport { two } from '../src/two.js';\ntest('two', () => assert.equal(two(), 2));\n`;
    const path = (name: string): string => join(scene.project, name);
    const server = await modelFor([
      {
        when: { contains: 'write two' },
        steps: [
          say('Writing.', 'write_file', { path: path('src/two.js'), content: WRONG }),
          say('A test.', 'write_file', { path: path('test/two.test.js'), content: TEST }),
          { text: 'Done, everything works.' },
          say('I was told that it fails.', 'write_file', { path: path('src/two.js'), content: WRONG.replace('3', '2') }),
          { text: 'Now it works.' },
        ],
      },
      {
        when: { contains: 'write three' },
        steps: [
          say('Writing.', 'write_file', { path: path('src/two.js'), content: WRONG }),
          say('A test.', 'write_file', { path: path('test/two.test.js'), content: TEST.replace("'two'", "'two again'") }),
          ...Array.from({ length: 12 }, () => ({ text: 'It is done.' })),
        ],
      },
      { steps: [{ text: 'Nothing to do.' }] },
    ]);
    const env = claudeEnv(scene, server);
    expect(await typed(scene, env, 'harness', 'plugin', 'install', '--host', 'claude', '--stop-hook')).toMatchObject({ code: 0 });
    const run = await claude(scene, server, ['write two']);
    expect(run, run.stdout + run.stderr).toMatchObject({ code: 0 });
    const told = server.requests.filter(({ raw }) => raw.includes('The harness ran the tests itself and rejects this change'));
    expect(told.length).toBeGreaterThan(0);
    expect(told[0]?.raw).toContain('test/two.test.js');
    expect(await stopsOf(scene)).toEqual([
      ['rejected', 'not_verified', true],
      ['accepted', 'verified', false],
    ]);

    await git(scene, 'add', '-A');
    await git(scene, 'commit', '-q', '-m', 'Two');
    const asked = await claude(scene, server, ['just a question']);
    expect(asked.code).toBe(0);

    const settings = join(scene.env['HOME'] ?? '', '.claude', 'settings.json');
    await writeFile(settings, (await readFile(settings, 'utf8')).replaceAll('harness hook stop', 'harness hook stop --blocks 20'));
    const overridden = await claude(scene, server, ['write three']);
    expect(overridden.code).toBe(0);
    const stops = await stopsOf(scene);
    expect(stops.length).toBeGreaterThanOrEqual(8);
    expect(stops.every(([, result]) => result === 'not_verified')).toBe(true);
    await git(scene, 'checkout', '-q', '.');
    await write(scene, {});
    expect(await typed(scene, env, 'harness', 'plugin', 'uninstall', '--host', 'claude')).toMatchObject({ code: 0 });
    expect(await readFile(settings, 'utf8').catch(() => '')).not.toContain('harness');
  });
});

/** Of the session that stopped last. */
async function stopsOf(scene: Scene): Promise<(string | boolean)[][]> {
  const judged = join(scene.env['HARNESS_HOME'] ?? '', 'judged');
  const [key = ''] = await readdir(judged);
  const folder = join(judged, key, 'stops');
  const records = await Promise.all(
    (await readdir(folder)).map(
      async (name) =>
        JSON.parse(await readFile(join(folder, name), 'utf8')) as {
          stops: { at: string; verdict: string; result: string; blocked: boolean }[];
        },
    ),
  );
  const last = records.toSorted((one, other) => ((one.stops.at(-1)?.at ?? '') < (other.stops.at(-1)?.at ?? '') ? 1 : -1))[0];
  return (last?.stops ?? []).map(({ verdict, result, blocked }) => [verdict, result, blocked]);
}

async function pluginsEnv(scene: Scene, server: ScriptedServer): Promise<Record<string, string>> {
  const env = await codexEnv(scene, server);
  const config = join(scene.env['HOME'] ?? '', '.codex', 'config.toml');
  await writeFile(config, (await readFile(config, 'utf8')).replace('plugins = false', 'plugins = true'));
  return env;
}

describe.skipIf(skipped('codex'))('Codex', { timeout: 400_000 }, () => {
  test('the plugin installs, works up to a verified commit, and leaves nothing', async () => {
    const scene = await userScene();
    const call = (name: string, input: Record<string, unknown> = {}) => say('Next.', `mcp__harness/harness_${name}`, input);
    // Codex does not wait for its servers before the first request.
    const settle = say('A moment.', 'shell', { command: 'sleep 5' });
    const server = await modelFor([
      {
        when: { contains: TASK },
        steps: [
          settle,
          call('workflow', START),
          call('answer', { gate: 'workflow.conventions', option: 'Skip' }),
          call('workflow'),
          call('answer', { gate: 'workflow.spec', option: 'Proceed' }),
          { text: 'You have to answer workflow.spec.' },
        ],
      },
      {
        steps: [
          settle,
          call('workflow'),
          call('answer', { gate: 'workflow.commit', option: 'Commit code only' }),
          call('workflow'),
          { text: 'Verified.' },
        ],
      },
    ]);
    const env = await pluginsEnv(scene, server);
    const config = join(scene.env['HOME'] ?? '', '.codex', 'config.toml');
    const before = await readFile(config, 'utf8');
    const installed = await typed(scene, env, 'harness', 'plugin', 'install', '--host', 'codex', '--stop-hook');
    expect(installed, installed.stdout + installed.stderr).toMatchObject({ code: 0 });
    expect((await typed(scene, env, 'codex', 'plugin', 'list')).stdout).toMatch(/harness@universal-agent-harness +installed, enabled/);
    const codex = (prompt: string) =>
      typed(scene, env, 'codex', 'exec', '--dangerously-bypass-approvals-and-sandbox', '--skip-git-repo-check', '--json', prompt);
    const first = await codex(`$workflow ${TASK}`);
    expect(first, first.stdout + first.stderr).toMatchObject({ code: 0 });
    expect(server.requests[0]?.raw).toContain('harness:workflow');
    expect(first.stdout).toContain("workflow.spec is a person's question");
    expect(await gates(scene)).toMatchObject([{ id: 'workflow.spec', person: true }]);
    expect(await typed(scene, scene.env, 'harness', 'answer', 'workflow.spec', 'Proceed')).toMatchObject({ code: 0 });
    const base = await git(scene, 'rev-parse', 'HEAD');
    const second = await codex('Go on with the work.');
    expect(second, second.stdout + second.stderr).toMatchObject({ code: 0 });
    expect(await git(scene, 'rev-parse', 'HEAD^')).toBe(base);
    expect(await typed(scene, env, 'harness', 'plugin', 'uninstall', '--host', 'codex')).toMatchObject({ code: 0 });
    // Codex itself notes that it works in this project.
    const after = (await readFile(config, 'utf8')).replace(/\n\[projects\.[^\]]*\]\ntrust_level = "trusted"\n/, '');
    expect(after.trim()).toBe(before.trim());
    const codexFolder = join(scene.env['HOME'] ?? '', '.codex');
    expect(await filesWith(join(codexFolder, 'plugins'), 'universal-agent-harness')).toEqual([]);
    expect(await readdir(codexFolder)).not.toContain('hooks.json');
  });

  test('the Stop hook refuses a false finish in words and passes a true one', async () => {
    const scene = await userScene();
    const file = (name: string, text: string) => say('Writing.', 'shell', { command: `cat > ${name} <<'END'\n${text}END` });
    const WRONG = 'export const two = () => 3;\n';
    const TEST = `import assert from 'node:assert/strict';\nimport { test } from 'node:test';\nimport { two } from '../src/two.js';\ntest('two', () => assert.equal(two(), 2));\n`;
    const server = await modelFor([
      {
        steps: [
          file('src/two.js', WRONG),
          file('test/two.test.js', TEST),
          { text: 'Done, everything works.' },
          file('src/two.js', WRONG.replace('3', '2')),
          { text: 'Now it works.' },
        ],
      },
    ]);
    const env = await pluginsEnv(scene, server);
    const installed = await typed(scene, env, 'harness', 'plugin', 'install', '--host', 'codex', '--stop-hook');
    expect(installed, installed.stdout + installed.stderr).toMatchObject({ code: 0 });
    // A person trusts the hook once, in a dialogue that exec does not have.
    const args = [
      'exec',
      '--dangerously-bypass-approvals-and-sandbox',
      '--dangerously-bypass-hook-trust',
      '--skip-git-repo-check',
      '--json',
    ];
    const run = await typed(scene, env, 'codex', ...args, 'write two');
    expect(run, run.stdout + run.stderr).toMatchObject({ code: 0 });
    const told = server.requests.filter(({ raw }) => raw.includes('The harness ran the tests itself and rejects this change'));
    expect(told.length, run.stdout + run.stderr).toBeGreaterThan(0);
    expect(await stopsOf(scene)).toEqual([
      ['rejected', 'not_verified', true],
      ['accepted', 'verified', false],
    ]);
    expect(await typed(scene, env, 'harness', 'plugin', 'uninstall', '--host', 'codex')).toMatchObject({ code: 0 });
    expect(await readdir(join(scene.env['HOME'] ?? '', '.codex'))).not.toContain('hooks.json');
  });
});
