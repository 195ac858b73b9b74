/**
 * A worker of a fleet for tests: lands numbered flights on one branch, and waits at every point where it could be stopped or killed.
 * It never doubts that it is alive, as a process that was stopped for long does when it goes on. `plain`: it lands without a lease.
 */
import { createInterface } from 'node:readline';
import { openDatabase } from '../../src/fleet/database.ts';
import { tryGit } from '../../src/platform/git.ts';
import { nodePlatform } from '../../src/platform/node-platform.ts';
import { pgStore } from '../../src/store/pg-store.ts';
import { openHome, resolveRevision, treeOf, type Home } from '../../src/workspace/home.ts';
import { finishLanding, makeCommit } from '../../src/workspace/land.ts';
import { refreshClone } from '../../src/workspace/project-clone.ts';
import { openPublishedHome } from '../../src/workspace/published-home.ts';
import { createTreeStore } from '../../src/workspace/tree-store.ts';

interface State {
  next: number;
  commit: { base: string; id: string } | null;
  done: number[];
  withdrawn: number[];
}

const [url, remote, folder, id, flights, mode] = process.argv.slice(2) as [string, string, string, string, string, string];
const platform = nodePlatform(process.env);
const database = await openDatabase(platform, { url, connections: 1 });
const member = { id, sure: () => true, lost: new AbortController().signal };
const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();

async function gate(phase: string): Promise<void> {
  process.stdout.write(`${phase}\n`);
  await lines.next();
}

await database.query(`insert into fleet.worker (id, host, version, slots, state) values ($1, 'here', '0', 1, 'alive')`, [id]);
const store = pgStore(database, 'shop', member);
const owns = async (): Promise<boolean> =>
  (await database.query('select from fleet.hold where project = $1 and owner = $2', ['shop', id])).rows.length > 0;
const epoch = async (): Promise<number> => Number((await database.query(`select nextval('fleet.epoch') as number`)).rows[0]?.['number']);
const read = async <Value>(name: string, empty: Value): Promise<Value> => {
  const text = await store.read(name);
  return text === null ? empty : (JSON.parse(text) as Value);
};
const write = (state: State): Promise<void> => store.write('state.json', JSON.stringify(state));

try {
  await store.hold('harness fleet worker', async () => {
    const home = mode === 'plain' ? await plainHome() : await openPublished();
    while (await landNext(home));
  });
  process.stdout.write('end\n');
} catch (error) {
  process.stdout.write(`failed ${(error as Error).name}: ${(error as Error).message}\n`);
} finally {
  await database.end();
}
process.stdin.destroy();

function openPublished(): Promise<Home> {
  return openPublishedHome(platform, { folder, remote, branch: 'main', project: 'shop', member, claim: { owns, epoch } });
}

/** The control: the branch moves by compare and swap, and that is all. */
async function plainHome(): Promise<Home> {
  await tryGit(platform, ['init', '--quiet', folder], { cwd: '/' });
  await refreshClone(platform, { folder, remote, branch: 'main' });
  const home = await openHome(platform, folder);
  return {
    ...home,
    publish: async () => void (await tryGit(platform, ['push', '--quiet', remote, '+refs/harness/*:refs/harness/*'], { cwd: folder })),
    land: async (branch, base, commit) => {
      const expected = `--force-with-lease=refs/heads/${branch}:${base}`;
      const pushed = await tryGit(platform, ['push', '--quiet', expected, remote, `${commit}:refs/heads/${branch}`], { cwd: folder });
      if (pushed.code === 0) return 'landed';
      await refreshClone(platform, { folder, remote, branch, keep: true });
      return 'moved';
    },
  };
}

async function landNext(home: Home): Promise<boolean> {
  const state = await read<State>('state.json', { next: 1, commit: null, done: [], withdrawn: [] });
  const { next } = state;
  if (next > Number(flights)) return false;
  const isWithdrawn = (await read<number[]>('requests/withdraw.json', [])).includes(next);
  const isLanded = state.commit !== null && (await contains(home, state.commit.id));
  if (isWithdrawn && !isLanded) {
    await write({ ...state, next: next + 1, commit: null, withdrawn: [...state.withdrawn, next] });
    return true;
  }
  const commit = state.commit ?? (await fly(home, state));
  await gate(`named ${next}`);
  const landed = await finishLanding(platform, { home, branch: 'main', base: commit.base, commit: commit.id });
  await gate(`landed ${next}`);
  if (landed.kind === 'landed') await write({ ...state, next: next + 1, commit: null, done: [...state.done, next] });
  else await write({ ...state, commit: null });
  return true;
}

async function fly(home: Home, state: State): Promise<NonNullable<State['commit']>> {
  await gate(`begun ${state.next}`);
  const base = (await resolveRevision(platform, home, 'refs/heads/main')) ?? '';
  const tree = await createTreeStore(platform, home).compose(await treeOf(platform, home, base), [
    { path: `flight-${state.next}.txt`, kind: 'write', content: `${id}\n` },
  ]);
  const commit = { base, id: await makeCommit(platform, { home, base, tree, message: `Flight ${state.next}` }) };
  await home.publish?.();
  await gate(`published ${state.next}`);
  await write({ ...state, commit });
  return commit;
}

async function contains(home: Home, commit: string): Promise<boolean> {
  return (await tryGit(platform, ['merge-base', '--is-ancestor', commit, 'refs/heads/main'], { cwd: home.root })).code === 0;
}
