/**
 * Untracked files that the agent gets, and what must not come out of them: their secrets are looked for in what is captured, and hidden wherever
 * the session's words and prompts are written down.
 */
import { dirname, join } from 'node:path';
import type { HarnessEvent } from '../../domain/event.ts';
import { containsSecret, redacted, secretsIn, type Secret } from '../../domain/secrets.ts';
import type { Capture, CaptureFinding } from '../../domain/tree.ts';
import { filesNamed, includedPaths, includeFiles } from '../../workspace/included.ts';
import type { AgentGround } from './agent-place.ts';

export async function includeIn(ground: AgentGround, copy: { path: string; folder: string }, base: string): Promise<void> {
  const { include, include_allowed } = ground.config.workspace;
  if (include.length === 0 && (await includedPaths(ground.platform, copy.folder)).length === 0) return;
  const tracked = new Set((await ground.trees.list(base)).map(({ path }) => path));
  const allowed = Array.isArray(include_allowed) ? include_allowed : [];
  const { copied, refused } = await includeFiles(ground.platform, { ...copy, root: ground.home.root, include, allowed, tracked });
  if (copied.length > 0) ground.emit({ type: 'progress', message: `copied for the agent, and never captured: ${copied.join(', ')}` });
  if (refused.length > 0)
    ground.emit({
      type: 'warning',
      message: `workspace.include asks for ${refused.join(', ')}, which your own settings do not allow: not copied. To allow it, name it under workspace.include_allowed in $HARNESS_HOME/config.yaml.`,
    });
}

/** Of the files that this copy got, as they are in the user's directory now. */
export async function secretsOf(ground: AgentGround, copyPath: string): Promise<Secret[]> {
  return await readSecrets(ground, copyPath === ground.home.root ? [] : await includedPaths(ground.platform, dirname(copyPath)));
}

/** Lines for people, without the secrets of any file that agents get here. */
export async function withoutSecrets(
  ground: Pick<AgentGround, 'platform' | 'config' | 'home'>,
  lines: readonly string[],
): Promise<string[]> {
  const secrets = await readSecrets(ground, await filesNamed(ground.platform, ground.home.root, ground.config.workspace.include));
  return lines.map((line) => redacted(line, secrets));
}

async function readSecrets({ platform, home }: Pick<AgentGround, 'platform' | 'home'>, paths: readonly string[]): Promise<Secret[]> {
  const texts = await Promise.all(paths.map((path) => platform.files.readTextIfExists(join(home.root, path)).catch(() => null)));
  return texts.flatMap((text) => secretsIn(text ?? ''));
}

/** Secrets that the captured work holds and the base does not. */
export async function secretFindings(
  ground: AgentGround,
  copyPath: string,
  baseTree: string,
  { changed, tree }: Capture,
): Promise<CaptureFinding[]> {
  const secrets = await secretsOf(ground, copyPath);
  if (secrets.length === 0) return [];
  const hits: { path: string; secret: Secret }[] = [];
  for (const { path } of changed) {
    const text = (await ground.trees.read(tree, path))?.toString('utf8') ?? '';
    for (const secret of secrets) if (containsSecret(text, secret)) hits.push({ path, secret });
  }
  const open =
    hits.length === 0 ? new Set<Secret>() : await withoutPublished(ground, baseTree, [...new Set(hits.map(({ secret }) => secret))]);
  return hits
    .filter(({ secret }) => open.has(secret))
    .map(({ path, secret }) => ({ kind: 'secret', path, detail: `it contains the value of ${secret.name}` }));
}

/** What the base's tracked files say already is no secret. */
async function withoutPublished({ trees }: AgentGround, baseTree: string, secrets: readonly Secret[]): Promise<Set<Secret>> {
  const open = new Set(secrets);
  for (const { path, mode } of await trees.list(baseTree)) {
    if (open.size === 0) break;
    if (!mode.startsWith('100')) continue;
    const text = (await trees.read(baseTree, path))?.toString('utf8') ?? '';
    for (const secret of open) if (containsSecret(text, secret)) open.delete(secret);
  }
  return open;
}

/** An event without the secrets. */
export function redactedEvent(event: HarnessEvent, secrets: readonly Secret[]): HarnessEvent {
  return secrets.length === 0 ? event : (hideIn(event, secrets) as HarnessEvent);
}

function hideIn(value: unknown, secrets: readonly Secret[]): unknown {
  if (typeof value === 'string') return redacted(value, secrets);
  if (Array.isArray(value)) return value.map((one) => hideIn(one, secrets));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, hideIn(one, secrets)]));
}
