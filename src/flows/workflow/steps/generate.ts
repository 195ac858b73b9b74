/**
 * From a spec to code: the plan of the lead, the advice on it, the implementation; or the implementation alone.
 *
 * 1. Advisors read the plan, never code. A retry asks the implementer alone, with the plan and the advice as they are.
 * 2. The implementer starts from the candidate that there is; what it leaves is captured and becomes the next one.
 */
import { fence } from '../../../domain/fence.ts';
import type { Bench } from '../bench.ts';
import { currentTree, keepCandidate, withDocuments } from '../candidate.ts';
import type { Candidate } from '../contract.ts';
import { documentPath, readDocumentText, readWorkFile, writeDocumentText, writeWorkFile } from '../documents.ts';
import { commandsText, conventionsText, clipped, LONGEST } from '../words/project-facts.ts';
import { askRole, askTogether, isStopped, type RoleRequest, type Stopped } from '../role-call.ts';
import { itemAt } from '../../../domain/items.ts';

const NOTHING = '(none)';
const FIRST_ROUND = '(First round)';

export async function generate(bench: Bench): Promise<Candidate | Stopped> {
  bench.tell(bench.words.generate.dispatching);
  if (bench.session.mode !== 'single') {
    const stopped = (await planImplementation(bench)) ?? (await adviseOnPlan(bench));
    if (stopped !== null) return stopped;
  }
  return await implement(bench);
}

/** The implementer alone: after a failed check. */
export function repair(bench: Bench): Promise<Candidate | Stopped> {
  return implement(bench);
}

async function planImplementation(bench: Bench): Promise<Stopped | null> {
  const { place, session, words } = bench;
  if ((await readWorkFile(place, 'generator', 'plan.md')) !== null) return null;
  const answer = await askRole(bench, {
    role: 'lead-developer',
    variables: {
      spec_content: await specText(bench),
      qa_feedback: await qaFeedback(bench),
      repo_name: session.repo_name,
      lang: session.lang,
      scope: session.scope,
      max_files: String(session.max_files),
      round_num: roundOf(session),
      commands: commandsText(session),
      conventions: await conventionsText(place, session),
      user_lang: session.user_lang,
    },
    model: session.model_config.executor,
    output: 'plan.md',
    tree: currentTree(session),
  });
  if (isStopped(answer)) return answer;
  await writeWorkFile(place, 'generator', 'plan.md', answer.text);
  bench.done(words.generate.plan({ line: answer.line ?? 'plan.md' }));
  return null;
}

const ADVISORS = {
  standard: [['combined-advisor', 'review_combined.md']],
  multi: [
    ['code-quality-advisor', 'review_code_quality.md'],
    ['test-stability-advisor', 'review_test_stability.md'],
  ],
} as const;

async function adviseOnPlan(bench: Bench): Promise<Stopped | null> {
  const { place, session, words } = bench;
  if (session.mode === 'single') return null;
  const advisors = ADVISORS[session.mode];
  const open: [string, string][] = [];
  for (const [role, file] of advisors) if ((await readWorkFile(place, 'generator', file)) === null) open.push([role, file]);
  const variables = {
    spec_content: await specText(bench),
    plan_content: await workText(bench, 'plan.md'),
    repo_name: session.repo_name,
    lang: session.lang,
    test_cmd: session.test_cmd ?? 'none',
    user_lang: session.user_lang,
  };
  const requests = open.map(([role, output]): RoleRequest => ({
    role,
    variables,
    model: session.model_config.advisor,
    output,
    tree: currentTree(session),
  }));
  const stopped = await askTogether(bench, requests, async (answer, at) => {
    await writeWorkFile(place, 'generator', itemAt(open, at)[1], answer.text);
    if (advisors.length === 1) bench.done(words.generate.review({ line: answer.line ?? itemAt(open, at)[1] }));
  });
  if (stopped === null && advisors.length > 1) bench.done(words.generate.reviews({ count: advisors.length }));
  return stopped;
}

async function implement(bench: Bench): Promise<Candidate | Stopped> {
  const { place, session, words } = bench;
  const tree = await withDocuments(place, session, currentTree(session), reportsFor(bench));
  const { role, variables } = await implementer(bench);
  const answer = await askRole(bench, {
    role,
    lane: 'implementer',
    variables: { ...variables, ...(await implementerVariables(bench)) },
    model: session.model_config.executor,
    output: 'changes.md',
    tree,
    keeps: 'tree',
  });
  if (isStopped(answer)) return answer;
  const candidate = await keepCandidate(place, session, answer.capture ?? { tree, findings: [] });
  await writeDocumentText(place, session, 'changes.md', answer.text);
  // Later tries and rounds repair what the first one did: its sentence is the one that tells of the whole.
  if ((await readWorkFile(place, 'planner', 'said.txt')) === null) await writeWorkFile(place, 'planner', 'said.txt', answer.line ?? '');
  const line = answer.line ?? documentPath(session, 'changes.md');
  bench.done(session.mode === 'single' ? line : words.generate.code({ line }));
  return candidate;
}

async function implementer(bench: Bench): Promise<Pick<RoleRequest, 'role' | 'variables'>> {
  const plan_content = await workText(bench, 'plan.md');
  switch (bench.session.mode) {
    case 'single':
      return { role: 'generator-single', variables: {} };
    case 'standard':
      return { role: 'implementation-standard', variables: { plan_content, advisor_review: await workText(bench, 'review_combined.md') } };
    case 'multi':
      return {
        role: 'implementation',
        variables: {
          plan_content,
          code_quality_review: await workText(bench, 'review_code_quality.md'),
          test_stability_review: await workText(bench, 'review_test_stability.md'),
        },
      };
  }
}

async function implementerVariables(bench: Bench): Promise<Record<string, string>> {
  const { place, session } = bench;
  return {
    spec_content: await specText(bench),
    qa_feedback: await qaFeedback(bench),
    verify_failure: await verifyFailure(bench),
    repo_name: session.repo_name,
    lang: session.lang,
    scope: session.scope,
    max_files: String(session.max_files),
    round_num: roundOf(session),
    commands: commandsText(session),
    conventions: await conventionsText(place, session),
    user_lang: session.user_lang,
  };
}

/** Reports that the implementer is told to read, in its copy. */
function reportsFor({ session }: Bench): string[] {
  const retry = retryOf(session);
  if (retry === null) return [];
  return [retry.layer === 1 ? 'verify_report.md' : 'qa_report.md'];
}

/** A person who asks for the code again after failed checks wants them repaired too. */
function retryOf({ harness, verify }: Bench['session']): Bench['session']['harness']['retry'] {
  return harness.retry ?? (verify.layer1_result === 'FAIL' ? { layer: 1, failure: harness.summary ?? '' } : null);
}

const LONGEST_REPORT = 6_000;

/** Which try it is, what failed, and the report itself as far as a prompt can hold it. */
async function verifyFailure({ place, session }: Bench): Promise<string> {
  const retry = retryOf(session);
  if (retry === null) return NOTHING;
  const name = retry.layer === 1 ? 'verify_report.md' : 'qa_report.md';
  const report = await readDocumentText(place, session, name);
  const tries = retry.layer === 1 ? session.verify.layer1_retries : session.verify.layer2_retries;
  const whose = retry.layer === 1 ? "the harness's own checks" : 'the evaluation';
  return [
    `This is retry ${tries} in round ${roundOf(session)}: ${whose} failed on your last version. Your files are as you left them; repair what failed.`,
    fence('failure', retry.failure),
    ...(report === null ? [] : [fence(name, report.slice(0, LONGEST_REPORT))]),
    `The whole report is in \`${documentPath(session, name)}\` in your copy.`,
  ].join('\n\n');
}

function roundOf({ round, max_rounds }: Bench['session']): string {
  return `${round} of ${max_rounds}`;
}

async function qaFeedback({ place, session }: Bench): Promise<string> {
  if (session.round <= 1) return FIRST_ROUND;
  const report = await readDocumentText(place, session, 'qa_report.md');
  const { wish } = session.harness;
  const parts = [
    ...(report === null ? [] : [fence('qa report', report)]),
    ...(wish === null ? [] : [fence('what the person wants', wish)]),
  ];
  return parts.length === 0 ? NOTHING : parts.join('\n\n');
}

async function specText({ place, session }: Bench): Promise<string> {
  return fence('spec', (await readDocumentText(place, session, 'spec.md')) ?? '');
}

async function workText({ place }: Bench, name: string): Promise<string> {
  const text = await readWorkFile(place, 'generator', name);
  return text === null ? NOTHING : fence(name, clipped(text, name.startsWith('review_') ? LONGEST.review : LONGEST.plan));
}
