/**
 * The code as it stands in a session: trees over the base, pinned under `refs/harness/workflow/<slug>`.
 *
 * 1. The output directory of the session and the harness's own state never belong to the code: they are taken out of every candidate.
 * 2. Sessions that were begun elsewhere have their code in the working tree; it becomes their candidate as it stands.
 */
import type { CaptureFinding, TreeEdit } from '../../domain/tree.ts';
import { pinCandidate, presentTree } from '../../kernel/flight/session-candidate.ts';
import { headOf } from '../../kernel/ground/head.ts';
import type { Place } from '../../kernel/place.ts';
import { usageError } from '../../domain/errors.ts';
import { checkObjects, type NamedObject } from '../../kernel/check-objects.ts';
import type { Candidate } from './contract.ts';
import { documentPath, readDocumentText } from './documents.ts';
import type { Session } from './session.ts';

/** The tree that work starts from. */
export function currentTree(session: Session): string {
  return session.harness.candidate?.tree ?? baseOf(session).tree;
}

export function baseOf(session: Session): { commit: string; tree: string } {
  const { base_commit, base_tree } = session.harness;
  if (base_commit === null || base_tree === null) throw new Error('the session has no base yet');
  return { commit: base_commit, tree: base_tree };
}

export async function keepCandidate(
  place: Place,
  session: Session,
  captured: { tree: string; findings: readonly CaptureFinding[] },
): Promise<Candidate> {
  const base = baseOf(session);
  const prefix = documentPath(session, '');
  const own = (await place.trees.diff(base.tree, captured.tree)).filter((change) => change.path.startsWith(prefix));
  const edits = own.map((change): TreeEdit =>
    change.from === null ? { path: change.path, kind: 'delete' } : { path: change.path, kind: 'entry', entry: change.from },
  );
  const tree = edits.length === 0 ? captured.tree : await place.trees.compose(captured.tree, edits);
  const message = `Workflow candidate: ${session.slug}`;
  const commit = await pinCandidate(place, session.slug, { tree, base: base.commit, message });
  return { tree, commit, findings: [...captured.findings] };
}

/** The tree with documents of the session in it, for roles that are told to read them. */
export async function withDocuments(place: Place, session: Session, tree: string, names: readonly string[]): Promise<string> {
  const edits: TreeEdit[] = [];
  for (const name of names) {
    const text = await readDocumentText(place, session, name);
    if (text !== null) edits.push({ path: documentPath(session, name), kind: 'write', content: text });
  }
  return edits.length === 0 ? tree : await place.trees.compose(tree, edits);
}

/** Gives a session without a base of its own one: the commit that is checked out, with the working tree as its candidate. */
export async function adoptBase(place: Place, session: Session): Promise<Session> {
  if (session.harness.base_commit !== null && session.harness.base_tree !== null) {
    await checkRecorded(place, session);
    return session;
  }
  const head = await headOf(place);
  if (head === null) throw new Error('there is no commit to start from');
  const based: Session = { ...session, harness: { ...session.harness, base_commit: head.commit, base_tree: head.tree } };
  const tree = await presentTree(place, head);
  if (tree === head.tree) return based;
  return { ...based, harness: { ...based.harness, candidate: await keepCandidate(place, based, { tree, findings: [] }) } };
}

const FIX = 'Put back what stood there, or remove the file and start the task again.';

/** The objects that the session names are there, and the tree of its base is that of its commit. */
async function checkRecorded(place: Place, session: Session): Promise<void> {
  const { base_commit, base_tree, candidate, landing } = session.harness;
  const file = place.documents.where('session');
  const named: NamedObject[] = [
    { field: 'harness.base_commit', value: base_commit, kind: 'commit' },
    { field: 'harness.base_tree', value: base_tree, kind: 'tree' },
    { field: 'harness.candidate.tree', value: candidate?.tree ?? null, kind: 'tree' },
    { field: 'harness.candidate.commit', value: candidate?.commit ?? null, kind: 'commit' },
    { field: 'harness.landing.commit', value: landing?.commit ?? null, kind: 'commit' },
  ];
  await checkObjects(place, 'session', named, FIX);
  if (base_commit === null || (await place.trees.of(base_commit)) !== base_tree)
    throw usageError(`${file}: harness.base_tree is not the tree of harness.base_commit.`, FIX);
}
