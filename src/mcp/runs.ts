/**
 * Long commands, in processes that outlive the server.
 *
 * 1. A run writes to files below `$HARNESS_HOME/mcp`, so that it goes on when the host or this server dies, and any server can follow it.
 * 2. A call for a run that is under way joins it; the project's lock keeps two from running at once.
 * 3. A cancelled call interrupts the run as Ctrl-C does. A host that goes away does not.
 */
import { join } from 'node:path';
import { z } from '../domain/zod.ts';
import { isoNow, type Platform } from '../platform/platform.ts';
import { harnessHome } from '../platform/harness-home.ts';
import { projectKey } from '../workspace/paths.ts';
import type { Program } from './program.ts';

const RecordSchema = z.object({
  tool: z.string(),
  /** The input of the call, to tell whether another call asks for the same. */
  input: z.string(),
  command: z.string(),
  pid: z.number(),
  started: z.string(),
  at: z.string(),
});

export interface Run extends z.infer<typeof RecordSchema> {
  folder: string;
  /** Started by this call; its exit code is known at the end. */
  exited: Promise<number | null> | null;
}

export interface Ended {
  /** Null: the process is gone without saying. */
  exitCode: number | null;
  /** Every line of the output that is a JSON object, without what agents said. */
  events: Record<string, unknown>[];
  /** What it wrote for people, the last of it. */
  words: string;
}

export interface LongCall {
  tool: string;
  input: string;
  command: string;
  /** Options and arguments, given the folder in which `files` are. */
  rest(folder: string): readonly string[];
  files: Readonly<Record<string, string>>;
}

const RECORD = 'run.json';
const POLL_MS = 200;
const SLICE_BYTES = 1 << 20;
const MOST_RUNS = 20;
const MOST_EVENTS = 5_000;
const MOST_WORDS = 2_000;

/** Newest first. */
export async function livingRuns(platform: Platform, root: string): Promise<Run[]> {
  const found: Run[] = [];
  const folder = runsFolder(platform, root);
  for (const name of await namesIn(platform, folder)) {
    const text = await platform.files.readTextIfExists(join(folder, name, RECORD));
    const record = text === null ? null : RecordSchema.safeParse(parsed(text));
    if (record?.success === true && (await isLiving(platform, record.data)))
      found.push({ ...record.data, folder: join(folder, name), exited: null });
  }
  return found;
}

export async function startRun(platform: Platform, program: Program, call: LongCall): Promise<Run> {
  const at = isoNow(platform.clock);
  const above = runsFolder(platform, program.root);
  const folder = join(above, `${at.replace(/[:.]/g, '-')}-${platform.random.id(3)}`);
  await platform.files.mkdirPrivate(folder);
  for (const [name, text] of Object.entries(call.files)) await platform.files.write(join(folder, name), text, 0o600);
  const start = program.start(call.command, call.rest(folder));
  const { pid, exited } = await platform.processes.launch({
    ...start,
    cwd: program.root,
    stdout: join(folder, 'out.jsonl'),
    stderr: join(folder, 'words.txt'),
  });
  const [known] = await platform.processes.identify([pid]);
  const record = { tool: call.tool, input: call.input, command: call.command, pid, started: known?.started ?? '', at };
  await platform.files.writeAtomic(join(folder, RECORD), `${JSON.stringify(record)}\n`);
  for (const old of (await namesIn(platform, above)).slice(MOST_RUNS)) await removeEnded(platform, join(above, old));
  return { ...record, folder, exited };
}

/** Until the run ends. `hear` gets each event as it is read. */
export async function followRun(platform: Platform, run: Run, hear: (event: Record<string, unknown>) => void): Promise<Ended> {
  const file = join(run.folder, 'out.jsonl');
  const events: Record<string, unknown>[] = [];
  let ended = false;
  let code: number | null = null;
  void run.exited?.then((value) => ([ended, code] = [true, value]));
  let [position, rest] = [0, Buffer.alloc(0)];
  for (;;) {
    const last = ended || (run.exited === null && !(await isLiving(platform, run)));
    const slice = await platform.files.readSlice(file, position, SLICE_BYTES);
    position += slice.length;
    const pending = Buffer.concat([rest, slice]);
    const end = pending.lastIndexOf(0x0a) + 1;
    rest = Buffer.from(pending.subarray(end));
    for (const line of pending.subarray(0, end).toString('utf8').split('\n')) {
      const event = parsed(line);
      if (event === null) continue;
      hear(event);
      if (!SAID.has(String(event['type'])) && events.length < MOST_EVENTS) events.push(event);
      else if (event['type'] === 'end') events.splice(-1, 1, event);
    }
    if (slice.length > 0) continue;
    if (last) break;
    await platform.clock.sleep(POLL_MS);
  }
  const said = (await platform.files.readTextIfExists(join(run.folder, 'words.txt'))) ?? '';
  const told = events.findLast(({ type }) => type === 'end')?.['exit_code'] ?? events.at(-1)?.['exit_code'];
  return { exitCode: typeof told === 'number' ? told : code, events, words: said.slice(-MOST_WORDS).trim() };
}

/** Ctrl-C; the run saves its state and ends by itself. */
export function interruptRun(platform: Platform, run: Run): void {
  platform.processes.terminate(run.pid);
}

/** What agents say and do is long, and in the logs. */
const SAID: ReadonlySet<string> = new Set(['agent.text', 'agent.tool', 'agent.result', 'agent.usage', 'agent.action']);

function runsFolder(platform: Platform, root: string): string {
  return join(harnessHome(platform), 'mcp', projectKey(root));
}

async function namesIn(platform: Platform, folder: string): Promise<string[]> {
  const entries = await platform.files.list(folder).catch(() => []);
  return entries
    .map(({ name }) => name)
    .toSorted()
    .toReversed();
}

async function removeEnded(platform: Platform, folder: string): Promise<void> {
  const text = await platform.files.readTextIfExists(join(folder, RECORD));
  const record = text === null ? null : RecordSchema.safeParse(parsed(text));
  if (record?.success !== true || !(await isLiving(platform, record.data))) await platform.files.remove(folder);
}

async function isLiving(platform: Platform, { pid, started }: Pick<Run, 'pid' | 'started'>): Promise<boolean> {
  return (await platform.processes.stillRunning([{ pid, started }])).length > 0;
}

function parsed(line: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}
