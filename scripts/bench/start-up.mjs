// How long a look command takes against Node doing nothing, in alternating runs.
import { spawnSync } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { HARNESS } from './sources.mjs';
import { makeProject } from './project.mjs';
import { median, milliseconds } from './table.mjs';

const TARGET = 1.2;

export async function measure({ scratch, quick }) {
  const project = await makeProject(join(scratch, 'start-up'), { files: 50, features: 3 });
  const runs = quick ? 10 : 30;
  const commands = {
    node: ['-e', '0'],
    status: [HARNESS, 'status', '--cwd', project.root],
    version: [HARNESS, 'version', '--cwd', project.root],
    help: [HARNESS, '--help'],
  };
  await mkdir(project.userHome, { recursive: true });
  const times = Object.fromEntries(Object.keys(commands).map((name) => [name, []]));
  for (let run = -1; run < runs; run++) {
    for (const [name, args] of Object.entries(commands)) {
      const elapsed = timed(args, project.env);
      if (run >= 0) times[name].push(elapsed);
    }
  }
  const bare = median(times.node);
  const row = (name, label, target) => {
    const ratio = median(times[name]) / bare;
    const figure = `${ratio.toFixed(2)} x (${milliseconds(median(times[name]))} against ${milliseconds(bare)})`;
    return { name: label, figure, target: target === null ? '' : `at most ${target} x`, met: target === null ? null : ratio <= target };
  };
  return [
    row('status', `harness status against node -e 0 (median of ${runs})`, TARGET),
    row('version', 'harness version against node -e 0', null),
    row('help', 'harness --help against node -e 0', null),
  ];
}

function timed(args, env) {
  const begin = performance.now();
  const { status, stderr } = spawnSync(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'pipe'], encoding: 'utf8' });
  const elapsed = performance.now() - begin;
  if (status !== 0) throw new Error(`node ${args.join(' ')} ended with ${status}: ${stderr.slice(0, 300)}`);
  return elapsed;
}
