/** `harness demo`: the whole main job on the bundled example, in a temporary directory, with the embedded agent. */
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Emit } from '../../domain/event.ts';
import { folderStore } from '../../store/folder-store.ts';
import { createAsker } from '../../gates/asker.ts';
import type { Platform } from '../../platform/platform.ts';
import { initFromSpec } from '../../flows/project/init/from-spec.ts';
import { asWriter } from '../../flows/project/open.ts';
import { run } from '../../flows/project/run.ts';
import type { RunReport } from '../../flows/project/machine/run-report.ts';
import { readCosts } from '../../kernel/books/costs-file.ts';
import { projectCost } from '../../kernel/books/sums.ts';
import { HARNESS_IDENTITY } from '../../workspace/commit.ts';
import { demoScenario } from './scenario.ts';
import { SPEC } from './story.ts';

export interface DemoReport extends RunReport {
  folder: string;
  home: string;
  output: string;
  cost_usd: number;
  sessions: number;
}

/** Asks nothing, also at a terminal: it is there to be watched. */
export async function runDemo(platform: Platform, options: { emit: Emit; signal: AbortSignal }): Promise<DemoReport> {
  const top = join(platform.env['TMPDIR'] ?? tmpdir(), `harness-demo-${platform.random.id(4)}`);
  const folder = join(top, 'tally');
  const home = join(top, 'harness-home');
  await platform.files.mkdir(folder);
  await platform.files.mkdir(home);
  await platform.files.write(join(folder, 'spec.md'), SPEC);
  await platform.files.write(join(top, 'scenario.json'), JSON.stringify(demoScenario(), null, 2));
  // A machine where git knows no name yet runs the demo too.
  const env = { ...platform.env, ...HARNESS_IDENTITY, HARNESS_HOME: home, HARNESS_SCENARIO: join(top, 'scenario.json') };
  const demo: Platform = { ...platform, env };
  await initFromSpec(demo, folder, {
    spec: 'spec.md',
    agent: 'scripted',
    agentCommand: null,
    emit: options.emit,
    signal: options.signal,
    command: 'harness demo',
  });
  const asker = createAsker({
    platform: demo,
    gates: folderStore(demo, join(folder, '.harness')).in('gates'),
    interactive: false,
    answers: {},
    yes: true,
    approve: [],
    emit: options.emit,
  });
  const { report, costs } = await asWriter(
    demo,
    folder,
    { emit: options.emit, signal: options.signal, asker, command: 'harness demo' },
    async (project, state) => {
      const done = await run(project, state, {
        sessions: Number.POSITIVE_INFINITY,
        noCache: false,
        cleanup: false,
        // The demo's set-up is written here, and its tests are among those of the harness.
        knownSound: true,
      });
      return { report: done, costs: await readCosts(project, { writer: false }) };
    },
  );
  const output = report.outcome === 'complete' ? await runFinishedProgram(demo, folder) : '';
  return { ...report, folder, home, output, cost_usd: projectCost(costs), sessions: costs.cumulative.total_sessions };
}

async function runFinishedProgram(platform: Platform, folder: string): Promise<string> {
  const result = await platform.processes.run({
    file: process.execPath,
    args: ['bin/tally.js', 'spec.md'],
    cwd: folder,
    env: { PATH: platform.env['PATH'] ?? '' },
    timeoutMs: 10_000,
  });
  return result.stdout.toString('utf8') + result.stderr.toString('utf8');
}
