/** One session looked at again: its record, its verdict with the evidence, and what it changed. */
import { usageError } from '../../../domain/errors.ts';
import type { Verdict } from '../../../domain/verdict.ts';
import { patchBetween } from '../../../kernel/ground/difference.ts';
import { describeVerdict } from '../../../prompts/describe-verdict.ts';
import { parkedId, waitingEntries } from '../machine/parked.ts';
import { isRoleRecord, type PastRecord } from '../../../kernel/books/sums.ts';
import type { Past } from './past.ts';
import { readJudgedTests, readVerdict } from '../../../kernel/flight/verdict-files.ts';
import type { Project } from '../project.ts';

export type SessionSubject = { session: number } | { feature: number } | { commit: string };

/** A test that did not pass, in the words of its run. */
interface FailedTest {
  id: string;
  status: string;
  message: string | null;
}

export interface SessionLook {
  session: number;
  feature: number | null;
  record: PastRecord;
  verdict: Verdict | null;
  /** The verdict in words; what the session said of itself where there is none. */
  words: string[];
  failed: FailedTest[];
  /** The question that waits because of this session. */
  question: string | null;
}

const MOST_FAILED = 50;

export async function lookAtSession(project: Project, past: Past, subject: SessionSubject): Promise<SessionLook> {
  const record = findRecord(past, subject);
  const verdict = record.verdict === null || record.verdict === undefined ? null : await readVerdict(project, record.verdict);
  const asked = waitingEntries(past.state).find(
    ({ pending, escalation }) =>
      pending?.session === record.session_id || (record.feature_id !== null && escalation?.feature === record.feature_id),
  );
  const id = asked === undefined ? null : parkedId(asked);
  return {
    session: record.session_id,
    feature: record.feature_id,
    record,
    verdict,
    words: verdict === null ? [record.message ?? `It ended as ${record.outcome}.`] : describeVerdict(verdict),
    failed: verdict === null ? [] : await failedTests(project, verdict),
    question: past.questions.some((one) => one.id === id) ? id : null,
  };
}

/** The number of the session that a person means. */
export function findSession(past: Past, subject: SessionSubject): number {
  return findRecord(past, subject).session_id;
}

/** For a feature the session that says most about how it stands: the last one that worked on it. */
function findRecord(past: Past, subject: SessionSubject): PastRecord {
  const own = past.sessions.filter((record) => !isRoleRecord(record));
  if ('session' in subject) {
    const found = past.sessions.find((record) => record.session_id === subject.session);
    if (found !== undefined) return found;
    throw usageError(`No session ${subject.session} has ended here.`, known(past));
  }
  if ('commit' in subject) {
    const found = own.find((record) => record.commit?.startsWith(subject.commit.toLowerCase()) === true);
    if (found !== undefined) return found;
    throw usageError(`No session of the harness made the commit ${subject.commit}.`, known(past));
  }
  if (!past.features.some((feature) => feature.id === subject.feature))
    throw usageError(`There is no feature #${subject.feature} in the list.`, 'harness features shows them all.');
  const found = own.findLast((record) => record.feature_id === subject.feature);
  if (found !== undefined) return found;
  throw usageError(`No session has worked on feature #${subject.feature} yet.`, 'harness run --dry-run shows what comes next.');
}

function known(past: Past): string {
  const [first, last] = [past.sessions[0], past.sessions.at(-1)];
  return first === undefined || last === undefined
    ? 'No session has ended here yet.'
    : `Sessions known here: ${first.session_id} to ${last.session_id}.`;
}

/** The tests that the verdict names, with what their runs said. */
async function failedTests(project: Project, verdict: Verdict): Promise<FailedTest[]> {
  const named = new Set(verdict.findings.filter((finding) => finding.weight !== 'warn').flatMap((finding) => finding.subjects));
  const found = new Map<string, FailedTest>();
  for (const test of await readJudgedTests(project, verdict.id)) {
    const isNamed = [...named].some(
      (subject) => subject === test.id || subject.startsWith(`${test.id} `) || subject.startsWith(`${test.id}:`),
    );
    if (test.status === 'passed' || !isNamed || found.has(test.id)) continue;
    found.set(test.id, { id: test.id, status: test.status, message: test.message ?? null });
  }
  return [...found.values()].slice(0, MOST_FAILED);
}

export interface SessionDifference {
  session: number;
  feature: number | null;
  base: string;
  tree: string;
  /** As `git diff` prints it, cleaned of control characters. */
  patch: string;
  /** Whether it is on the branch. */
  landed: boolean;
}

export async function differenceOfSession(project: Project, past: Past, subject: SessionSubject): Promise<SessionDifference> {
  const record = findRecord(past, subject);
  const verdict = record.verdict === null || record.verdict === undefined ? null : await readVerdict(project, record.verdict);
  const tree = record.commit ?? verdict?.candidate_tree ?? `refs/harness/candidates/${record.session_id}`;
  const base = record.commit === null || record.commit === undefined ? (verdict?.base_commit ?? `${tree}^`) : `${record.commit}^`;
  const patch = await patchBetween(project, base, tree);
  if (patch === null)
    throw usageError(
      `What session ${record.session_id} changed is no longer kept.`,
      'Work that was refused is kept for a while under refs/harness/candidates/.',
    );
  return {
    session: record.session_id,
    feature: record.feature_id,
    base,
    tree,
    patch,
    landed: record.commit !== null && record.commit !== undefined,
  };
}
