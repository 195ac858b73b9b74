/**
 * When a process and its output are over.
 *
 * 1. What was written before the end is read, however slow the reader is.
 * 2. A process outside the group that keeps a pipe open keeps nobody waiting once the leader is gone: silent, it is given up at the next look;
 *    talking, after as much as a pipe can hold.
 * 3. Output that nobody wants any more is not waited for.
 */
import type { ChildProcess } from 'node:child_process';
import type { Readable } from 'node:stream';

const LOOK_MS = 2_000;
/** The most that a pipe of Linux holds. */
const PIPE_BYTES = 1024 * 1024;

export interface Draining {
  endGroup(): void;
  abandoned(): boolean;
}

export function whenDrained(
  child: ChildProcess,
  { endGroup, abandoned }: Draining,
): Promise<{ code: number | null; signal: string | null }> {
  return new Promise((resolve) => {
    const outputs = child.stdio.slice(1).filter((stream) => stream !== null) as (Readable & { bytesRead?: number })[];
    const taken = (): number => outputs.reduce((sum, stream) => sum + (stream.bytesRead ?? 0), 0);
    let timer: NodeJS.Timeout | undefined;
    const look = (first: number, before: number): void => {
      endGroup();
      const now = taken();
      const unread = outputs.some((stream) => stream.readableLength > 0);
      if (!abandoned() && (unread || now > before) && now - first <= PIPE_BYTES * outputs.length)
        timer = setTimeout(() => look(first, now), LOOK_MS);
      else for (const stream of child.stdio) stream?.destroy();
    };
    child.once('exit', () => {
      const before = taken();
      timer = setTimeout(() => look(before, before), LOOK_MS);
    });
    child.once('close', (code, signal) => {
      clearTimeout(timer);
      resolve({ code, signal });
    });
  });
}
