/** `npm run crash`: every durable operation of every command under every fault, and real kills, as one table. */
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { isMainThread, parentPort, Worker, workerData, type MessagePort } from 'node:worker_threads';
import { SUBJECTS } from './commands.ts';
import { drive, type Driven, type DriveOptions } from './drive.ts';
import { REFUSALS, type Fault } from './faults.ts';
import { killRandomly, RUN, type Killed, type Kills } from './kills.ts';
import { MISSION } from './mission-kills.ts';
import { closeShell } from './small-shell.ts';
import { callWorkers, type Calls } from './worker-calls.ts';

/** What one worker does: the points of a command whose number, divided, leaves its share. */
interface Share {
  subject: string;
  scratch: string;
  every: number;
  offset: number;
  workers: number;
  worker: number;
  at: string | null;
  /** Only operations on paths that hold this text. */
  target: string | null;
}

type Message = { line: string } | { driven: Driven };

export const USAGE =
  'npm run crash -- [--only "COMMAND|kills|mission kills|worker calls"] [--calls N] [--kills N] [--minutes N] [--seed N] [--evidence DIR] [--every N] [--offset N] [--workers N] [--at POINT:FAULT] [--target TEXT]';

export async function main(argv: readonly string[], root: string, program: string): Promise<number> {
  const { values } = parseArgs({
    args: [...argv],
    options: {
      kills: { type: 'string' },
      calls: { type: 'string', default: '200' },
      minutes: { type: 'string' },
      only: { type: 'string' },
      every: { type: 'string', default: '1' },
      offset: { type: 'string', default: '0' },
      workers: { type: 'string', default: '2' },
      at: { type: 'string' },
      target: { type: 'string' },
      seed: { type: 'string', default: '1' },
      evidence: { type: 'string' },
    },
  });
  const chosen = SUBJECTS.filter((subject) => values.only === undefined || subject.name === values.only);
  const killed = KILLED.filter(({ name }) => name === (values.only ?? 'kills'));
  if (values.only === WORKER_CALLS) {
    const [calls, workers, first] = [Number(values.calls), Number(values.workers), Number(values.offset)];
    return await inFolder('harness calls-', async (scratch) => {
      const program = join(root, 'bin/harness.js');
      return tellCalls(await callWorkers({ program, scratch, calls, workers, first, tell: (line) => console.log(line) }));
    });
  }
  if (chosen.length === 0 && killed.length === 0) {
    const known = [...[...SUBJECTS, ...KILLED].map(({ name }) => name), WORKER_CALLS].join(', ');
    console.error(`There is no command ${values.only ?? ''}. Known: ${known}.`);
    return 2;
  }
  // Memory where there is some: what a disk loses is simulated, and a real one would only be slow.
  const scratch = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'harness crash-'));
  const disk = mkdtempSync(join(tmpdir(), 'harness kills-'));
  const begin = performance.now();
  let losses = 0;
  try {
    const rows: Driven[] = [];
    if (chosen.length > 0) console.log(row(['command', 'points', ...COLUMNS, 'disks', 'losses', 's']));
    for (const subject of chosen) {
      const from = performance.now();
      const shares = Array.from({ length: Number(values.workers) }, (_, worker) =>
        share(program, {
          subject: subject.name,
          scratch: join(scratch, `worker-${worker}`),
          every: Number(values.every),
          offset: Number(values.offset),
          workers: Number(values.workers),
          worker,
          at: values.at ?? null,
          target: values.target ?? null,
        }),
      );
      const driven = sum(subject.name, await Promise.all(shares));
      rows.push(driven);
      console.log(rowOf(driven, performance.now() - from));
    }
    const all = sum('all commands', rows);
    if (rows.length > 1) console.log(rowOf(all, performance.now() - begin));
    losses += all.losses.length;
    for (const { name, subject, kills } of killed) {
      if (values.kills === '0') continue;
      const done = await killRandomly({
        program: join(root, 'bin/harness.js'),
        scratch: join(disk, name.replace(' ', '-')),
        subject,
        kills: Number(values.kills ?? kills),
        seed: Number(values.seed),
        ...(values.minutes === undefined ? {} : { seconds: Number(values.minutes) * 60 }),
        ...(values.evidence === undefined ? {} : { evidence: values.evidence }),
        tell: (line) => console.log(line),
      });
      losses += done.losses.length;
      tellKills(name, done, values.seed);
    }
  } finally {
    for (const folder of [scratch, disk]) rmSync(folder, { recursive: true, force: true });
  }
  return losses === 0 ? 0 : 1;
}

/** Real processes that are killed, and how often by default. Missions are killed where they are asked for: that takes its time. */
const KILLED: readonly { name: string; subject: Killed; kills: number }[] = [
  { name: 'kills', subject: RUN, kills: 200 },
  { name: 'mission kills', subject: MISSION, kills: 100 },
];

function tellKills(name: string, { kills, aimed, rounds, acknowledged, orphans, losses, seconds, met }: Kills, seed: string): void {
  if (Object.keys(met).length > 1) {
    console.log(row(['met by a kill', 'kills']));
    for (const [how, times] of Object.entries(met).toSorted()) console.log(row([how, times]));
  }
  const own = aimed === kills ? '' : ` (${aimed} of them with all lanes in the air)`;
  console.log(
    `${name}: ${kills}${own} in ${rounds} rounds, ${acknowledged} acknowledged events looked for, ${orphans} orphans, ${losses.length} losses (seed ${seed}, ${seconds.toFixed(0)} s)`,
  );
}

/** Real calls of `harness worker`, where they are asked for. */
const WORKER_CALLS = 'worker calls';

function tellCalls({ calls, reports, ended, losses, seconds }: Calls): number {
  console.log(row(['how a call ended', 'calls']));
  for (const [how, times] of Object.entries(ended).toSorted()) console.log(row([how, times]));
  console.log(`${WORKER_CALLS}: ${reports} reports of ${calls} calls, ${losses.length} losses (${seconds.toFixed(0)} s)`);
  return losses.length === 0 ? 0 : 1;
}

async function inFolder(prefix: string, use: (folder: string) => Promise<number>): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), prefix));
  try {
    return await use(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function share(program: string, work: Share): Promise<Driven> {
  return await new Promise((resolve, reject) => {
    const worker = new Worker(program, { workerData: work });
    worker.on('message', (message: Message) => ('line' in message ? console.log(message.line) : resolve(message.driven)));
    worker.on('error', reject);
    worker.on('exit', (code) => reject(new Error(`a worker ended with ${code}`)));
  });
}

async function work({ subject, scratch, every, offset, workers, worker, at, target }: Share): Promise<void> {
  const port: Pick<MessagePort, 'postMessage'> = parentPort!;
  const tell = (message: Message): void => port.postMessage(message, []);
  const takes: DriveOptions['takes'] = (point, fault, operation) => {
    if (target !== null && !operation.target.includes(target)) return false;
    if (at !== null) return at === `${point}:${fault}` && worker === 0;
    const number = (point - offset) / every;
    return Number.isInteger(number) && number >= 0 && number % workers === worker && applies(point, fault);
  };
  const driven = await drive(
    SUBJECTS.find(({ name }) => name === subject)!,
    { scratch, takes, tell: (line) => tell({ line }) },
  );
  closeShell();
  tell({ driven });
}

/** A disk that became read-only refuses everything from there on: every fifth point shows that. */
export function applies(point: number, fault: Fault): boolean {
  return fault !== 'EROFS' || point % 5 === 0;
}

function sum(subject: string, parts: readonly Driven[]): Driven {
  const add = (of: (part: Driven) => number): number => parts.reduce((total, part) => total + of(part), 0);
  const faults = Object.fromEntries(
    Object.keys(parts[0]?.faults ?? {}).map((fault) => [fault, add((part) => part.faults[fault as Fault])]),
  );
  return {
    subject,
    points: add((part) => part.points),
    faults: faults as Driven['faults'],
    disks: add((part) => part.disks),
    losses: parts.flatMap((part) => part.losses),
  };
}

const COLUMNS: readonly Fault[] = ['before', 'after', 'torn', 'unsynced', ...REFUSALS];

function rowOf(driven: Driven, milliseconds: number): string {
  return row([
    driven.subject,
    driven.points,
    ...COLUMNS.map((fault) => driven.faults[fault]),
    driven.disks,
    driven.losses.length,
    (milliseconds / 1000).toFixed(0),
  ]);
}

function row(cells: readonly (string | number)[]): string {
  return `| ${cells.map((cell, at) => (at === 0 ? String(cell).padEnd(26) : String(cell).padStart(8))).join(' | ')} |`;
}

if (!isMainThread) await work(workerData as Share);
