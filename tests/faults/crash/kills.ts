/**
 * Real processes of the built program, killed at random instants until their work is done, compared with one that nobody killed.
 *
 * 1. Every event that stood on stdout before a kill is in the journal afterwards; the journal keeps all levels here.
 * 2. The agent leaves a process behind that left its group and its parent. After the next command nothing of it runs any more.
 * 3. Rounds alternate between agents with a sandbox, where the machine has one, and without.
 */
import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { twice } from './drive.ts';
import { endOf, leftovers, restore, unreadable, type Ground } from './ground.ts';
import { linkCaches } from '../../lived-in-home.ts';
import { realGround } from './real-project.ts';

export interface Kills {
  kills: number;
  /** Those that the subject was to be hit by. */
  aimed: number;
  rounds: number;
  acknowledged: number;
  orphans: number;
  seconds: number;
  losses: string[];
  /** How many kills met the subject like this. */
  met: Record<string, number>;
}

/** A command that is killed until its work is done. */
export interface Killed {
  argv: readonly string[];
  make(folder: string, sandbox: 'off' | 'auto', program: string): Promise<Ground>;
  /** What has to come of it, however often it is killed. */
  endOf(ground: Ground): unknown;
  /** What must not be true at the end besides. */
  wrong?(ground: Ground): string[];
  /** How the kill met it, and whether that was meant. */
  met?(ground: Ground): { how: string; isAimed: boolean };
  /** Kills in one round at most. */
  most: number;
  /** Milliseconds in which a kill falls, given how long the work takes when nobody kills it. */
  span(duration: number): number;
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

export const RUN: Killed = {
  argv: ['run'],
  make: realGround,
  endOf: (ground) => endOf(ground, IGNORE),
  most: 6,
  span: (duration) => duration * 1.1,
};

interface Place {
  subject: Killed;
  ground: Ground;
  template: string;
  /** How long the work takes when nobody kills it. */
  duration: number;
  expected: string;
}

interface Options {
  program: string;
  scratch: string;
  kills: number;
  seed: number;
  /** What is killed; by default `harness run`. */
  subject?: Killed;
  /** Rounds take turns between these. */
  sandboxes?: readonly ('off' | 'auto')[];
  /** No new round is begun after so many seconds. */
  seconds?: number;
  /** Where what a round with a loss left is kept. */
  evidence?: string;
  tell?(line: string): void;
}

export async function killRandomly(options: Options): Promise<Kills> {
  const begin = performance.now();
  const places: Place[] = [];
  for (const sandbox of options.sandboxes ?? ['off', 'auto']) places.push(await placeIn(options, sandbox));
  const random = generator(options.seed);
  const result: Kills = { kills: 0, aimed: 0, rounds: 0, acknowledged: 0, orphans: 0, seconds: 0, losses: [], met: {} };
  const seconds = (): number => (performance.now() - begin) / 1000;
  while (result.aimed < options.kills && seconds() < (options.seconds ?? Number.POSITIVE_INFINITY)) {
    const place = places[result.rounds % places.length]!;
    const before = result.kills;
    const found = await round(place, options, random, result);
    if (Math.floor(result.kills / 25) > Math.floor(before / 25))
      options.tell?.(`  ${result.kills} kills so far, ${seconds().toFixed(0)} s`);
    if (found.length > 0 && options.evidence !== undefined) restore(place.ground.folder, join(options.evidence, `round-${result.rounds}`));
    for (const what of found) {
      result.losses.push(`round ${result.rounds} (${result.kills - before} kills): ${what}`);
      options.tell?.(`  ${result.losses.at(-1)!}`);
    }
  }
  for (const { ground, template } of places)
    for (const folder of [ground.folder, template]) rmSync(folder, { recursive: true, force: true });
  return { ...result, seconds: seconds() };
}

async function placeIn(options: Options, sandbox: 'off' | 'auto'): Promise<Place> {
  const subject = options.subject ?? RUN;
  const [template, folder] = [join(options.scratch, `kill-template-${sandbox}`), join(options.scratch, `kill-ground-${sandbox}`)];
  const ground = await subject.make(folder, sandbox, options.program);
  restore(folder, template);
  linkCaches(ground.env['HOME']!);
  const begin = performance.now();
  const whole = await start(ground, options.program, subject.argv, null);
  if (whole.code !== 0) throw new Error(`the run ends with ${String(whole.code)} by itself: ${whole.stderr}${whole.events.at(-1) ?? ''}`);
  const duration = performance.now() - begin;
  const wrong = subject.wrong?.(ground) ?? [];
  if (wrong.length > 0) throw new Error(`the run leaves by itself: ${wrong.join('; ')}`);
  options.tell?.(`  sandbox ${sandbox}: ${(duration / 1000).toFixed(1)} s without a kill`);
  return { subject, ground, template, duration, expected: JSON.stringify(subject.endOf(ground)) };
}

async function round(
  { subject, ground, template, duration, expected }: Place,
  options: Options,
  random: () => number,
  result: Kills,
): Promise<string[]> {
  restore(template, ground.folder);
  linkCaches(ground.env['HOME']!);
  result.rounds += 1;
  const found: string[] = [];
  const told: string[] = [];
  let code: number | null = null;
  for (let tries = 0; code === null && tries < subject.most + 2; tries++) {
    const isKilled = result.aimed < options.kills && tries < subject.most;
    const ran = await start(ground, options.program, subject.argv, isKilled ? random() * subject.span(duration) : null);
    code = ran.code;
    told.push(...ran.events);
    if (code === null) count(subject, ground, result);
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
  const end = JSON.stringify(subject.endOf(ground));
  if (end !== expected) found.push(anotherEnd(end, expected));
  found.push(...leftovers(ground).map((path) => `left behind: ${path}`), ...unreadable(ground).map((path) => `unreadable: ${path}`));
  return [...found, ...twice(ground), ...(subject.wrong?.(ground) ?? [])];
}

/** Where the two part. */
function anotherEnd(end: string, expected: string): string {
  const at = [...expected].findIndex((sign, index) => sign !== end[index]);
  const part = (text: string): string => text.slice(Math.max(0, at - 200), at + 600);
  return `another end: ...${part(end)}... instead of ...${part(expected)}...`;
}

function count({ met }: Killed, ground: Ground, result: Kills): void {
  const { how, isAimed } = met?.(ground) ?? { how: 'somewhere', isAimed: true };
  result.kills += 1;
  if (isAimed) result.aimed += 1;
  result.met[how] = (result.met[how] ?? 0) + 1;
}

interface Started {
  /** null when it was killed. */
  code: number | null;
  /** What the program said on stdout, without the time, in the order of its fields' names. */
  events: string[];
  stderr: string;
}

async function start(ground: Ground, program: string, argv: readonly string[], killAfter: number | null): Promise<Started> {
  const child = spawn(process.execPath, [program, ...argv, '--json', '--cwd', ground.project], { env: ground.env });
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
  const journal = join(ground.project, '.harness/logs/events.jsonl');
  for (const line of existsSync(journal) ? readFileSync(journal, 'utf8').split('\n') : []) {
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
