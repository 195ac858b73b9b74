/**
 * Commits made by the harness.
 *
 * 1. The user's identity, from home's config or the environment; without one there is no commit.
 * 2. Signed when home's config asks for it.
 * 3. Making a commit moves no ref: `land.ts` and `commit-files.ts` do that, by compare and swap.
 */
import { HarnessError } from '../domain/errors.ts';
import { EXIT } from '../domain/reasons.ts';
import { GitError, tryGit } from '../platform/git.ts';
import type { Platform } from '../platform/platform.ts';
import type { Home } from './home.ts';
import { formatOf, objectId, writeObjects, type NewObject } from './write-objects.ts';

export interface Identity {
  name: string;
  email: string;
}

const HARNESS_NAME: Identity = { name: 'harness', email: 'harness@localhost' };

/** For commits that git makes itself, in the harness's name. */
export const HARNESS_IDENTITY: Readonly<Record<string, string>> = {
  GIT_AUTHOR_NAME: HARNESS_NAME.name,
  GIT_AUTHOR_EMAIL: HARNESS_NAME.email,
  GIT_COMMITTER_NAME: HARNESS_NAME.name,
  GIT_COMMITTER_EMAIL: HARNESS_NAME.email,
};

/** A commit that only pins a tree and never reaches a branch. */
export function pinningCommit(tree: string, parents: readonly string[], message: string, now: number): NewObject {
  const by = `${HARNESS_NAME.name} <${HARNESS_NAME.email}> ${Math.floor(now / 1000)} +0000`;
  const lines = [`tree ${tree}`, ...parents.map((parent) => `parent ${parent}`), `author ${by}`, `committer ${by}`, '', message, ''];
  return { type: 'commit', content: Buffer.from(lines.join('\n')) };
}

export interface CommitSpec {
  tree: string;
  /** Empty for a first commit. */
  parents: readonly string[];
  message: string;
}

const askedAhead = new WeakMap<Home, { at: number; settings: Promise<CommitSettings> }>();
const MOMENT_MS = 5_000;

/** A commit follows in a moment: git is asked for the settings while the caller does something else. Good for one commit. */
export function expectCommit(platform: Platform, home: Home): void {
  const settings = commitSettings(platform, home);
  settings.catch(() => {});
  askedAhead.set(home, { at: platform.clock.monotonic(), settings });
}

function settingsNow(platform: Platform, home: Home): Promise<CommitSettings> {
  const asked = askedAhead.get(home);
  askedAhead.delete(home);
  const isFresh = asked !== undefined && platform.clock.monotonic() - asked.at < MOMENT_MS;
  return isFresh ? asked.settings : commitSettings(platform, home);
}

export async function createCommit(platform: Platform, home: Home, spec: CommitSpec): Promise<string> {
  const settings = await settingsNow(platform, home);
  if (lacksIdentity(platform, settings)) throw noIdentity();
  const sign = isTrue(settings.get('commit.gpgsign'));
  const plain = sign ? null : plainCommit(platform, settings, spec);
  if (plain !== null) {
    await writeObjects(platform, home.commonDir, [plain], formatOf(spec.tree));
    return objectId(plain, formatOf(spec.tree));
  }
  const args = ['commit-tree', ...(sign ? ['-S'] : []), ...spec.parents.flatMap((parent) => ['-p', parent]), spec.tree];
  const result = await tryGit(platform, args, { cwd: home.root, stdin: `${spec.message.trimEnd()}\n` });
  if (result.code !== 0 && isOfTheDisk(result.stderr)) throw new GitError(args, result);
  if (result.code !== 0) {
    throw new HarnessError(sign ? 'The commit could not be signed.' : 'The commit could not be made.', {
      exitCode: EXIT.preflight,
      details: [
        `git said: ${result.stderr.trim()}`,
        ...(sign ? ['Unlock the signing key, or set commit.gpgsign to false for this repository, and run again.'] : []),
      ],
    });
  }
  return result.stdout.toString('utf8').trim();
}

/** Names and addresses that git writes as they stand. */
const PLAIN_NAME = /^[\p{L}\p{N}](?:[\p{L}\p{N} ._+-]*[\p{L}\p{N}])?$/u;
const PLAIN_ADDRESS = /^[A-Za-z0-9](?:[A-Za-z0-9._+@-]*[A-Za-z0-9])?$/;
/** What else git would take an identity, a date or an encoding from. */
const OTHER_SETTINGS = /^(?:author|committer|i18n)\./;

/** The commit as git would write it; null where git has to be asked, because more goes into it than a plain name and the time. */
function plainCommit(platform: Platform, settings: CommitSettings, spec: CommitSpec): NewObject | null {
  const { env, clock } = platform;
  const isOther = [...settings.keys()].some((key) => OTHER_SETTINGS.test(key));
  const areIds = [spec.tree, ...spec.parents].every((name) => /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(name));
  if (isOther || !areIds || env['TZ'] !== undefined || spec.message.includes('\0')) return null;
  const [now, zone] = [clock.now(), -new Date(clock.now()).getTimezoneOffset()];
  const digits = (value: number): string => String(value).padStart(2, '0');
  const offset = `${zone < 0 ? '-' : '+'}${digits(Math.floor(Math.abs(zone) / 60))}${digits(Math.abs(zone) % 60)}`;
  const by = (role: 'AUTHOR' | 'COMMITTER'): string | null => {
    const of = (part: 'name' | 'email'): string => (env[`GIT_${role}_${part.toUpperCase()}`] ?? settings.get(`user.${part}`)) || '';
    if (env[`GIT_${role}_DATE`] !== undefined || !PLAIN_NAME.test(of('name')) || !PLAIN_ADDRESS.test(of('email'))) return null;
    return `${of('name')} <${of('email')}> ${Math.floor(now / 1000)} ${offset}`;
  };
  const [author, committed] = [by('AUTHOR'), by('COMMITTER')];
  if (author === null || committed === null) return null;
  const head = [`tree ${spec.tree}`, ...spec.parents.map((parent) => `parent ${parent}`), `author ${author}`, `committer ${committed}`];
  return { type: 'commit', content: Buffer.from(`${head.join('\n')}\n\n${spec.message.trimEnd()}\n`) };
}

/** Not the commit's fault, nor the signing key's: what git said about the disk. */
export function isOfTheDisk(said: string): boolean {
  return /No space left on device|quota exceeded|Read-only file system|Input\/output error/i.test(said);
}

/** Message with trailers in git's own form: one `Name: value` a line after a blank one. */
export function withTrailers(message: string, trailers: Readonly<Record<string, string | number | readonly string[]>>): string {
  const lines = Object.entries(trailers).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value]).map((one) => `${name}: ${String(one).replace(/\s+/g, ' ').trim()}`),
  );
  return lines.length === 0 ? message.trimEnd() : `${message.trimEnd()}\n\n${lines.join('\n')}`;
}

/** Exit 6 before any work, where git would not know whose commits these are. */
export async function requireIdentity(platform: Platform, home: Home): Promise<void> {
  if (await isWithoutIdentity(platform, home)) throw noIdentity();
}

export async function isWithoutIdentity(platform: Platform, home: Home): Promise<boolean> {
  return lacksIdentity(platform, await commitSettings(platform, home));
}

/** What git guesses from the name of the machine is nobody's identity. */
function lacksIdentity(platform: Platform, settings: CommitSettings): boolean {
  const isSet = (role: 'author' | 'committer', part: 'name' | 'email'): boolean =>
    [settings.get(`user.${part}`), settings.get(`${role}.${part}`), platform.env[`GIT_${role}_${part}`.toUpperCase()]].some(
      (value) => (value ?? '').trim() !== '',
    );
  return (['author', 'committer'] as const).some((role) => !isSet(role, 'name') || !isSet(role, 'email'));
}

export const SET_IDENTITY = ['git config --global user.name "Your Name"', 'git config --global user.email you@example.com'] as const;

function noIdentity(): HarnessError {
  return new HarnessError('Git has no name and email for you, so no commit can be made.', {
    exitCode: EXIT.preflight,
    reasons: ['git.identity'],
    details: ['Set them, then run the command again:', ...SET_IDENTITY.map((command) => `  ${command}`)],
  });
}

/** Git's own settings about commits, the last word on each; `null` for a key without a value. */
type CommitSettings = ReadonlyMap<string, string | null>;

async function commitSettings(platform: Platform, home: Home): Promise<CommitSettings> {
  const asked = await tryGit(
    platform,
    ['config', '-z', '--get-regexp', '^(user\\.(name|email)$|commit\\.gpgsign$|author\\.|committer\\.|i18n\\.)'],
    { cwd: home.root },
  );
  if (asked.code > 1) throw new Error(`the git settings of ${home.root} cannot be read: ${asked.stderr.trim()}`);
  const settings = new Map<string, string | null>();
  for (const record of asked.stdout.toString('utf8').split('\0')) {
    const at = record.indexOf('\n');
    if (record !== '') settings.set(at === -1 ? record : record.slice(0, at), at === -1 ? null : record.slice(at + 1));
  }
  return settings;
}

/** As git reads a boolean: a key alone says yes. */
function isTrue(value: string | null | undefined): boolean {
  return value === null || (value !== undefined && (/^(true|yes|on)$/i.test(value) || Number.parseInt(value, 10) > 0));
}
