/**
 * Real processes of the built program, killed at random instants until their work is done, compared with one that nobody killed.
 *
 * 1. Every event that stood on stdout before a kill is in the journal afterwards; the journal keeps all levels here.
 * 2. The agent leaves a process behind that left its group and its parent. After the next command nothing of it runs any more.
 * 3. Rounds alternate between agents with a sandbox, where the machine has one, and without.
 */
import { spawn } from 'node:child_process';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { twice } from './drive.ts';
import { endOf, leftovers, restore, unreadable, type Ground } from './ground.ts';
import { realGround } from './real-project.ts';

export interface Kills {
  kills: number;
  rounds: number;
  acknowledged: number;
  orphans: number;
  seconds: number;
  losses: string[];
}

const IGNORE = [
  'failures',
  'stuck_count',
  'wip',
  'next_prompt',
  'status',
  'termination_reason',
  'current_feature',
  'refs/harness/wip/2',
  'refs/harness/candidates/*',
  'sizes',
  'completed_at',
];

interface Place {
  ground: Ground;
  template: string;
  /** How long the work takes when nobody kills it. */
  duration: number;
  expected: string;
}

export async function killRandomly(options: {
  program: string;
  scratch: string;
  kills: number;
  seed: number;
  /** Rounds take turns between these. */
  sandboxes?: readonly ('off' | 'auto')[];
  tell?(line: string): void;
}): Promise<Kills> {
  const begin = performance.now();
  const places: Place[] = [];
  for (const sandbox of options.sandboxes ?? ['off', 'auto']) places.push(await placeIn(options, sandbox));
  const random = generator(options.seed);
  const result: Kills = { kills: 0, rounds: 0, acknowledged: 0, orphans: 0, seconds: 0, losses: [] };
  while (result.kills < options.kills) {
    const place = places[result.rounds % places.length]!;
    const before = result.kills;
    const found = await round(place, options, random, result);
    if (Math.floor(result.kills / 25) > Math.floor(before / 25)) options.tell?.(`  ${result.kills} kills so far`);
    for (const what of found) {
      result.losses.push(`round ${result.rounds} (${result.kills - before} kills): ${what}`);
      options.tell?.(`  ${result.losses.at(-1)!}`);
    }
  }
  for (const { ground, template } of places)
    for (const folder of [ground.folder, template]) rmSync(folder, { recursive: true, force: true });
  return { ...result, seconds: (performance.now() - begin) / 1000 };
}

async function placeIn(options: { program: string; scratch: string }, sandbox: 'off' | 'auto'): Promise<Place> {
  const [template, folder] = [join(options.scratch, `kill-template-${sandbox}`), join(options.scratch, `kill-ground-${sandbox}`)];
  const ground = await realGround(folder, sandbox, options.program);
  restore(folder, template);
  const begin = performance.now();
  const whole = await start(ground, options.program, null);
  if (whole.code !== 0) throw new Error(`the run ends with ${String(whole.code)} by itself: ${whole.stderr}`);
  return { ground, template, duration: performance.now() - begin, expected: JSON.stringify(endOf(ground, IGNORE)) };
}

async function round(
  { ground, template, duration, expected }: Place,
  options: { program: string; kills: number },
  random: () => number,
  result: Kills,
): Promise<string[]> {
  restore(template, ground.folder);
  result.rounds += 1;
  const found: string[] = [];
  const told: string[] = [];
  let code: number | null = null;
  for (let tries = 0; code === null && tries < 8; tries++) {
    const ran = await start(ground, options.program, result.kills < options.kills && tries < 6 ? random() * duration * 1.1 : null);
    code = ran.code;
    told.push(...ran.events);
    if (code === null) result.kills += 1;
    const missing = missingIn(ground, told);
    found.push(...missing.map((event) => `acknowledged and lost: ${event.slice(0, 200)}`));
    if (missing.length > 0) break;
  }
  result.acknowledged += told.length;
  await delay(50);
  const orphans = withMark(ground);
  result.orphans += orphans.length;
  found.push(...orphans.map((what) => `still running: ${what}`));
  if (code !== 0) found.push(`the last run ended with ${String(code)}`);
  const end = JSON.stringify(endOf(ground, IGNORE));
  if (end !== expected) found.push(`another end: ${end.slice(0, 1500)} instead of ${expected.slice(0, 1500)}`);
  found.push(...leftovers(ground).map((path) => `left behind: ${path}`), ...unreadable(ground).map((path) => `unreadable: ${path}`));
  return [...found, ...twice(ground)];
}

interface Started {
  /** null when it was killed. */
  code: number | null;
  /** What the program said on stdout, without the time, in the order of its fields' names. */
  events: string[];
  stderr: string;
}

async function start(ground: Ground, program: string, killAfter: number | null): Promise<Started> {
  const child = spawn(process.execPath, [program, 'run', '--json', '--cwd', ground.project], { env: ground.env });
  let [stdout, stderr] = ['', ''];
  child.stdin.end();
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  const ended = new Promise<number | null>((resolve) => child.once('exit', (code, signal) => resolve(signal === null ? code : null)));
  const timer = killAfter === null ? undefined : setTimeout(() => child.kill('SIGKILL'), killAfter);
  const code = await ended;
  clearTimeout(timer);
  // What an agent inherited keeps the pipes open: what was written before the end is read, and no more is waited for.
  await delay(20);
  child.stdout.destroy();
  child.stderr.destroy();
  const lines = stdout.split('\n').slice(0, -1);
  return {
    code,
    stderr,
    events: lines
      .map((line) => JSON.parse(line) as Record<string, unknown>)
      .filter(isJournaled)
      .map(canonical),
  };
}

/** The closing line and questions are no part of the journal: gates are documents of their own. */
function isJournaled(event: Record<string, unknown>): boolean {
  return !['end', 'gate.asked', 'gate.answered'].includes(String(event['type']));
}

function canonical({ ts: _ts, level: _level, seq: _seq, ...fields }: Record<string, unknown>): string {
  return JSON.stringify(Object.fromEntries(Object.entries(fields).toSorted(([a], [b]) => (a < b ? -1 : 1))));
}

/** Events that were told more often than the journal has them. */
function missingIn(ground: Ground, told: readonly string[]): string[] {
  const counts = new Map<string, number>();
  const folder = join(ground.project, '.harness/logs');
  for (const line of readFileSync(join(folder, 'events.jsonl'), 'utf8').split('\n')) {
    try {
      const event = canonical(JSON.parse(line) as Record<string, unknown>);
      counts.set(event, (counts.get(event) ?? 0) + 1);
    } catch {
      continue;
    }
  }
  return told.filter((event) => {
    const left = (counts.get(event) ?? 0) - 1;
    counts.set(event, left);
    return left < 0;
  });
}

/** Processes whose environment carries this ground's mark. */
function withMark(ground: Ground): string[] {
  const mark = `CRASH_MARK=${ground.env['CRASH_MARK']!}`;
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .flatMap((pid) => {
      try {
        const marked = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0').includes(mark);
        return marked ? [`${pid} ${readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').slice(0, 100)}`] : [];
      } catch {
        return [];
      }
    });
}

/** A small generator with a seed, so that a round can be run again. */
function generator(seed: number): () => number {
  let state = seed >>> 0 || 1;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
