/**
 * Objects of a git repository: from their own files where they have one, else through one `git cat-file --batch` that stays for as long as
 * it is asked.
 *
 * 1. What is asked for is a name as git resolves it: an id, a ref, `HEAD^{tree}`. Of several, those in files of their own come first.
 * 2. The process ends by itself once nothing was asked for a moment, or when this one ends; it never keeps this one from ending.
 * 3. It stands in no directory of the project, so that nobody mistakes it for a git command that is at work there.
 * 4. A process that dies is replaced once for each question.
 */
import { gitArguments, gitEnvironment } from './git.ts';
import { looseObjects, type GitObject } from './loose-objects.ts';
import type { Platform } from './platform.ts';
import type { RunningProcess } from './processes.ts';
import { firstItem } from '../domain/items.ts';
import { groupOf } from '../domain/text-parts.ts';

/** Called for one answer after the other; nothing is read ahead while it is at work, so it must not ask itself. */
export type TakeObject = (object: GitObject | null, name: string) => Promise<void> | void;

export interface GitObjects {
  /** `null` where there is no such object. */
  read(name: string): Promise<GitObject | null>;
  readEach(names: readonly string[], take: TakeObject): Promise<void>;
}

const IDLE_MS = 5_000;
/** Of more than these, most lie in packs. */
const MOST_FILES = 64;
const MOST_TRIES = 2;

const known = new WeakMap<Platform, Map<string, GitObjects>>();

/** The same reader for the same platform and git directory. */
export function gitObjects(platform: Platform, gitDir: string): GitObjects {
  const readers = known.get(platform) ?? new Map<string, GitObjects>();
  known.set(platform, readers);
  const reader = readers.get(gitDir) ?? createReader(platform, gitDir);
  readers.set(gitDir, reader);
  return reader;
}

interface Question {
  name: string;
  take(object: GitObject | null): Promise<void> | void;
  fail(error: Error): void;
  tries: number;
}

interface Asked {
  process: RunningProcess;
  errors: string;
}

function createReader(platform: Platform, gitDir: string): GitObjects {
  const waiting: Question[] = [];
  let current: Promise<Asked> | null = null;
  let live: Asked | null = null;
  let idle: NodeJS.Timeout | undefined;

  const start = async (): Promise<Asked> => {
    const process = await platform.processes.start({
      file: 'git',
      args: gitArguments(['cat-file', '--batch']),
      cwd: '/',
      env: gitEnvironment(platform, { cwd: '/', gitDir }),
    });
    const asked: Asked = { process, errors: '' };
    live = asked;
    process.stdin.on('error', () => {});
    process.stderr.on('error', () => {});
    process.stderr.on('data', (chunk: Buffer) => (asked.errors = (asked.errors + chunk.toString('utf8')).slice(-2_000)));
    void answer(process, waiting, rest).then(
      () => replace(asked),
      (error: unknown) => replace(asked, error instanceof Error ? error : new Error(String(error))),
    );
    return asked;
  };

  /** After the process is gone, however it went; one that was let go is nobody's concern. */
  const replace = (asked: Asked, error?: Error): void => {
    void asked.process.stop(0);
    if (live !== asked) return;
    live = current = null;
    const first = waiting[0];
    if (first !== undefined && (error !== undefined || ++first.tries >= MOST_TRIES)) {
      waiting.shift();
      first.fail(error ?? new Error(`git could not read ${first.name} from ${gitDir}: ${asked.errors.trim()}`));
    }
    if (waiting.length > 0) send(waiting);
  };

  const rest = (): void => {
    live?.process.hold?.(false);
    clearTimeout(idle);
    idle = setTimeout(() => {
      live?.process.stdin.end();
      live = current = null;
    }, IDLE_MS).unref();
  };

  const send = (questions: readonly Question[]): void => {
    clearTimeout(idle);
    const fresh = current === null;
    current ??= start();
    const text = (fresh ? waiting : questions).map((question) => `${question.name}\n`).join('');
    void current.then(
      ({ process }) => {
        process.hold?.(true);
        return process.stdin.write(text);
      },
      (error: unknown) => {
        current = null;
        for (const question of waiting.splice(0)) question.fail(error instanceof Error ? error : new Error(String(error)));
      },
    );
  };

  const loose = looseObjects(platform.files, gitDir);
  const ask = (names: readonly string[], take: TakeObject): Promise<void> =>
    new Promise((resolve, reject) => {
      if (names.length === 0) return resolve();
      let left = names.length;
      const questions = names.map((name): Question => {
        return {
          name,
          tries: 0,
          fail: reject,
          take: async (object) => {
            await take(object, name);
            if (--left === 0) resolve();
          },
        };
      });
      waiting.push(...questions);
      send(questions);
    });

  return {
    readEach: async (names, take) => {
      const left: string[] = names.length > MOST_FILES ? [...names] : [];
      for (const name of names.length > MOST_FILES ? [] : names) {
        const object = await loose.read(name);
        if (object === undefined) left.push(name);
        else await take(object, name);
      }
      await ask(left, take);
    },
    read: async (name) => {
      if (name.includes('\n')) return null;
      const object = await loose.read(name);
      if (object !== undefined) return object;
      let found: GitObject | null = null;
      await ask([name], (answer) => void (found = answer));
      return found;
    },
  };
}

const HEADER = /^([0-9a-f]{40,64}) ([a-z]+) (\d+)$/;

/** Hands the answers on until the process ends. */
async function answer(process: RunningProcess, waiting: Question[], rest: () => void): Promise<void> {
  let held: Buffer[] = [];
  let length = 0;
  let header: { oid: string; type: string; size: number } | null = null;
  const deliver = async (object: GitObject | null): Promise<void> => {
    const question = firstItem(waiting);
    try {
      await question.take(object);
    } catch (error) {
      question.fail(error instanceof Error ? error : new Error(String(error)));
    }
    waiting.shift();
    if (waiting.length === 0) rest();
  };
  for await (const chunk of process.stdout as AsyncIterable<Buffer>) {
    held.push(chunk);
    length += chunk.length;
    if (header !== null && length < header.size + 1) continue;
    let buffer = held.length === 1 ? chunk : Buffer.concat(held, length);
    for (;;) {
      if (header === null) {
        const end = buffer.indexOf(10);
        if (end === -1) break;
        const match = HEADER.exec(buffer.toString('utf8', 0, end));
        buffer = buffer.subarray(end + 1);
        if (match === null) {
          await deliver(null);
          continue;
        }
        header = { oid: groupOf(match, 1), type: groupOf(match, 2), size: Number(match[3]) };
      }
      if (buffer.length < header.size + 1) break;
      const { oid, type, size } = header;
      header = null;
      const content = Buffer.from(buffer.subarray(0, size));
      buffer = buffer.subarray(size + 1);
      await deliver({ oid, type, content });
    }
    held = [buffer];
    length = buffer.length;
  }
}
