/** The page about the machine, made by asking it: `npm run docs` writes it, the checks compare it. */
import { markdownTable, stateDiagram, type Edge } from './diagram.ts';
import { SPEC_PHASES, type SpecPhase } from '../../src/kernel/session-schema.ts';
import { dueSteps } from '../../src/flows/spec/machine/due.ts';
import { KNOWN_IN, transition, type SpecEvent, type SpecEventType } from '../../src/flows/spec/machine/machine.ts';
import { beginSpec, type SpecState } from '../../src/flows/spec/machine/state.ts';

export function generatedFiles(): Record<string, string> {
  return { 'docs/spec-machine.md': page() };
}

function page(): string {
  const edges = SPEC_PHASES.flatMap(edgesFrom);
  return `${[
    '# The machine of the spec',
    '',
    'Generated from `src/flows/spec/machine/machine.ts` by `npm run docs`: each event was given to the machine in each phase that knows it.',
    '',
    'Every event is one write of `.harness/state.json`. Opening a session sends `reopened`, which every phase knows and none is left by: after a crash the same',
    'command continues with what is due in the phase that is written.',
    '',
    ...stateDiagram(SPEC_PHASES[0], edges, ['critic_halted', 'completed']),
    '',
    '## What is due in each phase',
    '',
    'An unanswered question, a pause, an interrupt and a limit end the command; the step stays due. The analysts are steps in separate',
    'lanes: one that is written down is not sent out again.',
    '',
    ...markdownTable(
      ['phase', 'steps'],
      SPEC_PHASES.map((phase) => [`\`${phase}\``, dueIn(phase).join(', ')]),
    ),
  ].join('\n')}\n`;
}

function edgesFrom(phase: SpecPhase): Edge[] {
  const known = (Object.keys(KNOWN_IN) as SpecEventType[]).filter((type) => KNOWN_IN[type].includes(phase));
  const edges = known.flatMap((type) =>
    EXAMPLES[type].flatMap((event) =>
      states(phase).map((state) => ({ from: phase, to: transition(state, event).state.phase, label: type })),
    ),
  );
  return edges.filter((edge) => edge.from !== edge.to);
}

function dueIn(phase: SpecPhase): string[] {
  return [...new Set(states(phase).flatMap((state) => dueSteps(state).map((step) => `\`${step.name}\``)))];
}

/** Sessions of every kind that a phase can hold. */
function states(phase: SpecPhase): SpecState[] {
  const begun = beginSpec({
    task: 'an export',
    userLanguage: 'en',
    hasGit: true,
    createdAt: '',
    reference: null,
    wanted: { mode: null, model_config: null },
  });
  const critic = { applied: null, round: 0, last_findings_path: null, failure_reason: null };
  const extras: Partial<SpecState['harness']>[] = [
    {},
    { routed: true },
    { routed: true, named: true },
    { routed: true, named: true, model_confirmed: false },
    { questions: [QUESTION] },
    { findings: 'unparsed' },
    { findings: { critical: 1, major: 0, minor: 0 } },
    { analysts: [ANALYST] },
    { analysts: [ANALYST], finished_analyses: [ANALYSIS] },
  ];
  return ([null, 'quick', 'deep'] as const).flatMap((mode) =>
    ([null, 'pending', 'approved'] as const).flatMap((applied) =>
      extras.flatMap((extra) =>
        [null, MODEL].map((model_config) => ({
          ...begun,
          phase,
          mode,
          model_config,
          conventions: 'skipped' as const,
          critic: applied === null ? null : { ...critic, applied },
          harness: { ...begun.harness, ...extra },
        })),
      ),
    ),
  );
}

const MODEL = { preset: 'default' as const, executor: null, advisor: null, evaluator: null };
const QUESTION = { question: 'Who?', why: 'view' };
const ANALYST = { role: 'spec/risk-auditor', persona: 'risk auditor', file: 'analysis_risk.md' };
const ANALYSIS = { ...ANALYST, line: 'x' };

/** Each event in the forms that lead to different places. */
const EXAMPLES: { [Type in SpecEventType]: Extract<SpecEvent, { type: Type }>[] } = {
  reopened: [{ type: 'reopened' }],
  routed: [{ type: 'routed' }],
  named: [{ type: 'named', docs_path: 'docs/harness/x/', branch: null }],
  'mode.chosen': [{ type: 'mode.chosen', mode: 'deep' }],
  'model.chosen': [{ type: 'model.chosen', model: MODEL, confirmed: true }],
  'model.confirmed': [{ type: 'model.confirmed' }],
  'model.withdrawn': [{ type: 'model.withdrawn' }],
  'model.refused': [{ type: 'model.refused' }],
  placed: [{ type: 'placed', branch: null }],
  'scan.reopened': [{ type: 'scan.reopened' }],
  'scan.tried': [{ type: 'scan.tried', failed: 1 }],
  'scan.done': [{ type: 'scan.done', conventions: 'skipped' }],
  'questions.ready': [{ type: 'questions.ready', questions: [QUESTION], unreadable: false }],
  'questions.none': [{ type: 'questions.none' }],
  answered: [
    { type: 'answered', last: false },
    { type: 'answered', last: true },
  ],
  'generation.started': [{ type: 'generation.started' }],
  'analysts.sent': [{ type: 'analysts.sent', analysts: [ANALYST] }],
  'analyst.finished': [{ type: 'analyst.finished', analysis: ANALYSIS }],
  analysed: [{ type: 'analysed', analyses: [ANALYSIS], nothingFound: false }],
  'analyses.lost': [{ type: 'analyses.lost' }],
  synthesised: [{ type: 'synthesised', missing: [] }],
  'synthesis.failed': [{ type: 'synthesis.failed' }],
  'critic.failed': [{ type: 'critic.failed' }],
  'critic.unparsed': [{ type: 'critic.unparsed' }],
  'critic.counted': [
    { type: 'critic.counted', counts: { critical: 0, major: 0, minor: 1 } },
    { type: 'critic.counted', counts: { critical: 1, major: 0, minor: 0 } },
  ],
  'findings.lost': [{ type: 'findings.lost' }],
  'parse.approved': [{ type: 'parse.approved' }],
  'parse.stopped': [{ type: 'parse.stopped', hasFindings: true }],
  'revision.chosen': [{ type: 'revision.chosen', modification: null }],
  'critic.accepted': [{ type: 'critic.accepted' }],
  'critic.stopped': [{ type: 'critic.stopped' }],
  'recritic.entered': [{ type: 'recritic.entered' }],
  resynthesised: [{ type: 'resynthesised', missing: [] }],
  'resynthesis.failed': [{ type: 'resynthesis.failed' }],
  'gate.reached': [{ type: 'gate.reached' }],
  approved: [{ type: 'approved' }],
  modified: [{ type: 'modified', modification: 'shorter' }],
  'begun.again': [{ type: 'begun.again' }],
};
