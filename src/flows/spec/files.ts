/**
 * The flow's files: working files under `.harness/`, documents under `docs/harness/<slug>/`.
 *
 * 1. Documents are written only where no link leads out of the directory the command works in.
 * 2. Cleaning up removes the flow's own files and nothing of the project's.
 */
import { dirname, join } from 'node:path';
import { HarnessError } from '../../domain/errors.ts';
import { EXIT } from '../../domain/reasons.ts';
import { setSessionAside } from '../../kernel/set-aside-session.ts';
import { leaveBranch } from '../../kernel/ground/session-branch.ts';
import { tracesOf } from '../../kernel/session-traces.ts';
import { readSession } from '../../kernel/state-file.ts';
import { wayTo } from '../../kernel/ground/way-to.ts';
import { removeEscalationNote } from '../../kernel/escalation-note.ts';
import { sayIn } from './words/say.ts';
import type { Place } from '../../kernel/place.ts';
import type { SpecState } from './machine/state.ts';

/** What lies in `docs/harness/<slug>/` when a spec was finished there. */
export const KEPT_FILES = ['spec.md', 'qa_notes.md', 'critic_findings.md', 'conventions.md'] as const;

type Ground = Pick<Place, 'platform' | 'documents' | 'root' | 'shelf'>;

export async function readWork(place: Ground, name: string): Promise<string | null> {
  return place.documents.folder('spec').read(name);
}

export async function writeWork(place: Ground, name: string, text: string): Promise<void> {
  await place.documents.folder('spec').write(name, text);
}

export async function removeWork(place: Ground, name: string): Promise<void> {
  await place.documents.folder('spec').remove(name);
}

export function specPath(state: SpecState): string {
  return `${state.docs_path}spec.md`;
}

export async function readSpec(place: Ground, state: SpecState): Promise<string | null> {
  return place.platform.files.readTextIfExists(join(place.root, specPath(state)));
}

export async function writeSpec(place: Ground, state: SpecState, text: string): Promise<void> {
  await writeDocumentFile(place, state, specPath(state), text);
}

/** Writes a file below `docs_path`, after looking where the way there leads. */
export async function writeDocumentFile(place: Ground, state: SpecState, path: string, text: string): Promise<void> {
  const refusal = await refusedDocsPath(place, state.docs_path);
  if (refusal !== null) throw docsError(state, refusal);
  const target = join(place.root, path);
  await place.platform.files.mkdir(dirname(target));
  await place.platform.files.writeAtomic(target, text);
}

/** The guard before anything is written to or removed for `docs_path`: null when it may be used, else what is wrong with it. */
export async function refusedDocsPath(place: Ground, docsPath: string): Promise<string | null> {
  const name = docsPath.replace(/\/+$/, '').split('/').at(-1) ?? '';
  if (name.trim() === '') return 'it has no name';
  if (name === 'memory' || name === '.' || name.includes('..')) return `"${name}" is reserved`;
  const { inside, linked } = await wayTo(place, docsPath.replace(/\/+$/, ''));
  if (!inside) return 'it leads out of this directory';
  return linked ? 'a symbolic link is on the way to it' : null;
}

export function docsError(state: SpecState, reason: string): HarnessError {
  return new HarnessError(sayIn(state.user_lang).handOff.refused({ path: state.docs_path, reason }), { exitCode: EXIT.usage });
}

/** State, notes, analyses, conventions and questions of this flow. */
export async function cleanUp(place: Ground): Promise<void> {
  for (const name of ['spec', 'conventions'] as const) await place.documents.remove(name);
  await dropQuestions(place);
  await place.documents.remove('session');
}

/** Keeps the session of another task; its questions are asked again when it goes on. */
export async function setAside(place: Place, task: string): Promise<void> {
  const traces = tracesOf(await readSession(place.documents, { writer: false }));
  if (traces !== null && place.hasGit) await leaveBranch(place, traces, { drop: false });
  await dropQuestions(place);
  await setSessionAside(place, task);
}

async function dropQuestions(place: Ground): Promise<void> {
  const gates = place.documents.folder('gates');
  for (const name of await gates.list()) if (name.startsWith('spec.')) await gates.remove(name);
  await removeEscalationNote(place, 'spec');
}
