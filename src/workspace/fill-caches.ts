/**
 * Fills the private caches of an agent: a little at once, the rest while the agent works.
 *
 * 1. What comes before the agent starts is done here; nobody else can write there yet.
 * 2. The rest is done by a process in a sandbox that can write the private caches and nothing else: an agent that puts a link in place
 *    of a folder leads it nowhere.
 * 3. It ends with the agent, or with the harness. What is missing then is loaded anew by whoever needs it.
 */
import fillerProgram from '../../assets/workspace/fill-caches.cjs';
import { setImmediate } from 'node:timers/promises';
import type { Platform } from '../platform/platform.ts';
import type { SandboxSpec } from '../platform/sandbox.ts';
import { takeSeedStep, type SeedStep } from '../platform/seed-folder.ts';

export interface Filling {
  /** Resolves when everything is there, or filling was stopped. Filling keeps this process alive only while a caller waits here. */
  done(): Promise<void>;
  stop(): Promise<void>;
}

/** Few enough to take no time that anybody notices. */
const AT_ONCE = 400;
const IN_ONE_GO = 100;

export async function fillCaches(
  platform: Platform,
  steps: Iterator<SeedStep>,
  sandbox: Pick<SandboxSpec, 'writable' | 'shown'>,
): Promise<Filling> {
  for (let taken = 0; taken < AT_ONCE; taken++) {
    const { value, done } = steps.next();
    if (done === true) return { done: () => Promise.resolve(), stop: () => Promise.resolve() };
    takeSeedStep(value);
  }
  const filler = await platform.processes.start({
    file: process.execPath,
    args: ['-e', fillerProgram],
    cwd: '/',
    env: {},
    sandbox: { ...sandbox, hidden: [], network: 'none', programs: [process.execPath] },
  });
  filler.hold?.(false);
  filler.stdout.resume();
  filler.stderr.resume();
  let stopped = false;
  filler.stdin.on('error', () => (stopped = true));
  const stop = async (): Promise<void> => {
    stopped = true;
    await filler.stop(0);
  };
  const hand = async (): Promise<void> => {
    while (!stopped) {
      const [some, isLast] = nextSteps(steps);
      if (!filler.stdin.write(some)) await Promise.race([once(filler.stdin, 'drain'), filler.exited]);
      if (isLast) break;
      await setImmediate(undefined, { ref: false });
    }
    filler.stdin.end();
    await filler.exited;
  };
  const handed = hand();
  const done = async (): Promise<void> => {
    filler.hold?.(true);
    await handed;
  };
  return { done, stop };
}

function nextSteps(steps: Iterator<SeedStep>): [text: string, isLast: boolean] {
  let text = '';
  for (let taken = 0; taken < IN_ONE_GO; taken++) {
    const { value, done } = steps.next();
    if (done === true) return [text, true];
    text += `${JSON.stringify(value)}\0`;
  }
  return [text, false];
}

function once(stream: NodeJS.WritableStream, event: string): Promise<void> {
  return new Promise((resolve) => void stream.once(event, () => resolve()));
}
