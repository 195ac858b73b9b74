/**
 * The GitHub mirror at a place: whose issues, with which token, and what came of a sync.
 *
 * 1. Without a repository in the settings, or with `sync_mode: none`, there is no mirror and nobody is asked for a token.
 * 2. The token comes from the environment, else from GitHub's own program. It reaches GitHub alone: no agent, no log, no document.
 * 3. A sync that fails changes nothing here. What it missed is made up by the next one.
 */
import { HARNESS_VERSION } from '../domain/version.ts';
import { HubFailure, type Action, type MirroredFeature, type MirrorSettings } from '../github/contract.ts';
import type { MirrorMemory } from '../github/memory.ts';
import { isChosen, projectGate } from '../gates/project-gates.ts';
import type { HubOptions } from '../github/octokit-hub.ts';
import type { Platform } from '../platform/platform.ts';
import type { Place } from './place.ts';

export type { Action as MirrorAction, MirroredFeature } from '../github/contract.ts';

export type MirrorReport =
  | { kind: 'off'; why: string }
  /** `left_open`: features that pass and whose issues stay open, because nothing is to close them. */
  | { kind: 'planned' | 'done'; repository: string; actions: Action[]; left_open: number[] }
  | { kind: 'failed'; repository: string; message: string };

export const DEFAULT_API = 'https://api.github.com';
const MEMORY_VERSION = 1;

export async function syncWithGithub(
  place: Place,
  features: readonly MirroredFeature[],
  options: { preview: boolean; thorough?: boolean },
): Promise<MirrorReport> {
  const { config } = place;
  const repository = config.github.repo ?? config.project.github_repo;
  if (config.github.sync_mode === 'none') return { kind: 'off', why: 'github.sync_mode is none' };
  if (repository === null) return { kind: 'off', why: 'no repository is named: set github.repo to owner/name in .harness.yaml' };
  const token = await findToken(place.platform);
  if (token === null) return { kind: 'failed', repository, message: 'there is no token: set GITHUB_TOKEN, or log in with: gh auth login' };
  try {
    return { repository, ...(await syncNow(place, features, { repository, token }, options)) };
  } catch (error) {
    if (!(error instanceof HubFailure)) throw error;
    return { kind: 'failed', repository, message: error.message };
  }
}

async function syncNow(
  place: Place,
  features: readonly MirroredFeature[],
  account: Pick<HubOptions, 'repository' | 'token'>,
  { preview, thorough = false }: { preview: boolean; thorough?: boolean },
): Promise<{ kind: 'planned' | 'done'; actions: Action[]; left_open: number[] }> {
  const { platform, config, signal } = place;
  // Loaded when used: most projects have no mirror.
  const [{ createHub }, { previewSync, syncMirror }] = await Promise.all([import('../github/octokit-hub.ts'), import('../github/sync.ts')]);
  const hub = createHub({
    ...account,
    baseUrl: platform.env['GITHUB_API_URL'] ?? DEFAULT_API,
    version: HARNESS_VERSION,
    clock: platform.clock,
    signal,
    waits: (seconds) => place.emit({ type: 'progress', message: `GitHub asks to wait ${seconds} s before the mirror continues` }),
  });
  const settings: MirrorSettings = {
    project: config.project.name,
    createMissing: config.github.create_missing_issues,
    closeOnVerify: config.github.close_on_verify,
  };
  const memory = await readMemory(place, account.repository);
  const base = { hub, features, settings, memory };
  const leftOpen = (issues: MirrorMemory['issues']): number[] =>
    settings.closeOnVerify
      ? []
      : features
          .filter(({ id, passes }) => passes && issues.get(id)?.state === 'open' && issues.get(id)?.gone === undefined)
          .map(({ id }) => id);
  if (preview) return { kind: 'planned', actions: await previewSync(base), left_open: leftOpen(memory.issues) };
  let known = memory;
  const actions = await syncMirror({
    ...base,
    remember: async (next) => {
      known = next;
      await writeMemory(place, account.repository, next);
    },
    ask: (feature, issue) => askAboutGone(place, feature, issue),
    looksForGone: thorough || memory.issues.size <= ONE_PAGE,
    told: (action, issue) =>
      place.emit({ type: 'progress', message: `GitHub issue ${issue}: ${WORDS[action.kind]} (feature #${action.feature})` }),
    signal,
  });
  return { kind: 'done', actions, left_open: leftOpen(known.issues) };
}

const ONE_PAGE = 100;

/** Nothing waits for the answer: it is acted on by the sync that finds it. */
async function askAboutGone({ asker }: Place, feature: number, issue: number): Promise<'again' | 'leave' | 'pending'> {
  const answer = await asker.leave(projectGate('project.issue-gone', { feature, issue }));
  if (answer === 'pending') return 'pending';
  return isChosen('project.issue-gone', 'Create again', answer) ? 'again' : 'leave';
}

const WORDS: Readonly<Record<Action['kind'], string>> = {
  create: 'created',
  close: 'closed',
  reopen: 'reopened',
  explain: 'explained',
  ask: 'is gone',
};

export async function findToken(platform: Platform): Promise<string | null> {
  const named = platform.env['GITHUB_TOKEN'] ?? platform.env['GH_TOKEN'] ?? '';
  if (named.trim() !== '') return named.trim();
  const env = Object.fromEntries(
    Object.entries(platform.env).filter(
      ([name, value]) => ['PATH', 'HOME', 'XDG_CONFIG_HOME', 'GH_CONFIG_DIR'].includes(name) && value !== undefined,
    ),
  ) as Record<string, string>;
  const asked = await platform.processes.run({ file: 'gh', args: ['auth', 'token'], cwd: '/', env, timeoutMs: 10_000 }).catch(() => null);
  const token = asked === null || asked.code !== 0 ? '' : asked.stdout.toString('utf8').trim();
  return token === '' ? null : token;
}

/** What is remembered of another repository says nothing about this one. */
async function readMemory({ documents }: Place, repository: string): Promise<MirrorMemory> {
  const known = await documents.read('github', { writer: false });
  if (known === null || known.repository !== repository) return { seenUntil: null, etag: null, issues: new Map() };
  return { seenUntil: known.seen_until, etag: known.etag, issues: new Map(known.issues.map(({ feature, ...issue }) => [feature, issue])) };
}

async function writeMemory({ documents }: Place, repository: string, memory: MirrorMemory): Promise<void> {
  await documents.write('github', {
    schema_version: MEMORY_VERSION,
    harness_version: HARNESS_VERSION,
    repository,
    seen_until: memory.seenUntil,
    etag: memory.etag,
    issues: [...memory.issues].map(([feature, issue]) => ({ feature, ...issue })),
  });
}
