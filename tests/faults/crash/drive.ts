/**
 * Disturbs a command at its durable operations, runs it again until it is done, and compares the end with that of a run which nothing
 * disturbed. Crashes that leave the same disk, byte for byte, have the same end: it is looked at once.
 */
import { createHash } from 'node:crypto';
import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Subject } from './commands.ts';
import { CRASHES, recorded, refused, REFUSALS, type Fault, type Refusal } from './faults.ts';
import {
  endOf,
  forgetHolder,
  git,
  groundIn,
  leftovers,
  miscounted,
  records,
  restore,
  runIn,
  unreadable,
  type End,
  type Ground,
} from './ground.ts';
import type { Operation, Trace } from './operations.ts';
import { portedPlatform } from './ports.ts';

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
  faults: Record<Fault, number>;
  /** Different disks that the crashes left. */
  disks: number;
  losses: Loss[];
}

export interface DriveOptions {
  scratch: string;
  /** Which points, and which faults at them. */
  takes(point: number, fault: Fault, operation: Operation): boolean;
  tell?(line: string): void;
}

interface Judged {
  found: string[];
  /** Text of every journal at the end. */
  journals: ReadonlyMap<string, string>;
}

export async function drive(subject: Subject, options: DriveOptions): Promise<Driven> {
  const [template, folder, images] = ['template', 'ground', 'images'].map((name) => join(options.scratch, name)) as [
    string,
    string,
    string,
  ];
  const ground = groundIn(folder);
  rmSync(options.scratch, { recursive: true, force: true });
  await subject.prepare(folder);
  restore(folder, template);
  const ends = await undisturbed(subject, ground, template);
  const driven: Driven = { subject: subject.name, points: 0, faults: noFaults(), disks: 0, losses: [] };
  const report = (point: number, fault: Fault, operation: Operation, found: readonly string[]): void => {
    driven.faults[fault] += 1;
    for (const what of found) {
      const loss = { subject: subject.name, point, operation: `${operation.kind} ${operation.target.replace(folder, '')}`, fault, what };
      driven.losses.push(loss);
      options.tell?.(`  ${loss.subject} @${point} ${loss.operation} ${fault}: ${what}`);
    }
  };

  restore(template, folder);
  mkdirSync(images);
  const crashes = (point: number, operation: Operation): boolean => CRASHES.some((fault) => options.takes(point, fault, operation));
  const record = await recorded(portedPlatform(ground.env, subject.agent), folder, images, crashes, async (platform) => {
    const { code, stderr } = await runIn(ground, subject.argv(ground), platform);
    if (!subject.codes.includes(code)) throw new Error(`${subject.name} ended with ${code} while it was recorded: ${stderr}`);
  });
  const isTaken = (operation: Operation, point: number): boolean =>
    [...CRASHES, ...REFUSALS].some((fault) => options.takes(point, fault, operation));
  driven.points = record.operations.filter(isTaken).length;
  const seen = new Map<string, Judged>();
  for (const image of record.images.filter((one) => options.takes(one.point, one.fault, record.operations[one.point]!))) {
    restore(image.folder, folder);
    image.finish();
    forgetHolder(ground);
    const gone = lost(image.acknowledged).map((line) => `lost in the crash: ${line}`);
    const disk = hashOf(folder);
    const judged = seen.get(disk) ?? (await judge(subject, ground, ends));
    seen.set(disk, judged);
    const later = image.acknowledged.filter(({ path, line }) => judged.journals.get(path)?.includes(`${line}\n`) !== true);
    report(image.point, image.fault, record.operations[image.point]!, [
      ...gone,
      ...later.map(({ line }) => `lost after the second run: ${line.slice(0, 120)}`),
      ...judged.found,
    ]);
  }
  driven.disks = seen.size;
  rmSync(images, { recursive: true, force: true });

  for (const [point, operation] of record.operations.entries())
    for (const fault of operation.remote === true ? [] : REFUSALS.filter((one) => options.takes(point, one, operation))) {
      restore(template, folder);
      report(point, fault, operation, await refusedOnce(subject, ground, { point, fault }, ends));
    }
  rmSync(options.scratch, { recursive: true, force: true });
  return driven;
}

function noFaults(): Record<Fault, number> {
  return { before: 0, after: 0, torn: 0, unsynced: 0, ENOSPC: 0, EIO: 0, EROFS: 0 };
}

async function undisturbed(subject: Subject, ground: Ground, template: string): Promise<End[]> {
  const platform = portedPlatform(ground.env, subject.agent);
  const ran = await runIn(ground, subject.argv(ground), platform);
  if (!subject.codes.includes(ran.code)) throw new Error(`${subject.name} ends with ${ran.code} by itself: ${ran.stderr}\n${ran.stdout}`);
  const problems = [...leftovers(ground), ...unreadable(ground)];
  if (problems.length > 0) throw new Error(`${subject.name} leaves by itself: ${problems.join(', ')}`);
  const ends = [endOf(ground, subject.ignore)];
  for (const argv of subject.resume?.(ground) ?? []) {
    await runIn(ground, argv, platform);
    ends.push(endOf(ground, subject.ignore));
  }
  restore(template, ground.folder);
  return ends;
}

async function refusedOnce(
  subject: Subject,
  ground: Ground,
  plan: { point: number; fault: Refusal },
  ends: readonly End[],
): Promise<string[]> {
  const faulty = refused(portedPlatform(ground.env, subject.agent), plan);
  const first = await runIn(ground, subject.argv(ground), faulty.platform);
  await faulty.end();
  const found: string[] = [];
  if (first.code === 1)
    found.push(`exit 1 for ${plan.fault}: ${first.stderr.trim().split('\n')[0]} ${first.stdout.trim().split('\n').at(-1)?.slice(0, 200)}`);
  if (!faulty.hit()) return found;
  forgetHolder(ground);
  found.push(...lost(faulty.trace.acknowledged).map((line) => `lost after the fault: ${line}`));
  const judged = await judge(subject, ground, ends);
  return [...found, ...judged.found, ...lost(faulty.trace.acknowledged).map((line) => `lost after the second run: ${line}`)];
}

/** Runs the command again, and looks at what came of it. */
async function judge(subject: Subject, ground: Ground, ends: readonly End[]): Promise<Judged> {
  const platform = portedPlatform(ground.env, subject.agent);
  const found: string[] = [];
  let last: Awaited<ReturnType<typeof runIn>> | null = null;
  for (const argv of subject.resume?.(ground) ?? [subject.argv(ground)]) last = await runIn(ground, argv, platform);
  if (![...subject.codes, ...(subject.doneCodes ?? [])].includes(last!.code))
    found.push(
      `the second run ended with ${last!.code}: ${last!.stderr.trim().slice(0, 300)} ${last!.stdout.trim().split('\n').at(-1)?.slice(0, 300)}`,
    );
  found.push(
    ...leftovers(ground).map((path) => `left behind: ${path}`),
    ...unreadable(ground).map((path) => `unreadable: ${path}`),
    ...twice(ground),
    ...miscounted(ground),
  );
  const end = safely(() => endOf(ground, subject.ignore));
  if (typeof end === 'string') found.push(`no end to look at: ${end}`);
  else if (!ends.some((other) => JSON.stringify(other) === JSON.stringify(end))) found.push(`another end: ${differences(ends, end)}`);
  return { found, journals: journalsOf(ground) };
}

function safely<T>(work: () => T): T | string {
  try {
    return work();
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** Acknowledged lines that are in no journal any more. */
function lost(acknowledged: Trace['acknowledged']): string[] {
  const texts = new Map<string, string>();
  for (const { path } of acknowledged) if (!texts.has(path)) texts.set(path, existsSync(path) ? readFileSync(path, 'utf8') : '');
  return acknowledged.filter(({ path, line }) => !texts.get(path)!.includes(`${line}\n`)).map(({ line }) => line.slice(0, 120));
}

function journalsOf(ground: Ground): ReadonlyMap<string, string> {
  const folder = join(ground.project, '.harness');
  const names = existsSync(folder) ? readdirSync(folder, { recursive: true, encoding: 'utf8' }) : [];
  const files = names.filter((name) => name.endsWith('.jsonl'));
  return new Map(files.map((name) => [join(folder, name), readFileSync(join(folder, name), 'utf8')]));
}

/** The same session accepted twice, or the same work committed twice. */
export function twice(ground: Ground): string[] {
  const subjects = git(ground, 'log', '--format=%s').split('\n');
  const commits = subjects.filter((subject, at) => subjects.indexOf(subject) !== at).map((subject) => `committed twice: ${subject}`);
  // Every attempt at setting up the project is session 0; each has a beginning of its own.
  const sessions = records(ground).map(({ session_id, started_at }) =>
    session_id === 0 ? `0 begun at ${String(started_at)}` : String(session_id),
  );
  return [...commits, ...sessions.filter((id, at) => sessions.indexOf(id) !== at).map((id) => `two records of session ${id}`)];
}

function differences(ends: readonly End[], end: End): string {
  const nearest = ends.at(-1)!;
  return (Object.keys(end) as (keyof End)[])
    .filter((key) => JSON.stringify(nearest[key]) !== JSON.stringify(end[key]))
    .map((key) => `${key}: ${JSON.stringify(end[key])?.slice(0, 700)} instead of ${JSON.stringify(nearest[key])?.slice(0, 700)}`)
    .join(' | ');
}

/** Names, kinds and contents of everything below the folder. */
function hashOf(folder: string): string {
  const hash = createHash('sha1');
  const visit = (path: string): void => {
    for (const name of readdirSync(path).toSorted()) {
      const full = join(path, name);
      const info = lstatSync(full);
      hash.update(`${full}\0${info.mode}\0`);
      if (info.isDirectory()) visit(full);
      else hash.update(info.isSymbolicLink() ? readlinkSync(full) : readFileSync(full));
    }
  };
  visit(folder);
  return hash.digest('hex');
}
