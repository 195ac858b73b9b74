import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { HarnessError } from '../domain/errors.ts';
import type { HarnessEvent } from '../domain/event.ts';
import { treeOf } from '../workspace/home.ts';
import { callRole } from './roles/call-role.ts';
import { openPlace, type Place, type PlaceOptions } from './place.ts';
import { holdPlace } from './hold-place.ts';
import { placeSettings, type AgentChoice } from './place-settings.ts';
import { createPlaceBench, type PlaceBench } from './test-support.ts';

let bench: PlaceBench;
afterEach(() => bench.dispose());

const none: AgentChoice = { agent: null, agentCommand: null };
const options: Omit<PlaceOptions, 'journal'> = {
  ...none,
  emit: () => {},
  asker: { ask: async () => 'pending', expects: async () => false },
  signal: new AbortController().signal,
};
const look = (root: string): Promise<Place> => openPlace(bench.platform, root, { ...options, journal: false });

describe('the settings of a place', () => {
  beforeEach(() => void (bench = createPlaceBench({ git: true })));

  test('need no file: the defaults stand, under the name of the folder', async () => {
    const { config, remarks } = await placeSettings(bench.platform, bench.root, none);
    expect(config).toMatchObject({ project: { name: 'project' }, agent: { backend: 'claude-code' }, paths: { state_dir: '.harness' } });
    expect(remarks).toEqual([]);
  });

  test('take the agent from the command line, before what the file says', async () => {
    bench.write({ '.harness.yaml': 'project:\n  name: mine\ntesting:\n  full: npm test\nagent:\n  backend: anthropic\n' });
    const settings = async (choice: Partial<AgentChoice>): Promise<unknown> =>
      (await placeSettings(bench.platform, bench.root, { ...none, ...choice })).config.agent;
    expect(await settings({})).toMatchObject({ backend: 'anthropic' });
    expect(await settings({ agent: 'codex' })).toMatchObject({ backend: 'codex' });
    expect(await settings({ agentCommand: './agent' })).toMatchObject({ backend: 'command', command: './agent' });
    expect(await settings({ agent: 'acp', agentCommand: './agent' })).toMatchObject({ backend: 'acp', command: './agent' });
    await expect(settings({ agent: 'command' })).rejects.toThrow('needs a command');
    await expect(settings({ agent: 'nobody' })).rejects.toThrow('no agent backend named nobody');
  });

  test('without a file hand on the variables that the user allows to every project; a file names its own', async () => {
    writeFileSync(join(bench.harnessHome, 'config.yaml'), 'agent:\n  env: [ANTHROPIC_API_KEY]\n');
    expect((await placeSettings(bench.platform, bench.root, none)).config.agent.env).toEqual(['ANTHROPIC_API_KEY']);
    bench.write({ '.harness.yaml': 'project:\n  name: mine\ntesting:\n  full: npm test\n' });
    expect((await placeSettings(bench.platform, bench.root, none)).config.agent.env).toEqual([]);
  });

  test('are tightened by the user’s own, and a broken file is refused', async () => {
    writeFileSync(join(bench.harnessHome, 'config.yaml'), 'costs:\n  total_project_usd: 3\n');
    expect((await placeSettings(bench.platform, bench.root, none)).config.costs.total_project_usd).toBe(3);
    bench.write({ '.harness.yaml': 'project: [\n' });
    await expect(placeSettings(bench.platform, bench.root, none)).rejects.toThrow(HarnessError);
  });

  test('of a folder whose name is hard to write still hold', async () => {
    const odd = join(bench.folder, ': "odd" #name');
    mkdirSync(odd);
    expect((await placeSettings(bench.platform, odd, none)).config.project.name).toBe(': "odd" #name');
  });
});

describe('a place inside git', () => {
  beforeEach(() => void (bench = createPlaceBench({ git: true })));

  test('keeps its state out of commits without touching a file of the user', async () => {
    await bench.hold('true', async (place) =>
      expect(place).toMatchObject({ hasGit: true, root: bench.root, stateDir: join(bench.root, '.harness') }),
    );
    expect(bench.git('status', '--porcelain')).toBe('');
    expect(existsSync(join(bench.root, '.gitignore'))).toBe(false);
    expect(readFileSync(join(bench.root, '.harness/.gitignore'), 'utf8')).toBe('*\n');
    expect(existsSync(join(bench.root, '.git/info/exclude'))).toBe(false);
  });

  test('in a folder below the root of the repository keeps its state there, and out of commits', async () => {
    bench.write({ 'part/a.txt': 'a' });
    bench.git('add', '-A');
    bench.git('commit', '-q', '-m', 'part');
    const part = join(bench.root, 'part');
    await holdPlace(bench.platform, part, { ...options, command: 'harness spec' }, async (place) => {
      expect([place.root, place.home.root, place.stateDir]).toEqual([part, bench.root, join(part, '.harness')]);
    });
    expect(bench.git('status', '--porcelain')).toBe('');
  });

  test('that is only looked at writes nothing', async () => {
    const place = await look(bench.root);
    expect(place.journal).toBeNull();
    expect(existsSync(join(bench.root, '.harness'))).toBe(false);
  });

  test('is held by one process at a time', async () => {
    await bench.hold('true', async () => {
      const second = bench.hold('true', async () => 'never');
      await expect(second).rejects.toMatchObject({ exitCode: 9 });
      await expect(second).rejects.toThrow('harness workflow');
    });
    expect(await bench.hold('true', async () => 'free again')).toBe('free again');
  });

  test('gives the lock back and keeps its journal when the work fails', async () => {
    const failing = bench.hold('true', async (place) => {
      place.emit({ type: 'flow.phase', flow: 'workflow', phase: 'plan', label: '[harness] Phase: Plan' });
      throw new Error('broken');
    });
    await expect(failing).rejects.toThrow('broken');
    expect(existsSync(join(bench.root, '.harness/lock'))).toBe(false);
    expect(readFileSync(join(bench.root, '.harness/logs/events.jsonl'), 'utf8')).toContain('"phase":"plan"');
  });

  test('ends what a role of a dead process left running, and sweeps what it left lying', async () => {
    const tree = await bench.hold('true', async (place) => {
      await callRole(place, {
        role: 'workflow/tester',
        variables: { task: 't' },
        model: null,
        output: null,
        lane: 'left',
        tree: await treeOf(place.platform, place.home, 'HEAD'),
        keeps: 'output',
        language: 'en',
      });
      return join(
        bench.events.find((event): event is HarnessEvent & { type: 'session.start' } => event.type === 'session.start')!.workspace,
      );
    });
    const env = { PATH: process.env['PATH'], HARNESS_PROJECT_DIR: tree };
    execFileSync('sh', ['-c', 'setsid sleep 300 >/dev/null 2>&1 & sleep 0.2'], { cwd: tree, env });
    const running = (): Promise<number[]> => bench.platform.processes.findByEnvironment('HARNESS_PROJECT_DIR', tree);
    expect(await running()).toHaveLength(1);
    writeFileSync(join(bench.root, '.harness', '.harness-tmp-state.json-1'), 'half');
    await bench.hold('true', async () => {});
    expect(await running()).toEqual([]);
    expect(existsSync(join(bench.root, '.harness', '.harness-tmp-state.json-1'))).toBe(false);
    expect(bench.events).toContainEqual({ type: 'state.recovered', what: '1 process of an earlier session', action: 'ended' });
  });
});

describe('a place outside git', () => {
  beforeEach(() => void (bench = createPlaceBench({ git: false })));

  test('has a home of the harness’s own, and only .harness is new in the folder', async () => {
    await bench.hold('true', async (place) => {
      expect(place.hasGit).toBe(false);
      expect(place.home.root.startsWith(bench.harnessHome)).toBe(true);
      expect((await place.trees.list(await treeOf(place.platform, place.home, 'HEAD'))).map((entry) => entry.path)).toEqual(['hello.txt']);
    });
    expect(existsSync(join(bench.root, '.git'))).toBe(false);
    expect(existsSync(join(bench.root, '.harness'))).toBe(true);
  });

  test('is not taken for one when git only refuses to open the repository', async () => {
    mkdirSync(join(bench.root, '.git'));
    writeFileSync(join(bench.root, '.git/HEAD'), 'ref: refs/heads/main\n');
    for (const name of ['objects', 'refs']) mkdirSync(join(bench.root, '.git', name));
    writeFileSync(join(bench.root, '.git/config'), '[core]\n\trepositoryformatversion = 99\n');
    await expect(look(bench.root)).rejects.toThrow(HarnessError);
  });
});
