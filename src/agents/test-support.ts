/** For tests of this room: a real temporary workspace, a task in it, and a clock that makes long waits short. */
import { mkdtemp, mkdir, readFile, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { nodePlatform } from '../platform/node-platform.ts';
import type { Platform } from '../platform/platform.ts';
import type { AgentConversation, AgentEnd, AgentEvent, AgentTask } from './contract.ts';

export interface Bench {
  platform: Platform;
  task: AgentTask;
  /** Waits that were asked for, in milliseconds, in order. */
  waits: number[];
  remove(): Promise<void>;
}

/** A wait takes a thousandth of its time, so idle limits must be given a thousand times too long. */
const CLOCK_SPEED = 1_000;

export async function bench(overrides: Partial<AgentTask> = {}, env: Record<string, string> = {}): Promise<Bench> {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'harness-agents-')));
  const workspace = join(root, 'workspace');
  const temporary = join(root, 'temporary');
  await Promise.all([workspace, temporary, join(root, 'home')].map((path) => mkdir(path)));
  const real = nodePlatform(env);
  const waits: number[] = [];
  const platform: Platform = {
    ...real,
    clock: { ...real.clock, sleep: (ms, signal) => (waits.push(ms), real.clock.sleep(ms / CLOCK_SPEED, signal)) },
  };
  const task: AgentTask = {
    role: 'project/coding',
    session: 7,
    feature: 3,
    testFiles: ['tests/three.test.js'],
    outputFile: null,
    model: 'claude-test',
    system: 'You build the application.',
    workspace,
    temporary,
    env: { PATH: process.env['PATH'] ?? '/usr/bin:/bin', HOME: join(root, 'home'), LANG: 'C.UTF-8' },
    sandbox: null,
    tools: {
      filesystem: { enabled: true, allowed_paths: ['.'], denied_paths: ['.harness/', '.git/', '../'] },
      shell: { enabled: true, timeout_seconds: 20, denied_commands: ['rm -rf /', 'sudo', '> /dev/'] },
    },
    maxTurns: 50,
    ...overrides,
  };
  return { platform, task, waits, remove: () => rm(root, { recursive: true, force: true }) };
}

export async function collect(events: AsyncIterable<AgentEvent>, onEvent: (event: AgentEvent) => void = () => {}): Promise<AgentEvent[]> {
  const all: AgentEvent[] = [];
  for await (const event of events) {
    all.push(event);
    onEvent(event);
  }
  return all;
}

export function ofType<Type extends AgentEvent['type']>(events: readonly AgentEvent[], type: Type): Extract<AgentEvent, { type: Type }>[] {
  return events.filter((event): event is Extract<AgentEvent, { type: Type }> => event.type === type);
}

/** The end of a turn; fails unless there is exactly one and it comes last. */
export function endOf(events: readonly AgentEvent[]): AgentEnd {
  const ends = ofType(events, 'end');
  const last = events.at(-1);
  if (ends.length !== 1 || last?.type !== 'end')
    throw new Error(`expected one end event, as the last: ${JSON.stringify(events.map((event) => event.type))}`);
  return last.end;
}

export async function wholeTurn(
  conversation: AgentConversation,
  prompt: string,
  onEvent?: (event: AgentEvent) => void,
): Promise<AgentEvent[]> {
  try {
    return await collect(conversation.turn(prompt), onEvent);
  } finally {
    await conversation.stop();
  }
}

/** Resolves when the condition holds; throws after a time that is long enough for a busy machine. */
export async function eventually(condition: () => Promise<boolean> | boolean, seconds = 5): Promise<void> {
  const last = performance.now() + seconds * 1_000;
  while (performance.now() < last) {
    if (await condition()) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error(`the condition did not come true within ${seconds} seconds`);
}

/** Whether a process runs; one that has ended but was not collected yet does not. */
export async function runs(pid: number): Promise<boolean> {
  const status = await readFile(`/proc/${pid}/stat`, 'latin1').catch(() => null);
  return status !== null && !/\) [ZX] /.test(status);
}
