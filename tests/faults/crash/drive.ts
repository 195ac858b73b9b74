/**
 * Runs a command with one fault at one durable operation, runs it again until it is done, and compares the end with that of a run
 * which nothing disturbed.
 */
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { nodePlatform } from '../../../src/platform/node-platform.ts';
import type { Subject } from './commands.ts';
import { FAULTS, faultyPlatform, type Fault, type Operation } from './faulty-platform.ts';
import { endOf, forgetHolder, git, groundIn, leftovers, records, restore, runIn, unreadable, type End, type Ground } from './ground.ts';

export interface Loss {
  subject: string;
  point: number;
  operation: string;
  fault: Fault;
  what: string;
}

export interface Driven {
  subject: string;
  points: number;
  faults: number;
  losses: Loss[];
}

export interface DriveOptions {
  /** Every how-manieth point; the fault rotates where not all are taken. */
  every: number;
  allFaults: boolean;
  scratch: string;
  /** Where to begin, so that several sparse runs see different points. */
  offset?: number;
  only?: { point: number; fault: Fault };
  tell?(line: string): void;
}

export async function drive(subject: Subject, options: DriveOptions): Promise<Driven> {
  const [template, folder] = [join(options.scratch, 'template'), join(options.scratch, 'ground')];
  const ground = groundIn(folder);
  await subject.prepare(folder);
  rmSync(template, { recursive: true, force: true });
  restore(folder, template);
  const { operations, ends } = await undisturbed(subject, ground);
  const driven: Driven = { subject: subject.name, points: 0, faults: 0, losses: [] };
  for (let point = options.offset ?? 0; point < operations.length; point += options.every) {
    driven.points++;
    const faults = options.allFaults ? FAULTS : [FAULTS[Math.floor(point / options.every) % FAULTS.length]!];
    for (const fault of faults) {
      if (options.only !== undefined && (options.only.point !== point || options.only.fault !== fault)) continue;
      restore(template, folder);
      driven.faults++;
      for (const what of await disturbed(subject, ground, { point, fault }, ends)) {
        const operation = describe(operations[point]!, folder);
        driven.losses.push({ subject: subject.name, point, operation, fault, what });
        options.tell?.(`  ${subject.name} @${point} ${operation} ${fault}: ${what}`);
      }
    }
  }
  rmSync(folder, { recursive: true, force: true });
  rmSync(template, { recursive: true, force: true });
  return driven;
}

async function undisturbed(subject: Subject, ground: Ground): Promise<{ operations: Operation[]; ends: End[] }> {
  const watched = faultyPlatform(nodePlatform(ground.env), null);
  const ran = await runIn(ground, subject.argv(ground), watched.platform);
  if (!subject.codes.includes(ran.code)) throw new Error(`${subject.name} ends with ${ran.code} by itself: ${ran.stderr}\n${ran.stdout}`);
  const problems = [...leftovers(ground), ...unreadable(ground)];
  if (problems.length > 0) throw new Error(`${subject.name} leaves by itself: ${problems.join(', ')}`);
  const ends = [endOf(ground, subject.ignore)];
  for (const argv of subject.resume?.(ground) ?? []) {
    await runIn(ground, argv);
    ends.push(endOf(ground, subject.ignore));
  }
  return { operations: watched.operations, ends };
}

async function disturbed(subject: Subject, ground: Ground, plan: { point: number; fault: Fault }, ends: readonly End[]): Promise<string[]> {
  const found: string[] = [];
  const faulty = faultyPlatform(nodePlatform(ground.env), plan);
  const argv = subject.argv(ground);
  const first = await runIn(ground, argv, faulty.platform);
  await faulty.settle();
  const errs = ['ENOSPC', 'EIO', 'EROFS'].includes(plan.fault);
  if (errs && first.code === 1)
    found.push(`exit 1 for ${plan.fault}: ${first.stderr.trim().split('\n')[0]}${first.stdout.trim().split('\n').at(-1)?.slice(0, 200)}`);
  forgetHolder(ground);
  for (const line of lost(faulty.acknowledged)) found.push(`lost after the fault: ${line}`);
  let last = first;
  for (const again of subject.resume?.(ground) ?? [argv]) last = await runIn(ground, again);
  if (![...subject.codes, ...(subject.doneCodes ?? [])].includes(last.code))
    found.push(
      `the second run ended with ${last.code}: ${last.stderr.trim().slice(0, 300)} ${last.stdout.trim().split('\n').at(-1)?.slice(0, 300)}`,
    );
  found.push(...lost(faulty.acknowledged).map((line) => `lost after the second run: ${line}`));
  found.push(
    ...leftovers(ground).map((path) => `left behind: ${path}`),
    ...unreadable(ground).map((path) => `unreadable: ${path}`),
    ...twice(ground),
  );
  const end = safely(() => endOf(ground, subject.ignore));
  if (typeof end === 'string') found.push(`no end to look at: ${end}`);
  else if (!ends.some((other) => JSON.stringify(other) === JSON.stringify(end))) found.push(`another end: ${differences(ends, end)}`);
  return found;
}

function safely<T>(work: () => T): T | string {
  try {
    return work();
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** Acknowledged lines that are in no journal any more. */
function lost(acknowledged: readonly { path: string; lines: string[] }[]): string[] {
  return acknowledged.flatMap(({ path, lines }) => {
    const text = existsSync(path) ? readFileSync(path, 'utf8') : '';
    return lines.filter((line) => !text.includes(`${line}\n`)).map((line) => line.slice(0, 120));
  });
}

/** The same session accepted twice, or the same work committed twice. */
function twice(ground: Ground): string[] {
  const subjects = git(ground, 'log', '--format=%s').split('\n');
  const commits = subjects.filter((subject, at) => subjects.indexOf(subject) !== at).map((subject) => `committed twice: ${subject}`);
  const sessions = records(ground).map((record) => String(record['session_id']));
  return [...commits, ...sessions.filter((id, at) => sessions.indexOf(id) !== at).map((id) => `two records of session ${id}`)];
}

function differences(ends: readonly End[], end: End): string {
  const nearest = ends.at(-1)!;
  return (Object.keys(end) as (keyof End)[])
    .filter((key) => JSON.stringify(nearest[key]) !== JSON.stringify(end[key]))
    .map((key) => `${key}: ${JSON.stringify(end[key])?.slice(0, 700)} instead of ${JSON.stringify(nearest[key])?.slice(0, 700)}`)
    .join(' | ');
}

function describe(operation: Operation, folder: string): string {
  return `${operation.kind} ${operation.target.replace(folder, '')}`;
}
