/**
 * Which untracked paths are ignored, by the rules of the trusted tree: its `.gitignore` files, home's `info/exclude` and the
 * user's global excludes. The candidate's own rules count for nothing.
 *
 * Git itself decides, over a scratch directory that holds only the trusted `.gitignore` files and the names of directories. One process
 * answers all questions of a walk; where it ends before its answer, another one is asked that question alone.
 */
import { dirname, join } from 'node:path';
import type { TreeEntry } from '../domain/tree.ts';
import { gitArguments, gitEnvironment, GitError, tryGit, type GitOptions } from '../platform/git.ts';
import { ownName } from '../platform/own-name.ts';
import type { Platform } from '../platform/platform.ts';
import type { RunningProcess } from '../platform/processes.ts';
import { concurrently } from './concurrently.ts';
import type { Home } from './home.ts';
import type { HomeTreeStore } from './tree-store.ts';
import { itemAt } from '../domain/items.ts';

export interface IgnoreRules {
  /** The ignored ones among the given paths, by a rule for the path itself or for a directory above it. */
  ignored(paths: readonly { path: string; directory: boolean }[]): Promise<ReadonlySet<string>>;
}

/** Keeps a name that begins with a colon from being read as a pattern. */
const PLAIN = './';

export async function withIgnoreRules<T>(
  platform: Platform,
  home: Home,
  { store, trusted }: { store: HomeTreeStore; trusted: readonly TreeEntry[] },
  work: (rules: IgnoreRules) => Promise<T>,
): Promise<T> {
  const scratch = join(home.gitDir, 'harness', ownName('ignore', platform.random.id(6)));
  const place: GitOptions = { cwd: scratch, gitDir: home.gitDir, workTree: scratch, indexFile: join(scratch, '..', 'no-index') };
  let placed: Promise<Conversation> | undefined;
  const ignored: IgnoreRules['ignored'] = async (paths) => {
    if (paths.length === 0) return new Set();
    placed ??= placeRules(platform, store, scratch, trusted).then(() => converse(platform, place));
    const conversation = await placed;
    await concurrently(
      paths.filter((path) => path.directory),
      16,
      ({ path }) => platform.files.mkdir(join(scratch, path)),
    );
    const names = paths.map(({ path }) => path);
    return (await conversation.ask(names)) ?? (await askOnce(platform, place, names));
  };
  try {
    return await work({ ignored });
  } finally {
    if (placed !== undefined) {
      (await placed.catch(() => null))?.end();
      await platform.files.remove(scratch);
    }
  }
}

async function placeRules(platform: Platform, store: HomeTreeStore, scratch: string, trusted: readonly TreeEntry[]): Promise<void> {
  await platform.files.mkdir(scratch);
  const rules = trusted.filter(
    (entry) => entry.mode !== '120000' && entry.mode !== '160000' && (entry.path === '.gitignore' || entry.path.endsWith('/.gitignore')),
  );
  await store.readBlobs(
    rules.map((entry) => entry.oid),
    async (oid, content) => {
      for (const entry of rules.filter((rule) => rule.oid === oid)) {
        await platform.files.mkdir(join(scratch, dirname(entry.path)));
        await platform.files.write(join(scratch, entry.path), content);
      }
    },
  );
}

const QUESTION = ['check-ignore', '--no-index', '-z', '--stdin'] as const;

async function askOnce(platform: Platform, place: GitOptions, paths: readonly string[]): Promise<ReadonlySet<string>> {
  const result = await tryGit(platform, QUESTION, { ...place, stdin: questionsOf(paths) });
  if (result.code > 1) throw new GitError(QUESTION, result);
  return new Set(
    result.stdout
      .toString('utf8')
      .split('\0')
      .filter((path) => path !== '')
      .map((path) => path.slice(PLAIN.length)),
  );
}

function questionsOf(paths: readonly string[]): string {
  return paths.map((path) => `${PLAIN}${path}\0`).join('');
}

interface Conversation {
  /** One question at a time; null where the process has ended. */
  ask(paths: readonly string[]): Promise<ReadonlySet<string> | null>;
  /** It ends by itself; nobody has to wait for that. */
  end(): void;
}

/** For each path four texts come back: the file with the rule, its line, the rule and the path. Nothing, or a rule that begins with `!`: it is not ignored. */
const TEXTS = 4;

async function converse(platform: Platform, place: GitOptions): Promise<Conversation> {
  const args = gitArguments([...QUESTION, '--verbose', '--non-matching']);
  const process = await platform.processes.start({ file: 'git', args, cwd: place.cwd, env: gitEnvironment(platform, place) });
  const answers = readTexts(process);
  process.stdin.on('error', () => {});
  process.stderr.on('error', () => {});
  process.stderr.resume();
  return {
    ask: async (paths) => {
      process.stdin.write(questionsOf(paths));
      const texts = await answers(paths.length * TEXTS);
      if (texts === null) return null;
      return new Set(paths.filter((_, index) => /^[^!]/.test(itemAt(texts, index * TEXTS + 2))));
    },
    end: () => {
      process.stdin.end();
      process.hold?.(false);
      void process.exited.then(() => process.stop(0));
    },
  };
}

/** So many texts, each with a NUL after it; null when the process ended before. */
function readTexts({ stdout }: RunningProcess): (count: number) => Promise<string[] | null> {
  let [held, ended] = [[] as Buffer[], false];
  let found = 0;
  let check = (): void => {};
  stdout.on('error', () => {});
  stdout.on('data', (chunk: Buffer) => {
    held.push(chunk);
    for (const byte of chunk) if (byte === 0) found += 1;
    check();
  });
  stdout.on('close', () => {
    ended = true;
    check();
  });
  return (count) =>
    new Promise((resolve) => {
      check = () => {
        if (found < count && !ended) return;
        check = () => {};
        const texts = Buffer.concat(held).toString('utf8').split('\0');
        [held, found] = [[], 0];
        resolve(texts.length > count ? texts : null);
      };
      check();
    });
}
