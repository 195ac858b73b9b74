/**
 * Auto-fix: one proposal in a session, shown to a person, applied whole or not at all.
 *
 * 1. The patch is applied to the candidate, never to home. What was there before stays pinned (in git) or copied (outside).
 * 2. Every path of the patch passes the path check with the scope of the task before anything is applied.
 */
import { entriesByPath, pathSetOf } from '../../../domain/tree-index.ts';
import type { TreeEdit } from '../../../domain/tree.ts';
import { validatePath } from '../../../domain/validate-path.ts';
import { pinCandidate } from '../../../kernel/flight/session-candidate.ts';
import { scopeFilter } from '../../../kernel/ground/scope.ts';
import type { Bench } from '../bench.ts';
import { baseOf, currentTree, keepCandidate, withDocuments } from '../candidate.ts';
import type { Candidate } from '../contract.ts';
import { documentPath, OWN_DOCUMENTS, readDocumentText, readWorkFile, writeWorkFile } from '../documents.ts';
import { applyFilePatch, hasPatch, parsePatch, pathsOf, type FilePatch, namedPaths } from '../machine/patch.ts';
import { askRole, isStopped, type Stopped } from '../role-call.ts';
import { mustHave } from '../../../domain/must-have.ts';

const PATCH_FILE = 'auto_fix_patch.md';
/** As the state file names it. */
export const PATCH_PATH = `.harness/generator/${PATCH_FILE}`;

export interface Proposal {
  text: string;
  confidence: string;
  /** Whether there is anything to apply. */
  usable: boolean;
  /** Why it could not be applied, known before anybody is asked; null: it can. */
  objection: string | null;
}

/** The proposal that is there, or one that is made now. */
export async function proposal(bench: Bench): Promise<Proposal | Stopped> {
  const known = await readWorkFile(bench.place, 'generator', PATCH_FILE);
  const { confidence } = bench.session.harness;
  const made = known === null ? await propose(bench) : { text: known, confidence: confidence ?? confidenceIn(known) };
  return isStopped(made) ? made : { ...made, usable: hasPatch(made.text), objection: await objectionTo(bench, made.text) };
}

export function autofixModel(bench: Pick<Bench, 'session'>): string {
  return bench.session.model_config.advisor ?? 'opus';
}

async function propose(bench: Bench): Promise<{ text: string; confidence: string } | Stopped> {
  const { place, session } = bench;
  const answer = await askRole(bench, {
    role: 'auto-fix-proposer',
    variables: {
      spec_path: documentPath(session, 'spec.md'),
      changes_md_path: documentPath(session, 'changes.md'),
      verify_report_path: documentPath(session, 'verify_report.md'),
      failing_files_list: await failingFiles(bench),
      scope: session.scope,
      max_files: String(session.max_files),
      user_lang: session.user_lang,
    },
    model: autofixModel(bench),
    output: PATCH_FILE,
    tree: await withDocuments(place, session, currentTree(session), OWN_DOCUMENTS),
  });
  if (isStopped(answer)) return answer;
  await writeWorkFile(place, 'generator', PATCH_FILE, answer.text);
  return { text: answer.text, confidence: confidenceIn(answer.line) };
}

function confidenceIn(line: string | null): string {
  const word = /confidence: *(High|Medium|Low)\b/i.exec(line ?? '')?.[1]?.toLowerCase();
  return word === undefined ? 'Unknown' : `${word.charAt(0).toUpperCase()}${word.slice(1)}`;
}

async function failingFiles(bench: Bench): Promise<string> {
  const { place, session, words } = bench;
  const report = (await readDocumentText(place, session, 'verify_report.md')) ?? '';
  const files = pathSetOf(await place.trees.list(currentTree(session)));
  const { valid, refused } = namedPaths(report, files);
  for (const path of refused) bench.warn(words.autofix.pathDropped({ path }));
  if (valid.length === 0) bench.warn(words.autofix.noPaths);
  return valid.length === 0 ? '(none)' : valid.map((path) => `- \`${path}\``).join('\n');
}

export type Applied = { ok: true; candidate: Candidate } | { ok: false };

export async function applyProposal(bench: Bench, text: string): Promise<Applied> {
  const { place, session, words } = bench;
  const planned = await planPatch(bench, text);
  if ('objection' in planned) {
    bench.warn(planned.objection);
    return { ok: false };
  }
  bench.tell(words.autofix.applying({ paths: planned.paths.join(', ') }));
  await keepBefore(bench, planned.paths);
  const tree = await place.trees.compose(currentTree(session), planned.edits);
  return { ok: true, candidate: await keepCandidate(place, session, { tree, findings: session.harness.candidate?.findings ?? [] }) };
}

async function objectionTo(bench: Bench, text: string): Promise<string | null> {
  const planned = await planPatch(bench, text);
  return 'objection' in planned ? planned.objection : null;
}

/** What the patch comes to, whole, or why it cannot be applied. Changes nothing. */
async function planPatch(bench: Bench, text: string): Promise<{ paths: string[]; edits: TreeEdit[] } | { objection: string }> {
  const { session, words } = bench;
  const parsed = parsePatch(text);
  if (!parsed.ok) return { objection: words.autofix.failed({ why: parsed.reason }) };
  const paths = pathsOf(parsed.files);
  const inScope = scopeFilter(session.scope);
  for (const path of paths) {
    const checked = validatePath(path, 'diff_target', { inScope });
    if (checked.ok && checked.path === path && !path.startsWith(documentPath(session, ''))) continue;
    const reason = checked.ok ? bench.common.path.reasons.private : bench.common.path.reasons[checked.rule];
    return { objection: words.autofix.pathRefused({ path, why: reason }) };
  }
  const edits = await editsFor(bench, parsed.files);
  return typeof edits === 'string' ? { objection: words.autofix.failed({ why: edits }) } : { paths, edits };
}

/** All edits, or why there are none. */
async function editsFor({ place, session }: Bench, files: readonly FilePatch[]): Promise<TreeEdit[] | string> {
  const tree = currentTree(session);
  const entries = entriesByPath(await place.trees.list(tree));
  const edits: TreeEdit[] = [];
  for (const file of files) {
    const path = mustHave(file.to ?? file.from, 'a patch of a file names it');
    const entry = entries.get(path);
    if (entry !== undefined && entry.mode !== '100644' && entry.mode !== '100755') return `${path} is not a plain file`;
    const blob = entry === undefined ? null : await place.trees.readBlob(entry.oid);
    if (blob?.includes(0) === true) return `${path} is not a text file`;
    const applied = applyFilePatch(blob?.toString('utf8') ?? null, file);
    if (!applied.ok) return applied.reason;
    if (applied.content === null) edits.push({ path, kind: 'delete' });
    else edits.push({ path, kind: 'write', content: applied.content, mode: entry?.mode === '100755' ? '100755' : '100644' });
  }
  return edits;
}

async function keepBefore({ place, session }: Bench, paths: readonly string[]): Promise<void> {
  const tree = currentTree(session);
  if (place.hasGit) {
    const message = 'Before the auto-fix patch';
    await pinCandidate(place, session.slug, { tree, base: baseOf(session).commit, message, beside: 'before-auto-fix' });
    return;
  }
  for (const path of paths) {
    const content = await place.trees.read(tree, path);
    if (content === null) continue;
    await place.documents.folder('autofix_pre_apply').write(path, content);
  }
}
