/**
 * The flow's files: working files under `.harness/`, documents under `docs/harness/<slug>/`.
 *
 * 1. Documents are written only where no link leads out of the directory the command works in.
 * 2. Cleaning up removes the flow's own files and nothing of the project's.
 */
import { dirname, join } from 'node:path';
import { HarnessError } from '../../domain/errors.ts';
import { EXIT } from '../../domain/reasons.ts';
import { containedPath } from '../../platform/contained-path.ts';
import { removeEscalationNote } from './escalation.ts';
import { sayIn } from './say.ts';
import type { Place } from '../../kernel/place.ts';
import type { SpecState } from './state.ts';

/** What lies in `docs/harness/<slug>/` when a spec was finished there. */
export const KEPT_FILES = ['spec.md', 'qa_notes.md', 'critic_findings.md', 'conventions.md'] as const;

type Ground = Pick<Place, 'platform' | 'stateDir' | 'root'>;

export function workPath(desk: Pick<Place, 'stateDir'>, name: string): string {
  return join(desk.stateDir, 'spec', name);
}

export async function readWork(desk: Ground, name: string): Promise<string | null> {
  return desk.platform.files.readTextIfExists(workPath(desk, name));
}

export async function writeWork(desk: Ground, name: string, text: string): Promise<void> {
  await desk.platform.files.mkdir(join(desk.stateDir, 'spec'));
  await desk.platform.files.writeAtomic(workPath(desk, name), text);
}

export async function removeWork(desk: Ground, name: string): Promise<void> {
  await desk.platform.files.remove(workPath(desk, name));
}

export function conventionsPath(desk: Pick<Place, 'stateDir'>): string {
  return join(desk.stateDir, 'conventions.md');
}

export function specPath(state: SpecState): string {
  return `${state.docs_path}spec.md`;
}

export async function readSpec(desk: Ground, state: SpecState): Promise<string | null> {
  return desk.platform.files.readTextIfExists(join(desk.root, specPath(state)));
}

export async function writeSpec(desk: Ground, state: SpecState, text: string): Promise<void> {
  await writeDocumentFile(desk, state, specPath(state), text);
}

/** Writes a file below `docs_path`, after looking where the way there leads. */
export async function writeDocumentFile(desk: Ground, state: SpecState, path: string, text: string): Promise<void> {
  const refusal = await refusedDocsPath(desk, state.docs_path);
  if (refusal !== null) throw docsError(state, refusal);
  const target = join(desk.root, path);
  await desk.platform.files.mkdir(dirname(target));
  await desk.platform.files.writeAtomic(target, text);
}

/** The guard before anything is written to or removed for `docs_path`: null when it may be used, else what is wrong with it. */
export async function refusedDocsPath(desk: Ground, docsPath: string): Promise<string | null> {
  const name = docsPath.replace(/\/+$/, '').split('/').at(-1) ?? '';
  if (name.trim() === '') return 'it has no name';
  if (name === 'memory' || name === '.' || name.includes('..')) return `"${name}" is reserved`;
  const place = await containedPath(desk.platform, desk.root, docsPath.replace(/\/+$/, ''));
  if (!place.inside) return 'it leads out of this directory';
  return place.link === null ? null : 'a symbolic link is on the way to it';
}

export function docsError(state: SpecState, reason: string): HarnessError {
  return new HarnessError(sayIn(state.user_lang).handOff.refused(state.docs_path, reason), { exitCode: EXIT.usage });
}

/** State, notes, analyses, conventions and questions of this flow. */
export async function cleanUp(desk: Ground): Promise<void> {
  const { files } = desk.platform;
  for (const name of ['spec', 'conventions.md']) await files.remove(join(desk.stateDir, name));
  const gates = join(desk.stateDir, 'gates');
  const names = await files.list(gates).then(
    (entries) => entries.map((entry) => entry.name),
    () => [],
  );
  for (const name of names.filter((file) => file.startsWith('spec.'))) await files.remove(join(gates, name));
  await removeEscalationNote(desk);
  await files.remove(join(desk.stateDir, 'state.json'));
}
