/**
 * The questions of the project flow: header, sentence, options and, for each option, the command that does the same by hand. One row
 * each. The handlers are in the flow's table; a label without a handler does not compile.
 *
 * 1. Labels are public: answers name them. The affirmative option stands first.
 * 2. `facts` are typed for each question, so that the same situation is always asked in the same words.
 * 3. An option is recommended only where taking it unasked can do no harm.
 */
import { counted, firstOf } from '../domain/counted.ts';
import type { Gate, GateAnswer } from '../domain/gate.ts';
import { gateIdOf } from '../domain/gate-id.ts';
import { dollarsShown } from '../domain/money.ts';
import { codes, foundIn, foundWords, setBackWords, subject, type AskedFinding } from './asked-finding.ts';
import { brokenWords, type BrokenFeature } from './broken-feature.ts';
import { INIT_QUESTIONS, type InitQuestionFacts } from './init-questions.ts';
import { selfCheckFound, type SelfCheckFacts } from './self-check-words.ts';

export interface ProjectGateFacts extends InitQuestionFacts {
  'project.stuck': { feature: number; sessions: number };
  'project.verification-failed': { feature: number; reasons: readonly string[] };
  'project.regression': { session: number; tests: readonly string[]; broken?: readonly BrokenFeature[] };
  'project.repeated-failures': { feature: number; failures: number };
  'project.sanity': { detail: string };
  'project.reset-failed': { detail: string };
  'project.budget': { scope: 'session' | 'feature' | 'project'; spent: number; budget: number };
  'project.cycle': { features: readonly number[] };
  'project.false-positives': { passing: number; total: number; failing: number };
  'project.large-feature': { feature: number; steps: number; limit: number };
  'project.features': { features: number };
  'project.split': { feature: number; parts: number; file: string; lines: readonly string[] };
  'project.tampering': { feature: number | null; findings: readonly AskedFinding[] };
  'project.dependencies': { feature: number | null; changes: readonly string[] };
  'project.manual-verify': { feature: number; description: string };
  'project.complete': { total: number };
  'project.override': { feature: number; passes: boolean };
  'project.abort': { project: string };
  'project.rollback': { checkpoint: string; files: number };
  'project.takeback': { feature: number; commits: number };
  'project.baseline-broken': { tests: readonly string[]; broken?: readonly BrokenFeature[] };
  'project.review': { feature: number | null; reasons: readonly string[]; findings?: readonly AskedFinding[] };
  /** `waits`: what each of the blocked ones waits for, in words. */
  'project.exhausted': { skipped: readonly number[]; blocked: readonly number[]; waits?: readonly string[] };
  'project.self-check': SelfCheckFacts;
  'project.hidden-tests': { model: string; usd: number | null };
  'project.issue-gone': { feature: number; issue: number };
}
export type ProjectGateId = keyof ProjectGateFacts;

export interface ProjectGateOption<Facts> {
  label: string;
  description: string;
  recommended?: boolean;
  /** Absent: always. */
  offered?: (facts: Facts) => boolean;
  /** What it has to be told in words. */
  asks?: readonly string[];
  /** The command that does the same by hand; null where only an answer can. */
  command: ((facts: Facts) => string) | null;
}

export interface ProjectGateRow<Facts> {
  /** Who acts on the answer: the run that was held up, or the command that asked. */
  by: 'run' | 'asker';
  /** Asks about what is the case now or was in the last session: a new session makes it pointless. */
  lapses?: true;
  /** One for each feature may wait. */
  several?: true;
  header: string;
  question: (facts: Facts) => string;
  options: readonly ProjectGateOption<Facts>[];
  /** What an answer in words alone stands for; absent: it is none. The words reach the next session. */
  words?: 'retry' | 'repair session' | 'reject' | 'failed' | 'propose again' | 'change list';
  nonNegotiable?: boolean;
}

const RETRY = { description: 'Start another session on it.', command: () => 'harness run' };
const RETRY_WITH_NOTE = { ...RETRY, description: 'Start another session on it; what you say with --text is in its prompt.' };
const BY_HAND = { description: 'Take over the working tree, then give it back.', command: () => 'harness handoff' };
const LOOK_AT_IT = (facts: { feature: number }): string => `harness manual-verify --feature ${facts.feature}`;
const ABORT = { label: 'Abort', description: 'End all work here; commits stay.', command: () => 'harness abort' } as const;
const ROLLBACK = {
  label: 'Rollback',
  description: 'Return to the last checkpoint.',
  command: () => 'harness checkpoints, then harness rollback <ID>',
} as const;
const SKIP = {
  label: 'Skip',
  description: 'Set the feature aside and go on with the next.',
  command: (facts: { feature: number }) => `harness skip --feature ${facts.feature} --reason "<why>"`,
} as const;
const INVESTIGATE = { label: 'Investigate', description: 'Look at the failing tests first.', command: () => 'harness health' } as const;
const SPLIT = {
  label: 'Split feature',
  description: 'An agent proposes smaller ones; you see the list before it changes. Wishes go with --text.',
  command: () => 'edit features.json, then harness run',
} as const;

const REPAIR = { label: 'Repair session', description: 'An agent repairs what failed, before anything new.', command: null } as const;

const ROWS = {
  'project.stuck': {
    by: 'run',
    several: true,
    header: 'Feature stuck',
    question: (facts) => `Feature #${facts.feature} is not finished after ${facts.sessions} sessions. What now?`,
    options: [SPLIT, { label: 'Manual implement', ...BY_HAND }, SKIP, ABORT, { label: 'Retry', ...RETRY_WITH_NOTE }],
    words: 'retry',
  },
  'project.verification-failed': {
    by: 'run',
    lapses: true,
    header: 'Verification failed',
    question: (facts) =>
      `The agent reported feature #${facts.feature} as done, but it could not be verified. What now?${codes(facts.reasons)}`,
    options: [
      { label: 'Retry session', ...RETRY, recommended: true },
      { label: 'Manual verify', description: 'Look at it yourself and record what you see.', command: LOOK_AT_IT },
      SKIP,
      ABORT,
    ],
    words: 'retry',
  },
  'project.regression': {
    by: 'run',
    lapses: true,
    header: 'Regression',
    question: (facts) =>
      `Session ${facts.session} breaks ${counted(facts.tests.length, 'test')} that passed before: ${firstOf(facts.tests)}.${brokenWords(facts.broken)} What now?`,
    options: [
      { ...ROLLBACK, recommended: true },
      { label: 'Manual fix', ...BY_HAND },
      ABORT,
      { label: 'Retry', ...RETRY_WITH_NOTE },
      INVESTIGATE,
    ],
    words: 'retry',
  },
  'project.repeated-failures': {
    by: 'run',
    several: true,
    header: 'Repeated failures',
    question: (facts) => `Feature #${facts.feature} was refused ${facts.failures} times in a row. What now?`,
    options: [{ label: 'Retry', ...RETRY }, SKIP, { label: 'Manual fix', ...BY_HAND }, ABORT],
    words: 'retry',
  },
  'project.sanity': {
    by: 'run',
    lapses: true,
    header: 'Sanity check',
    question: (facts) => `The application fails on the branch, before any session: ${facts.detail}. What now?`,
    options: [{ label: 'Retry', ...RETRY }, ROLLBACK, { label: 'Manual fix', ...BY_HAND }, ABORT, REPAIR],
  },
  'project.reset-failed': {
    by: 'run',
    lapses: true,
    header: 'Reset failed',
    question: (facts) => `The environment could not be brought back to a clean state: ${facts.detail}. What now?`,
    options: [{ label: 'Manual fix environment', description: 'Repair it, then run again.', command: () => 'harness run' }, ABORT],
  },
  'project.budget': {
    by: 'run',
    lapses: true,
    header: 'Budget',
    question: (facts) => `The ${facts.scope} has cost ${dollarsShown(facts.spent)}, the limit is ${dollarsShown(facts.budget)}. What now?`,
    options: [
      {
        label: 'Increase budget',
        description: 'Set the limit in .harness.yaml to the amount you give with --text; without one it is doubled.',
        command: (facts) => `raise ${BUDGET_KEYS[facts.scope]} in .harness.yaml, then harness run`,
      },
      { label: 'Pause', description: 'Stop here and keep the state.', recommended: true, command: () => 'harness pause' },
      ABORT,
    ],
  },
  'project.cycle': {
    by: 'run',
    lapses: true,
    header: 'Dependency cycle',
    question: (facts) => `Features ${facts.features.map((id) => `#${id}`).join(' → ')} wait for each other. What now?`,
    options: [
      {
        label: 'Edit features.json',
        description: 'Break the circle in depends_on.',
        recommended: true,
        command: () => 'edit features.json, then harness run',
      },
      {
        label: 'Skip both',
        description: 'Set the features of the circle aside.',
        command: (facts) => [...new Set(facts.features)].map((id) => `harness skip --feature ${id} --reason "cycle"`).join(' && '),
      },
      ABORT,
    ],
  },
  'project.false-positives': {
    by: 'run',
    header: 'Claims without proof',
    question: (facts) =>
      `${facts.passing} of ${facts.total} features are recorded as passing, and ${counted(facts.failing, 'test')} of the suite ${facts.failing === 1 ? 'fails' : 'fail'}. What now?`,
    options: [
      { label: 'Reset false positives', description: 'Set features whose test fails back to open.', recommended: true, command: null },
      INVESTIGATE,
      ABORT,
    ],
  },
  'project.large-feature': {
    by: 'run',
    several: true,
    header: 'Large feature',
    question: (facts) =>
      facts.steps > facts.limit
        ? `Feature #${facts.feature} has ${facts.steps} verification steps; more than ${facts.limit} rarely fit in one session. What now?`
        : `Feature #${facts.feature} is estimated xlarge; that rarely fits in one session. What now?`,
    options: [SPLIT, { label: 'Proceed anyway', description: 'Try it as it is.', command: null }, SKIP],
    words: 'retry',
  },
  'project.hidden-tests': {
    by: 'asker',
    header: 'Hidden tests',
    question: ({ model, usd }) =>
      `Hidden tests can be written for each feature, by ${model}${usd === null ? '' : ` for about $${usd.toFixed(2)} a feature`}. Agents never see them, and work that fails them needs your review. Switch them on?`,
    options: [
      { label: 'Switch on', description: 'They are written from now on.', command: null },
      { label: 'Keep off', description: 'Nothing changes; verification.examiner: on switches them on later.', command: null },
    ],
    nonNegotiable: true,
  },
  'project.issue-gone': {
    by: 'asker',
    several: true,
    header: 'GitHub issue gone',
    question: ({ feature, issue }) => `GitHub issue ${issue} of feature #${feature} was deleted or moved away. Create it again?`,
    options: [
      { label: 'Create again', description: 'The next sync creates a new issue for the feature.', command: null },
      { label: 'Skip for good', description: 'The feature stays without an issue.', command: null },
    ],
  },
  'project.features': {
    by: 'asker',
    header: 'Feature list',
    question: (facts) =>
      `The agent proposes ${counted(facts.features, 'feature')}, in the order in which they can be built. Take this list?`,
    options: [
      { label: 'Accept list', description: 'It becomes the list of the project, in the first commit.', recommended: true, command: null },
      { label: 'Change list', description: 'The agent changes it as you say.', asks: ['What should be different?'], command: null },
      { label: 'Stop', description: 'Nothing of it is taken; the project stays as it is.', command: null },
    ],
    words: 'change list',
  },
  ...INIT_QUESTIONS,
  'project.split': {
    by: 'run',
    several: true,
    header: 'Split',
    question: (facts) =>
      `Feature #${facts.feature} would be replaced by ${facts.parts} smaller ones. To change something first, edit ${facts.file}.\n${facts.lines.join('\n')}\nApply it?`,
    options: [
      {
        label: 'Apply split',
        description: 'The list changes as shown, or as the edited file says, in a separate commit.',
        command: null,
      },
      { label: 'Propose again', description: 'The agent proposes another split; say with --text what should be different.', command: null },
      { label: 'Keep feature', description: 'The list stays as it is; work goes on with the whole feature.', command: null },
    ],
    words: 'propose again',
    nonNegotiable: true,
  },
  'project.tampering': {
    by: 'asker',
    several: true,
    header: 'Integrity',
    question: (facts) => `${subject(facts.feature)}: ${foundWords(facts.findings)}. ${setBackWords(facts.findings)}Accept anyway?`,
    options: [
      { label: 'Accept', description: 'It is fine: commit exactly the tree that was judged, with these changes.', command: null },
      { label: 'Reject', description: 'Reject the work; the next session tries again.', command: null },
    ],
    nonNegotiable: true,
    words: 'reject',
  },
  'project.dependencies': {
    by: 'asker',
    several: true,
    header: 'Dependencies changed',
    question: (facts) => `${subject(facts.feature)} changes dependencies: ${firstOf(facts.changes)}. Accept them?`,
    options: [
      { label: 'Accept', description: 'The dependencies are fine: install them and judge the work with them.', command: null },
      { label: 'Reject', description: 'Reject the work; the next session tries without them.', command: null },
    ],
    nonNegotiable: true,
    words: 'reject',
  },
  'project.manual-verify': {
    by: 'asker',
    several: true,
    header: 'Manual verification',
    question: (facts) => `Feature #${facts.feature} needs manual verification: ${facts.description}. Does it work?`,
    options: [
      { label: 'Passed', description: 'You saw everything on the list work.', command: LOOK_AT_IT },
      { label: 'Failed', description: 'Something does not work; say what in your own words.', command: null },
    ],
    nonNegotiable: true,
    words: 'failed',
  },
  'project.complete': {
    by: 'asker',
    header: 'All features verified',
    question: (facts) => `All ${facts.total} features are verified. What now?`,
    options: [
      { label: 'Maintenance mode', description: 'Verify again on an interval and on new commits until harness stop.', command: null },
      { label: 'Add features', description: 'Add more to the list.', command: () => 'harness add-feature "<what a user can do>"' },
      { label: 'Exit', description: 'Done.', recommended: true, command: null },
    ],
  },
  'project.override': {
    by: 'asker',
    header: 'Override',
    question: (facts) =>
      `This records feature #${facts.feature} as ${facts.passes ? 'passing' : 'not passing'} without any proof. Go ahead?`,
    options: yesOrNo('Record it.', 'Leave it as it is.'),
    nonNegotiable: true,
  },
  'project.abort': {
    by: 'asker',
    header: 'Abort',
    question: (facts) => `This ends all work on ${facts.project} and clears the harness state; commits stay. Go ahead?`,
    options: yesOrNo('End it.', 'Keep everything.'),
    nonNegotiable: true,
  },
  'project.rollback': {
    by: 'asker',
    header: 'Rollback',
    question: (facts) =>
      `Return to checkpoint ${facts.checkpoint}? ${counted(facts.files, 'file')} would change; what is here now is saved first.`,
    options: yesOrNo('Restore it.', 'Leave everything as it is.', true),
  },
  'project.takeback': {
    by: 'asker',
    header: 'Takeback',
    question: (facts) =>
      `After ${counted(facts.commits, 'commit')} of yours, feature #${facts.feature} passes its checks. Record it as done?`,
    options: yesOrNo('Record it.', 'Leave it open.', true),
  },
  'project.baseline-broken': {
    by: 'run',
    lapses: true,
    header: 'Baseline broken',
    question: (facts) =>
      `${counted(facts.tests.length, 'test')} that passed before ${facts.tests.length === 1 ? 'fails' : 'fail'} on the current commit: ${firstOf(facts.tests)}.${brokenWords(facts.broken)} Repair first?`,
    options: [
      { label: 'Repair session', description: 'An agent repairs what broke, before anything new.', recommended: true, command: null },
      ABORT,
      INVESTIGATE,
      { label: 'Skip', description: 'Set the broken features aside; what depends on them is worked on anyway.', command: null },
    ],
    words: 'repair session',
  },
  'project.review': {
    by: 'asker',
    several: true,
    header: 'Review',
    question: (facts) =>
      `${facts.feature === null ? 'The work' : `Feature #${facts.feature}`} needs review${foundIn(facts.findings)}. Accept it?${codes(facts.reasons)}`,
    options: [
      { label: 'Accept', description: 'Commit exactly the tree that was judged.', command: null },
      {
        label: 'Accept and release these tests',
        description: 'Commit it; the earlier test versions that fail stop counting.',
        offered: (facts) => facts.reasons.includes('accepted.failed'),
        command: null,
      },
      { label: 'Reject', description: 'Reject the work; the next session tries again.', command: null },
    ],
    nonNegotiable: true,
    words: 'reject',
  },
  'project.exhausted': {
    by: 'run',
    lapses: true,
    header: 'Nothing left to work on',
    question: (facts) =>
      `Only skipped features are left (${firstOf(facts.skipped.map((id) => `#${id}`))})${facts.blocked.length === 0 ? '' : `, and features that depend on them (${firstOf(facts.waits ?? facts.blocked.map((id) => `#${id}`))})`}. What now?`,
    options: [
      {
        label: 'Edit features.json',
        description: 'Change dependencies or the list, then go on.',
        command: () => 'edit features.json, then harness run',
      },
      { label: 'Manual implement', ...BY_HAND },
      ABORT,
      {
        label: 'Unblock dependents',
        description: 'Work on what waits for the features that are set aside, without them.',
        command: (facts) => facts.skipped.map((id) => `harness skip --feature ${id} --unblock`).join(' && '),
      },
    ],
  },
  'project.self-check': {
    by: 'asker',
    header: 'Self-check',
    question: (facts) => `${selfCheckFound(facts)} Run unattended anyway?`,
    options: [
      { label: 'Accept the risk', description: 'Continue; the question returns when the test set-up changes.', command: null },
      { label: 'Stop', description: 'Repair the test set-up first.', command: () => 'harness doctor --verify' },
    ],
    nonNegotiable: true,
  },
} as const satisfies { readonly [Id in ProjectGateId]: ProjectGateRow<ProjectGateFacts[Id]> };

export const PROJECT_GATES: { readonly [Id in ProjectGateId]: ProjectGateRow<ProjectGateFacts[Id]> } = ROWS;

type Rows = typeof ROWS;
type LabelOf<Id extends ProjectGateId> = Rows[Id]['options'][number]['label'];
type EscalationId = { [Id in ProjectGateId]: Rows[Id]['by'] extends 'run' ? Id : never }[ProjectGateId];

/** Every option that a run has to carry out, in lower case, as answers are compared. */
export type EscalationLabel = Lowercase<LabelOf<EscalationId>>;

/** Whether the answer to this question is this option of it. */
export function isChosen<Id extends ProjectGateId>(_gate: Id, label: LabelOf<Id>, answer: Pick<GateAnswer, 'option'>): boolean {
  return answer.option?.toLowerCase() === label.toLowerCase();
}

/** The questions that a new session makes pointless. */
export const LAPSING_GATES: readonly ProjectGateId[] = (Object.keys(PROJECT_GATES) as ProjectGateId[]).filter(
  (id) => PROJECT_GATES[id].lapses === true,
);

export function projectGate<Id extends ProjectGateId>(
  id: Id,
  facts: ProjectGateFacts[Id],
  context: readonly string[] = [],
): Omit<Gate, 'asked_at'> {
  const row: ProjectGateRow<ProjectGateFacts[Id]> = PROJECT_GATES[id];
  const options = row.options.filter(({ offered }) => offered === undefined || offered(facts));
  return {
    id: questionId(id, featureIn(facts)),
    header: row.header,
    question: row.question(facts),
    options: options.map((option) => ({
      label: option.label,
      description: option.description,
      recommended: option.recommended ?? false,
      ...(option.asks === undefined ? {} : { asks: [...option.asks] }),
    })),
    non_negotiable: row.nonNegotiable ?? false,
    words: row.words === undefined ? false : WORDS_MEAN[row.words],
    context: [...context],
  };
}

/** The id of a question of this kind about this feature. */
export function questionId(gate: string, feature: number | null): string {
  return gateIdOf(gate, Object.hasOwn(PROJECT_GATES, gate) && PROJECT_GATES[gate as ProjectGateId].several === true ? feature : null);
}

function featureIn(facts: object): number | null {
  return 'feature' in facts && typeof facts.feature === 'number' ? facts.feature : null;
}

export const WORDS_MEAN: Readonly<Record<NonNullable<ProjectGateRow<unknown>['words']>, string>> = {
  'propose again': 'The agent proposes another split, with your words.',
  'change list': 'The agent changes the list, with your words.',
  retry: 'Another session tries, and your words are in its prompt.',
  'repair session': 'A session repairs it, and your words are in its prompt.',
  reject: 'The work is rejected, and your words are in the prompt of the next session.',
  failed: 'It does not work yet, and your words are in the prompt of the next session.',
};

export const BUDGET_KEYS = {
  session: 'costs.per_session_usd',
  feature: 'costs.per_feature_usd',
  project: 'costs.total_project_usd',
} as const;

function yesOrNo(yes: string, no: string, recommended = false) {
  return [
    { label: 'Yes', description: yes, recommended, command: null },
    { label: 'No', description: no, command: null },
  ] as const satisfies readonly ProjectGateOption<unknown>[];
}
