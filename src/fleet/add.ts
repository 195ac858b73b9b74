/**
 * `harness fleet add` and `harness fleet remove`: a project goes into the fleet, and comes back to files.
 *
 * 1. The lock of the project is held meanwhile: while a run is under way nothing moves.
 * 2. Home has to have the person's branch as it is here. What the state names is pushed before the project is in the database.
 * 3. The person's checkout stays as it is.
 */
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { HarnessError, usageError } from '../domain/errors.ts';
import { EXIT } from '../domain/reasons.ts';
import { gitLine, tryGit } from '../platform/git.ts';
import type { Platform } from '../platform/platform.ts';
import { openHome, type Home } from '../workspace/home.ts';
import { folderStore } from '../store/folder-store.ts';
import { pgStore, type Pool, type Writer } from '../store/pg-store.ts';
import { loadConfig } from '../config/read-config.ts';
import { needsOf } from './labels.ts';
import { readProject } from './projects.ts';
import { rowsOf } from './rows.ts';
import { documentsIn, transfer, type Bytes } from './transfer.ts';
import { checkName, checkRemote, REMOTE_ENV } from './remotes.ts';

export interface Addition {
  name: string;
  remote: string;
  account: string;
  needs: readonly string[];
}

export interface Ground {
  platform: Platform;
  pool: Pool;
  root: string;
}

const PATIENCE_MS = 120_000;

export async function addProject(
  { platform, pool, root }: Ground,
  { name, remote, account, needs }: Addition,
): Promise<{ branch: string; documents: number }> {
  checkName(name);
  checkRemote(remote);
  const { config } = await loadConfig(platform, root);
  const folder = join(root, config.paths.state_dir);
  const store = folderStore(platform, folder);
  return await store.hold('harness fleet add', async () => {
    const home = await openHome(platform, root);
    const branch = await branchAtHome(platform, home, remote);
    await pushRefs(platform, home, remote);
    await insert(pool, { name, remote, branch, account, needs: [...new Set([...needs, ...needsOf(config)])] });
    const documents = await documentsIn(platform, folder);
    await transfer(platform, store, fleetStore(pool, name), documents);
    return { branch, documents: documents.length };
  });
}

/** The same documents as on a single machine, in this checkout; whatever lay there before is replaced. */
export async function removeProject({ platform, pool, root }: Ground, name: string): Promise<{ branch: string; documents: number }> {
  const { branch } = await readProject(pool, name);
  const { config } = await loadConfig(platform, root);
  const folder = folderStore(platform, join(root, config.paths.state_dir));
  const store = fleetStore(pool, name);
  return await folder.hold('harness fleet remove', async () => {
    const busy = await store.holder();
    if (busy !== null)
      throw new HarnessError(`A worker of the fleet drives ${name}: process ${busy.pid} on ${busy.host}.`, {
        exitCode: EXIT.locked,
        next: 'retry_at',
        details: [`Ask it to stop first: harness stop --project ${name}`],
      });
    const documents = await rowsOf<Bytes>(pool, 'SELECT name, content FROM fleet.document WHERE project = $1', [name]);
    await transfer(platform, store, folder, documents);
    await pool.query('DELETE FROM fleet.project WHERE name = $1', [name]);
    return { branch, documents: documents.length };
  });
}

/** For those who write without holding: requests, answers, and a project that is not driven yet. */
export function fleetStore(pool: Pool, name: string): ReturnType<typeof pgStore> {
  return pgStore(pool, name, OUTSIDE);
}

const OUTSIDE: Writer = { id: 'outside', sure: () => true, lost: new AbortController().signal };

async function branchAtHome(platform: Platform, home: Home, remote: string): Promise<string> {
  const { branch, head } = home;
  if (branch === null || head === null)
    throw usageError('A project of a fleet needs a branch with a commit.', 'Check out the branch that the fleet works on.');
  const asked = await tryGit(platform, ['ls-remote', '--quiet', remote, `refs/heads/${branch}`], {
    cwd: home.root,
    env: REMOTE_ENV,
    timeoutMs: PATIENCE_MS,
  });
  if (asked.code !== 0)
    throw new HarnessError(`The repository ${remote} cannot be read here.`, {
      exitCode: EXIT.preflight,
      details: [`git said: ${asked.stderr.trim().split('\n').at(-1) ?? ''}`],
    });
  const there = asked.stdout.toString('utf8').split('\t')[0] ?? '';
  if (there === head) return branch;
  throw usageError(
    there === '' ? `${remote} has no branch ${branch} yet.` : `Branch ${branch} is not the same here and in ${remote}.`,
    `Bring them together first: git push ${remote} ${branch}`,
  );
}

async function pushRefs(platform: Platform, home: Home, remote: string): Promise<void> {
  const refs = await gitLine(platform, ['for-each-ref', '--format=%(refname)', 'refs/harness/'], { cwd: home.root });
  if (refs === '') return;
  const pushed = await tryGit(platform, ['push', '--quiet', remote, '+refs/harness/*:refs/harness/*'], {
    cwd: home.root,
    env: REMOTE_ENV,
    timeoutMs: PATIENCE_MS,
  });
  if (pushed.code === 0) return;
  throw new HarnessError(`${remote} did not take the objects that the project's state names.`, {
    exitCode: EXIT.preflight,
    details: [`git said: ${pushed.stderr.trim().split('\n').at(-1) ?? ''}`],
  });
}

async function insert(pool: Pool, { name, remote, branch, account, needs }: Addition & { branch: string }): Promise<void> {
  const [other] = await rowsOf<{ name: string }>(pool, 'SELECT name FROM fleet.project WHERE remote = $1 AND name <> $2', [remote, name]);
  if (other !== undefined)
    throw usageError(
      `${remote} is the home of ${other.name} in this fleet; two projects in one repository would overwrite each other's refs/harness.`,
      'Give each project a separate bare repository: git clone --bare',
    );
  const { rowCount } = await pool.query(
    `INSERT INTO fleet.project (name, secret, remote, branch, account, needs) VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT DO NOTHING`,
    [name, randomBytes(32), remote, branch, account, [...needs]],
  );
  if (rowCount === 1) return;
  throw usageError(
    `A project ${name} is in this fleet already.`,
    'Choose another name, or take that one out: harness fleet remove --project NAME',
  );
}
