/**
 * `git.hooks`: the repository's own pre-commit and commit-msg hooks, before an accepted tree becomes a commit.
 *
 * 1. They run in their trusted version: from the repository's own hooks folder, or from the commit before the session where that folder is
 *    part of the place.
 * 2. They run in a copy of the judged tree, in the agent's sandbox, and never touch the user's files.
 * 3. A hook that fails, or changes a file or the index, voids the verdict: nothing lands. The message may be changed.
 * 4. Hooks start what the session wrote, and that can change the copy's git directory: from then on git runs with home's alone.
 */
import { isAbsolute, join, relative } from 'node:path';
import { containedPath } from '../../platform/contained-path.ts';
import { git, tryGit } from '../../platform/git.ts';
import { prepareWorkspace, type AgentCopy } from '../../workspace/agent-copy.ts';
import { captureWorkspace } from '../../workspace/capture.ts';
import { isInside } from '../../workspace/paths.ts';
import { HARNESS_REFS } from '../../workspace/refs.ts';
import { makeAgentPlace, type AgentPlace } from './agent-place.ts';
import type { FlightPlace } from './contract.ts';

export type Hooked = { kind: 'passed'; message: string } | { kind: 'refused'; message: string };

interface HooksInput {
  head: { commit: string; branch: string };
  tree: string;
  message: string;
}

interface HookFile {
  name: string;
  content: Uint8Array;
}

const HOOKS = ['pre-commit', 'commit-msg'];
const LANE = 'hooks';
const CAPTURE_REF = HARNESS_REFS.hooks;
const PATIENCE_MS = 10 * 60_000;
const [MESSAGE, INDEX] = ['.git/COMMIT_EDITMSG', '.git/index'] as const;

export async function runCommitHooks(place: FlightPlace, input: HooksInput): Promise<Hooked> {
  const files = await trustedHooks(place, input.head.commit);
  if (!files.some(({ name }) => HOOKS.includes(name))) return { kind: 'passed', message: input.message };
  const { platform, home } = place;
  const copy = await prepareWorkspace(platform, {
    home,
    store: place.trees,
    harnessHome: place.harnessHome,
    stateDir: place.stateDir,
    base: input.head.commit,
    branch: input.head.branch,
    tree: input.tree,
    lane: LANE,
  });
  const agent = await makeAgentPlace(place, copy);
  try {
    return await runHooksIn(place, input, { copy, agent, files });
  } finally {
    await agent.leave();
  }
}

interface HooksPlace {
  copy: AgentCopy;
  agent: AgentPlace;
  files: readonly HookFile[];
}

async function runHooksIn(place: FlightPlace, input: HooksInput, { copy, agent, files }: HooksPlace): Promise<Hooked> {
  const { platform } = place;
  await tryGit(platform, ['add', '--all'], { cwd: copy.path });
  const staged = await stagedIn(place, copy);
  const messageFile = join(copy.path, MESSAGE);
  await platform.files.write(messageFile, input.message);
  for (const name of HOOKS) {
    const refused = await runHook(place, { copy, agent, files, name, args: name === 'commit-msg' ? [MESSAGE] : [] });
    if (refused !== null) return { kind: 'refused', message: refused };
  }
  const changed = await changedPaths(place, copy, input, staged);
  if (changed.length > 0)
    return {
      kind: 'refused',
      message: `a commit hook changed what was judged: ${changed.slice(0, 5).join(', ')}. Let it check instead of change, or switch git.hooks off.`,
    };
  if (!(await isPlainFile(place, copy, MESSAGE)))
    return { kind: 'refused', message: 'a commit hook replaced the file of the commit message' };
  return { kind: 'passed', message: await platform.files.readText(messageFile) };
}

async function runHook(
  place: FlightPlace,
  { copy, agent, files, name, args }: HooksPlace & { name: string; args: string[] },
): Promise<string | null> {
  const { platform } = place;
  if (!files.some((file) => file.name === name)) return null;
  const folder = join(copy.path, '.git', 'hooks');
  await platform.files.remove(folder);
  for (const file of files) {
    await platform.files.mkdir(join(folder, file.name, '..'));
    await platform.files.write(join(folder, file.name), file.content, 0o755);
  }
  const result = await platform.processes.run({
    file: join(folder, name),
    args,
    cwd: copy.path,
    env: { ...agent.env, GIT_EDITOR: ':' },
    sandbox: agent.sandbox,
    timeoutMs: PATIENCE_MS,
    maxOutputBytes: 64 * 1024,
  });
  if (result.code === 0) return null;
  const said = `${result.stdout.toString('utf8')}${result.stderr.toString('utf8')}`.trim().split('\n').slice(-5).join(' | ');
  return `the ${name} hook refused the commit (${result.timedOut ? 'it took too long' : `status ${String(result.code)}`})${said === '' ? '' : `: ${said.slice(0, 500)}`}`;
}

/** Paths of files, or of the index, that are no longer as they were judged. */
async function changedPaths(place: FlightPlace, copy: AgentCopy, input: HooksInput, staged: string | null): Promise<string[]> {
  const { platform, home, trees } = place;
  const after = await captureWorkspace(platform, {
    home,
    store: trees,
    copy,
    baseTree: input.tree,
    ref: CAPTURE_REF,
    message: 'harness: after the commit hooks',
  });
  await git(platform, ['update-ref', '-d', CAPTURE_REF], { cwd: home.root });
  if (after.changed.length > 0) return after.changed.map((change) => change.path);
  return staged !== null && (await stagedIn(place, copy)) === staged ? [] : ['the index'];
}

/** Null: the copy's index cannot be read. */
async function stagedIn(place: FlightPlace, copy: AgentCopy): Promise<string | null> {
  const { platform, home } = place;
  if (!(await isPlainFile(place, copy, INDEX))) return null;
  const options = { cwd: home.root, gitDir: home.gitDir, indexFile: join(copy.path, INDEX), timeoutMs: PATIENCE_MS };
  const listed = await tryGit(platform, ['ls-files', '--stage', '-z'], options);
  return listed.code === 0 ? listed.stdout.toString('utf8') : null;
}

/** With one name, and no link on the way. */
async function isPlainFile({ platform }: FlightPlace, copy: AgentCopy, path: string): Promise<boolean> {
  const { link, exists } = await containedPath(platform, copy.path, path);
  const stat = link === null && exists ? await platform.files.lstat(join(copy.path, path)).catch(() => null) : null;
  return stat?.isFile() === true && stat.nlink === 1n;
}

/** Every file of the hooks folder: scripts may call their neighbours. */
async function trustedHooks(place: FlightPlace, base: string): Promise<HookFile[]> {
  const { home, trees } = place;
  const folder = await hooksFolder(place);
  if (!isInside(home.root, folder) || isInside(home.gitDir, folder) || isInside(home.commonDir, folder))
    return await filesBelow(place, folder);
  const prefix = `${relative(home.root, folder)}/`;
  const entries = (await trees.list(base)).filter((entry) => entry.path.startsWith(prefix) && entry.mode.startsWith('100'));
  return await Promise.all(
    entries.map(async (entry) => ({ name: entry.path.slice(prefix.length), content: await trees.readBlob(entry.oid) })),
  );
}

/** The harness's own switch for hooks stands on the command line; the user's setting is the last one before it. */
async function hooksFolder(place: FlightPlace): Promise<string> {
  const { platform, home } = place;
  const asked = await tryGit(platform, ['config', '--show-scope', '--type=path', '--get-all', 'core.hooksPath'], { cwd: home.root });
  const set = asked.stdout
    .toString('utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('command\t'))
    .at(-1)
    ?.split('\t')[1];
  if (set === undefined) return join(home.commonDir, 'hooks');
  return isAbsolute(set) ? set : join(home.root, set);
}

async function filesBelow(place: FlightPlace, folder: string, prefix = ''): Promise<HookFile[]> {
  const { files } = place.platform;
  const found: HookFile[] = [];
  for (const entry of await files.list(join(folder, prefix)).catch(() => [])) {
    const name = join(prefix, entry.name);
    if (entry.isDirectory()) found.push(...(await filesBelow(place, folder, name)));
    else if (!entry.name.endsWith('.sample')) found.push({ name, content: await files.read(join(folder, name)) });
  }
  return found;
}
