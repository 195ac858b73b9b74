/**
 * Which change is judged: from a base to a commit, or to the working tree.
 *
 * 1. The base is the commit where the change left it, so that a branch that is behind is judged by what it changed itself.
 * 2. Without `--base` it is the base branch of a pull request, else what the remote calls its main branch, else `main` or `master`.
 * 3. Looking writes nothing.
 */
import { HarnessError, usageError } from '../../domain/errors.ts';
import { EXIT } from '../../domain/reasons.ts';
import { tryGit } from '../../platform/git.ts';
import type { Platform } from '../../platform/platform.ts';
import { resolveRevision, type Home } from '../../workspace/home.ts';

export interface Change {
  base: { revision: string; commit: string };
  /** `revision` null: the working tree on this commit. */
  head: { revision: string | null; commit: string };
}

export async function chooseChange(platform: Platform, home: Home, wanted: { base: string | null; head: string | null }): Promise<Change> {
  const head = { revision: wanted.head, commit: await headOf(platform, home, wanted.head) };
  const revision = wanted.base ?? (await usualBase(platform, home));
  if (revision === null && wanted.head !== null)
    throw usageError(
      'No branch to compare with was found: neither origin/HEAD nor main nor master exists.',
      'fix: name one with --base REV',
    );
  if (revision === null) return { base: { revision: 'HEAD', commit: head.commit }, head };
  const named = await commitOf(platform, home, revision);
  if (named === null) throw await missingBase(platform, home, revision, wanted.base);
  const forked = await tryGit(platform, ['merge-base', named, head.commit], { cwd: home.root });
  const commit = forked.stdout.toString('utf8').trim().split('\n')[0] ?? '';
  if (forked.code === 0 && commit !== '') return { base: { revision, commit }, head };
  if (await isShallow(platform, home))
    throw shallow(`this clone does not contain the commit where ${revision} and ${head.revision ?? 'HEAD'} part`);
  throw usageError(`${revision} and ${head.revision ?? 'HEAD'} have no commit in common.`, 'fix: name another base with --base REV');
}

async function headOf(platform: Platform, home: Home, revision: string | null): Promise<string> {
  if (revision === null && home.head === null)
    throw new HarnessError('This repository has no commit yet, so there is nothing to compare with.', {
      exitCode: EXIT.preflight,
      reasons: ['git.no_commits'],
      details: ['fix: commit the code that the change starts from'],
    });
  const commit = revision === null ? home.head : await commitOf(platform, home, revision);
  if (commit === null) throw unknownRevision(home, revision ?? 'HEAD');
  return commit;
}

async function usualBase(platform: Platform, home: Home): Promise<string | null> {
  const pullRequest = platform.env['GITHUB_BASE_REF'] ?? '';
  if (pullRequest !== '') {
    const names = [`origin/${pullRequest}`, pullRequest];
    return (await firstKnown(platform, home, names)) ?? names[0] ?? null;
  }
  return await firstKnown(platform, home, ['origin/HEAD', 'main', 'master']);
}

async function firstKnown(platform: Platform, home: Home, names: readonly string[]): Promise<string | null> {
  for (const name of names) if ((await commitOf(platform, home, name)) !== null) return name;
  return null;
}

/** Control characters would end the question to git early. */
async function commitOf(platform: Platform, home: Home, revision: string): Promise<string | null> {
  const isPlain = revision !== '' && !/[\0-\x20\x7f]/.test(revision);
  return isPlain ? await resolveRevision(platform, home, `${revision}^{commit}`) : null;
}

async function missingBase(platform: Platform, home: Home, revision: string, given: string | null): Promise<Error> {
  if (given !== null && !(await isShallow(platform, home))) return unknownRevision(home, revision);
  return shallow(`this clone does not contain ${revision}`);
}

function unknownRevision(home: Home, revision: string): Error {
  return usageError(`There is no commit called "${revision}" in ${home.root}.`, 'fix: name a commit, a branch or a tag of this repository');
}

async function isShallow(platform: Platform, home: Home): Promise<boolean> {
  const asked = await tryGit(platform, ['rev-parse', '--is-shallow-repository'], { cwd: home.root });
  return asked.stdout.toString('utf8').trim() === 'true';
}

function shallow(why: string): HarnessError {
  return new HarnessError(`The change could not be judged, because ${why}.`, {
    exitCode: EXIT.preflight,
    reasons: ['git.no_commits'],
    details: ['fix: git fetch --unshallow origin (in a GitHub workflow: fetch-depth: 0)'],
  });
}
