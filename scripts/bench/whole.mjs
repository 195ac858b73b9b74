// A whole verified session of the command, on a tiny project: against the floor (the agent, one test run, one commit) in alternating runs, with
// processor time, peak memory and the processes it starts; and its memory on a very large project.
import { spawnSync } from 'node:child_process';
import { mkdir, readFile } from 'node:fs/promises';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { HARNESS } from './sources.mjs';
import { makeProject } from './project.mjs';
import { median, milliseconds } from './table.mjs';

const MOST_TIMES_FLOOR = 3;
const MOST_MEGABYTES = 300;
const SMALL = 50;
const HUGE = 50_000;
const USAGE = new URL('./report-usage.mjs', import.meta.url).href;

export async function measure({ scratch, quick }) {
  const rounds = quick ? 3 : 7;
  const place = join(scratch, 'whole');
  const project = await makeProject(place, { files: SMALL, features: rounds + 3 });
  const bare = await makeBare(place, project);
  await session(project, place);
  const [sessions, floors] = [[], []];
  for (let round = 0; round < rounds; round++) {
    sessions.push(await session(project, place));
    floors.push(floor(bare, project.env, round + 1));
  }
  const middle = (part) => median(sessions.map((one) => one[part]));
  const ratio = middle('elapsed') / median(floors);
  return [
    {
      name: `whole verified session against the floor, ${SMALL} files (median of ${rounds})`,
      figure: `${ratio.toFixed(2)} x (${milliseconds(middle('elapsed'))} against ${milliseconds(median(floors))}), load ${loadavg()[0].toFixed(1)}`,
      target: `at most ${MOST_TIMES_FLOOR} x`,
      met: ratio <= MOST_TIMES_FLOOR,
    },
    {
      name: `processor time and peak memory of it`,
      figure: `${milliseconds(middle('ownMs'))} in the harness’s own process, ${Math.round(middle('peakMb'))} MB`,
      target: '',
      met: null,
    },
    { name: 'processes of it, by program', figure: countProcesses(project, place), target: '', met: null },
    ...(quick ? [] : [await memoryOfHuge(scratch)]),
  ];
}

async function memoryOfHuge(scratch) {
  const place = join(scratch, 'whole-huge');
  const project = await makeProject(place, { files: HUGE, features: 4 });
  const peaks = [];
  for (let round = 0; round < 3; round++) peaks.push((await session(project, place)).peakMb);
  return {
    name: `peak memory of a session, ${HUGE.toLocaleString('en')} files (most of ${peaks.length}, the first included)`,
    figure: `${Math.round(Math.max(...peaks))} MB`,
    target: `under ${MOST_MEGABYTES} MB`,
    met: Math.max(...peaks) < MOST_MEGABYTES,
  };
}

async function session({ root, env }, place) {
  const usage = join(place, 'usage.json');
  const begin = performance.now();
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--import', USAGE, HARNESS, 'run', '--sessions', '1'], {
    cwd: root,
    env: { ...env, BENCH_USAGE: usage },
    encoding: 'utf8',
  });
  const elapsed = performance.now() - begin;
  if (status !== 0) throw new Error(`harness run ended with ${status}: ${`${stdout}${stderr}`.slice(-400)}`);
  return { elapsed, ...JSON.parse(await readFile(usage, 'utf8')) };
}

/** The same project without the harness. */
async function makeBare(place, { root, env }) {
  const bare = join(place, 'bare');
  await mkdir(bare, { recursive: true });
  succeed('git', ['clone', '--quiet', root, bare], { env, cwd: place });
  return { bare, agent: join(place, 'agent.sh') };
}

function floor({ bare, agent }, env, feature) {
  const begin = performance.now();
  const own = { ...env, HARNESS_FEATURE_ID: String(feature), HARNESS_TEST_FILE: `tests/answer-${feature}.test.js` };
  succeed('sh', [agent], { cwd: bare, env: own });
  succeed(process.execPath, ['--test'], { cwd: bare, env });
  succeed('git', ['add', '--all'], { cwd: bare, env });
  succeed('git', ['commit', '--quiet', '--message', `Feature ${feature}`], { cwd: bare, env });
  return performance.now() - begin;
}

function countProcesses({ root, env }, place) {
  const log = join(place, 'processes.txt');
  const args = ['-f', '-qq', '-s', '300', '-e', 'trace=execve', '-o', log, process.execPath, HARNESS, 'run', '--sessions', '1'];
  const { error, status } = spawnSync('strace', args, { cwd: root, env });
  if (error !== undefined || status !== 0) return 'not counted: strace is not to be had here';
  const programs = spawnSync('grep', ['-oE', 'execve\\("[^"]+".* = 0$', log], { encoding: 'utf8' }).stdout.trim().split('\n');
  const counts = new Map();
  for (const line of programs) {
    const name = /^execve\("(?:[^"]*\/)?([^"/]+)"/.exec(line)[1];
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  const listed = [...counts].sort(([, a], [, b]) => b - a).map(([name, count]) => `${name} ${count}`);
  return `${programs.length}: ${listed.join(', ')}`;
}

function succeed(program, args, options) {
  const { status, stdout, stderr } = spawnSync(program, args, { ...options, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${program} ${args.join(' ')} ended with ${status}: ${`${stdout}${stderr}`.trim().slice(-400)}`);
}
