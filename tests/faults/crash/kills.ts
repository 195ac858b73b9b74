/** Real processes, killed at random instants until their work is done, compared with one that nobody killed. */
import { spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { adopted, HONEST } from './commands.ts';
import { endOf, git, leftovers, records, restore, unreadable, type Ground } from './ground.ts';

export interface Kills {
  kills: number;
  rounds: number;
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
];

/** A small generator with a seed, so that a round can be run again. */
function generator(seed: number): () => number {
  let state = seed >>> 0 || 1;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

export async function killRandomly(options: {
  program: string;
  scratch: string;
  kills: number;
  seed: number;
  tell?(line: string): void;
}): Promise<Kills> {
  const [template, folder] = [join(options.scratch, 'kill-template'), join(options.scratch, 'kill-ground')];
  const ground = await adopted(folder, HONEST);
  rmSync(template, { recursive: true, force: true });
  restore(folder, template);
  const begin = performance.now();
  const whole = await start(ground, options.program, null);
  const duration = performance.now() - begin;
  if (whole !== 0) throw new Error(`the run ends with ${String(whole)} by itself`);
  const expected = JSON.stringify(endOf(ground, IGNORE));
  const random = generator(options.seed);
  const result: Kills = { kills: 0, rounds: 0, losses: [] };
  while (result.kills < options.kills) {
    restore(template, folder);
    result.rounds++;
    const before = result.kills;
    let code: number | null = null;
    for (let tries = 0; code === null && tries < 8; tries++) {
      code = await start(ground, options.program, result.kills < options.kills && tries < 6 ? random() * duration * 1.1 : null);
      if (code === null) result.kills++;
    }
    const found = await lookAt(ground, code, expected);
    for (const what of found) {
      result.losses.push(`round ${result.rounds} (${result.kills - before} kills): ${what}`);
      options.tell?.(`  ${result.losses.at(-1)!}`);
    }
  }
  rmSync(folder, { recursive: true, force: true });
  rmSync(template, { recursive: true, force: true });
  return result;
}

/** The exit code; null when it was killed. */
async function start(ground: Ground, program: string, killAfter: number | null): Promise<number | null> {
  const child = spawn(process.execPath, [program, 'run', '--until-done', '--json', '--cwd', ground.project], {
    env: ground.env,
    stdio: 'ignore',
  });
  const ended = new Promise<number | null>((resolve) => child.once('close', (code, signal) => resolve(signal === null ? code : null)));
  if (killAfter === null) return await ended;
  const kill = delay(killAfter).then(() => child.kill('SIGKILL'));
  const code = await ended;
  void kill;
  return code;
}

async function lookAt(ground: Ground, code: number | null, expected: string): Promise<string[]> {
  const found: string[] = [];
  if (code !== 0) found.push(`the last run ended with ${String(code)}`);
  const end = JSON.stringify(endOf(ground, IGNORE));
  if (end !== expected) found.push(`another end: ${end.slice(0, 1500)} instead of ${expected.slice(0, 1500)}`);
  found.push(...leftovers(ground).map((path) => `left behind: ${path}`), ...unreadable(ground).map((path) => `unreadable: ${path}`));
  const subjects = git(ground, 'log', '--format=%s').split('\n');
  found.push(...subjects.filter((subject, at) => subjects.indexOf(subject) !== at).map((subject) => `committed twice: ${subject}`));
  const sessions = records(ground).map((record) => String(record['session_id']));
  found.push(...sessions.filter((id, at) => sessions.indexOf(id) !== at).map((id) => `two records of session ${id}`));
  return found;
}
