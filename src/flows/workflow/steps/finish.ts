/**
 * The end of a session: what was made reaches home, the working files go.
 *
 * 1. The commit exists, and its id is written down, before the branch moves; every part can be repeated after a crash.
 * 2. The branch moves by compare and swap. Nothing of the user's is overwritten: what stands in the way is named.
 * 3. What a person accepted against a failed check, or of tests, settings and dependencies, is marked in the commit.
 */
import { EXIT } from '../../../domain/reasons.ts';
import type { TreeEdit } from '../../../domain/tree.ts';
import { HARNESS_VERSION } from '../../../domain/version.ts';
import { passingTests } from '../../../kernel/flight/judge-work.ts';
import { commitCandidate, isIgnored, landAsFiles, landCandidate, type CommitText } from '../../../kernel/flight/land-candidate.ts';
import { candidateRef, dropCandidate } from '../../../kernel/flight/session-candidate.ts';
import type { Bench } from '../bench.ts';
import { giveBack, leaveBranch } from '../../../kernel/ground/session-branch.ts';
import { baseOf, currentTree } from '../candidate.ts';
import { guardDocuments, ORIGINAL_SPEC } from '../../../kernel/session-traces.ts';
import { removeDocuments, removeSession } from '../cleanup.ts';
import type { Landing, Layer, WorkflowReport } from '../contract.ts';
import { documentPath, OWN_DOCUMENTS, PERSISTED_DOCUMENTS, readDocumentText, readWorkFile } from '../documents.ts';
import { recordLanding } from '../people/narrate.ts';
import { partial } from '../role-call.ts';
import type { Session } from '../session.ts';
import { cleanText } from '../../../domain/clean-text.ts';

/** The layers that did not pass. */
export function failedLayers(session: Pick<Session, 'verify' | 'harness'>): Layer[] {
  const { verdict } = session.harness;
  return [
    ...(session.verify.layer1_result === 'FAIL' ? ['layer 1' as const] : []),
    ...(verdict === 'FAIL L2' ? ['layer 2' as const] : []),
    ...(verdict === 'FAIL L3' ? ['layer 3' as const] : []),
  ];
}

/** Makes what will land, without moving anything. Null: the guard objects. */
export async function prepareLanding(bench: Bench, choice: Landing['choice']): Promise<Landing | null> {
  const { place, session, words } = bench;
  if (choice === 'none') return { choice, commit: null };
  const objection = await guardDocuments(place, session.docs_path);
  if (objection !== null) {
    bench.warn(words.finish.guard({ path: session.docs_path, why: objection }));
    return null;
  }
  const base = baseOf(session);
  const tree = await landingTree(bench, choice);
  if (tree === base.tree) return { choice, commit: null };
  return {
    choice,
    commit: await commitCandidate(
      place,
      { base: base.commit, tree },
      commitText(session, (await readWorkFile(place, 'planner', 'said.txt')) ?? ''),
    ),
  };
}

async function landingTree(bench: Bench, choice: 'code' | 'all'): Promise<string> {
  const { place, session, words } = bench;
  const names = choice === 'all' ? [...OWN_DOCUMENTS, ORIGINAL_SPEC, ...PERSISTED_DOCUMENTS] : PERSISTED_DOCUMENTS;
  const edits: TreeEdit[] = [];
  for (const name of names) {
    const path = documentPath(session, name);
    try {
      const text = await readDocumentText(place, session, name);
      if (text === null) continue;
      if (await isIgnored(place, path)) bench.warn(words.finish.notStaged({ path, why: '.gitignore' }));
      else edits.push({ path, kind: 'write', content: text });
    } catch (error) {
      bench.warn(words.finish.notStaged({ path, why: error instanceof Error ? error.message : String(error) }));
    }
  }
  return edits.length === 0 ? currentTree(session) : await place.trees.compose(currentTree(session), edits);
}

function commitText(session: Session, changes: string): CommitText {
  const subject = commitSubject(session.task, changes);
  const trailers = {
    'Harness-Workflow': session.slug,
    'Harness-Mode': session.mode,
    'Harness-Round': session.round,
    'Harness-Verified': verifiedTrailer(session),
    'Harness-Version': HARNESS_VERSION,
  };
  return { subject, trailers };
}

function verifiedTrailer(session: Session): string {
  const failed = failedLayers(session);
  if (failed.length > 0) return `no (accepted by a person: ${failed.map((layer) => `${layer} failed`).join(', ')})`;
  const notes = [
    ...(session.test_cmd === null ? ['there is no test command'] : []),
    ...(session.harness.allowed.length === 0
      ? []
      : [`a person accepted changes of ${session.harness.allowed.map(({ path }) => path).join(', ')}`]),
  ];
  return `yes (${['layers 1 to 3', ...notes].join('; ')})`;
}

/** Moves home. Null: it is done; else why it is not. */
export async function land(bench: Bench, landing: Landing): Promise<WorkflowReport | null> {
  const { place, session, words } = bench;
  const base = baseOf(session);
  if (landing.choice === 'none') {
    const written = await landAsFiles(place, { base: base.tree, tree: currentTree(session) });
    if (written.kind === 'conflict') return partial(['git.conflict'], words.finish.conflict({ paths: written.paths }));
    bench.tell(place.hasGit ? words.finish.written({ count: written.files }) : words.finish.folder({ path: session.docs_path }));
    return null;
  }
  if (landing.commit === null) {
    bench.tell(words.finish.nothing);
    return null;
  }
  const branch = session.branch ?? '';
  const landed = await landCandidate(place, { branch, base: base.commit, commit: landing.commit, passing: await passingTests(place) });
  if (landed.kind === 'moved') return partial(['git.moved'], words.finish.moved({ branch, ref: candidateRef(session.slug) }));
  if (landed.kind === 'conflict') return partial(['git.conflict'], words.finish.conflict({ paths: landed.paths }));
  bench.tell(words.finish.committed({ commit: landing.commit.slice(0, 12), branch }));
  return null;
}

/** After home has moved: everything that was only needed on the way goes. The session file is the last. */
export async function tidyUp(bench: Bench, landing: Landing): Promise<WorkflowReport> {
  const { place, session } = bench;
  if (landing.choice !== 'none') {
    if (landing.choice === 'code') await removeWorkingDocuments(bench);
    await dropCandidate(place, session.slug);
  }
  if (place.hasGit && landing.commit === null)
    await leaveBranch(place, { branch: session.branch, origin: session.harness.origin }, { drop: true });
  if (place.hasGit) await restoreSetAside(bench);
  recordLanding(place, session, landing.commit, verifiedTrailer(session));
  await removeSession(place);
  const verified = landing.commit !== null && failedLayers(session).length === 0;
  return { outcome: verified ? 'verified' : 'complete', reasons: [], exitCode: EXIT.done, commit: landing.commit, message: '' };
}

/** Documents that are in the commit stay, and so does a spec that was there before; a path that the guard objects to stays as it is. */
async function removeWorkingDocuments(bench: Bench): Promise<void> {
  const { place, session, words } = bench;
  const objection = await guardDocuments(place, session.docs_path);
  if (objection !== null) return bench.warn(words.finish.guard({ path: session.docs_path, why: objection }));
  bench.tell(words.finish.deleting({ path: session.docs_path }));
  await removeDocuments(place, session, OWN_DOCUMENTS);
}

async function restoreSetAside(bench: Bench): Promise<void> {
  const { place, session, words } = bench;
  const back = await giveBack(place, session.slug);
  if (back === null) return;
  if (back.restored) bench.tell(words.setup.restored);
  else bench.warn(words.setup.notRestored({ detail: back.detail }));
}

/**
 * The first line of a commit: what was done. The implementer's own sentence where it gave one, since the task says what was wanted; else the task. Pure.
 */
const LONGEST = 72;

/** `line`: what the implementer ended with, such as `changed 2 files — Round totals to cents`. */
export function commitSubject(task: string, line: string): string {
  const said = /^(?:changed|written|generated)\b.*? — (\S.*)$/i.exec(oneLine(line))?.[1];
  return shortened(said === undefined || said.length < SHORTEST ? oneLine(task) : capital(said.replace(/[.\s]+$/, '')));
}

/** Fewer letters say nothing. */
const SHORTEST = 12;

function oneLine(text: string): string {
  return cleanText(text).replace(/\s+/g, ' ').trim();
}

function capital(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

/** At a word where one ends near. */
function shortened(text: string): string {
  if (text.length <= LONGEST) return text;
  const cut = text.slice(0, LONGEST - 1);
  const space = cut.lastIndexOf(' ');
  return `${space > LONGEST / 2 ? cut.slice(0, space) : cut}…`;
}
