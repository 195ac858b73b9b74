/** Every write of the session, crashed before or right after it: the same command goes on, and the end is the same. */
import { basename } from 'node:path';
import { expect, test } from 'vitest';
import type { HarnessEvent } from '../../src/domain/event.ts';
import { holdPlace } from '../../src/kernel/hold-place.ts';
import type { Mode, WorkflowReport } from '../../src/flows/workflow/contract.ts';
import { runWorkflow } from '../../src/flows/workflow/workflow.ts';
import { nodePlatform } from '../../src/platform/node-platform.ts';
import type { Platform } from '../../src/platform/platform.ts';
import { git } from './support.ts';
import { GO, lastCommit, output, say, TASK, workflowScene, type WorkflowScene } from './workflow-scene.ts';

class Crash extends Error {}

/** Dies at a write of the session, counted from 1: before it reaches the disk, or right after. From then on nothing can be written. */
function dying(platform: Platform, at: number, when: 'before' | 'after'): { platform: Platform; died(): boolean } {
  let writes = 0;
  let dead = false;
  const { files, processes } = platform;
  const alive = <Arguments extends unknown[], Result>(act: (...given: Arguments) => Promise<Result>) => {
    return async (...given: Arguments): Promise<Result> => {
      if (dead) throw new Crash();
      return await act(...given);
    };
  };
  return {
    died: () => dead,
    platform: {
      ...platform,
      processes: { ...processes, run: alive(processes.run), start: alive(processes.start) },
      files: {
        ...files,
        write: alive(files.write),
        append: alive(files.append),
        rename: alive(files.rename),
        remove: async (path) => {
          if (!dead || basename(path).startsWith('lock')) await files.remove(path);
        },
        writeAtomic: alive(async (path, data, mode) => {
          const now = basename(path) === 'state.json' && ++writes === at;
          if (!now || when === 'after') await files.writeAtomic(path, data, mode);
          if (!now) return;
          dead = true;
          throw new Crash();
        }),
      },
    },
  };
}

async function run(scene: WorkflowScene, platform: Platform, mode: Mode, events: HarnessEvent[]): Promise<WorkflowReport> {
  const answers: Readonly<Record<string, string>> = GO;
  return await holdPlace(
    platform,
    scene.project,
    {
      emit: (event) => events.push(event),
      asker: {
        ask: async (gate) => (answers[gate.id] === undefined ? 'pending' : { option: answers[gate.id]!, text: null, by: 'answers' }),
        expects: async () => true,
      },
      signal: new AbortController().signal,
      agent: 'command',
      agentCommand: `sh "${scene.agent}"`,
      command: 'harness workflow',
    },
    (desk) =>
      runWorkflow(desk, {
        step: null,
        task: TASK,
        mode,
        modelConfig: 'default',
        conventions: null,
        lintCommand: null,
        typeCheckCommand: null,
        verifierModel: null,
        outputDir: null,
        scope: null,
        maxFiles: null,
      }),
  );
}

const REPORT = `echo '# Report' > report.md; ${output('- `report.md`')}; ${say('changed 1 files — wrote it')}`;
const MOST_RUNS = 60;

test.each([
  ['single', 'after', 1],
  ['single', 'before', 2],
  ['standard', 'after', 1],
  ['standard', 'before', 2],
  ['multi', 'after', 1],
  ['multi', 'before', 2],
] as const)('in %s mode, %s every write', { timeout: 300_000 }, async (mode, when, at) => {
  const builders = { 'generator-single': REPORT, 'implementation-standard': REPORT, implementation: REPORT };
  const scene = await workflowScene(builders, { 'notes.txt': 'figures\n' });
  const events: HarnessEvent[] = [];
  let crashes = 0;
  for (;;) {
    const { platform, died } = dying(nodePlatform(scene.env), at, when);
    const report = await run(scene, platform, mode, events).catch((error: unknown) => {
      if (!died()) throw error;
      return null;
    });
    if (report !== null) {
      expect(report, JSON.stringify(events.slice(-5))).toMatchObject({ outcome: 'verified', exitCode: 0 });
      break;
    }
    crashes += 1;
    expect(crashes).toBeLessThan(MOST_RUNS);
  }
  expect(crashes).toBeGreaterThan(10);
  expect(await lastCommit(scene)).toMatchObject({ subject: TASK, files: ['report.md'] });
  expect(await git(scene, 'rev-list', '--count', 'HEAD')).toBe('2');
  expect(await git(scene, 'status', '--porcelain')).toBe('');
  const calls = events.flatMap((event) => (event.type === 'session.start' ? [event.prompt] : []));
  const twice = when === 'after' ? calls.filter((role, index) => role !== 'cross-critique' && calls.indexOf(role) !== index) : [];
  expect(twice).toEqual([]);
});
