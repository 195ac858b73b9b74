/**
 * A thread that answers one question at a time, for work on hostile input that may never end.
 *
 * 1. What takes longer than its limit is given up: the thread ends, the next question starts another one. The limit is on processor time
 *    of this process, because a busy machine must not change an answer; what waits for twelve times as long is given up as well.
 * 2. A waiting thread keeps no process alive.
 */
import { Worker } from 'node:worker_threads';

export interface Thread {
  /** What the thread posted back; null when it was given up, broke or could not answer. */
  ask(question: unknown, timeoutMs: number): Promise<unknown>;
  end(): Promise<void>;
}

const MOST_MEGABYTES = 1_024;
const MOST_WAITING = 12;
const SHORTEST_MS = 50;

/** `code` is CommonJS and listens on `parentPort`; `data` is its `workerData`. */
export function createThread(code: string, data: unknown): Thread {
  let worker: Worker | null = null;
  let turn: Promise<unknown> = Promise.resolve();
  const start = (): Worker => {
    const made = new Worker(code, {
      eval: true,
      workerData: data,
      env: {},
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: MOST_MEGABYTES },
    });
    made.unref();
    return made;
  };
  const giveUp = async (): Promise<void> => {
    const old = worker;
    worker = null;
    await old?.terminate();
  };
  const askNow = (question: unknown, timeoutMs: number): Promise<unknown> => {
    const asked = (worker ??= start());
    return new Promise((resolve) => {
      const settle = (answer: unknown, isBroken: boolean): void => {
        clearTimeout(timer);
        asked.off('message', answered).off('messageerror', broken).off('error', broken).off('exit', broken);
        if (isBroken) asked.on('error', () => undefined);
        asked.unref();
        if (isBroken) void giveUp().then(() => resolve(null));
        else resolve(answer);
      };
      const answered = (answer: unknown): void => settle(answer, false);
      const broken = (): void => settle(null, true);
      const [begin, before] = [performance.now(), process.cpuUsage()];
      const look = (): void => {
        const { user, system } = process.cpuUsage(before);
        const left = Math.min(timeoutMs - (user + system) / 1_000, MOST_WAITING * timeoutMs - (performance.now() - begin));
        if (left <= 0) broken();
        else timer = setTimeout(look, Math.max(left, SHORTEST_MS));
      };
      let timer = setTimeout(look, timeoutMs);
      asked.ref();
      asked.on('message', answered).on('messageerror', broken).on('error', broken).on('exit', broken);
      asked.postMessage(question, []);
    });
  };
  return {
    ask: (question, timeoutMs) => {
      const answer = turn.then(() => askNow(question, timeoutMs));
      turn = answer;
      return answer;
    },
    end: giveUp,
  };
}
