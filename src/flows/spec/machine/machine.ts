/**
 * The spec machine: a pure function from (state, event) to the next state and what follows.
 *
 * 1. Every event is one write of the document; fields that belong together change together.
 * 2. An event in a phase that does not know it is a defect and throws.
 * 3. What follows a write is what the recovery table says about the written state, so a crash right after it changes nothing.
 * 4. The critic's round goes from 0 to 1 once and never back, except that a modification of the finished spec starts anew.
 * 5. `critic.applied` alone says whether the critic is done with.
 */
import { SPEC_PHASES, type SpecPhase } from '../../../kernel/session-schema.ts';
import { entryPoint, type Step } from './resume.ts';
import {
  answeredRounds,
  FINDINGS_PATH,
  LAST_ROUND,
  type Analysis,
  type Analyst,
  type Counts,
  type CriticState,
  type FailureReason,
  type ModelChoice,
  type Question,
  type SpecMode,
  type SpecState,
} from './state.ts';

type Happening =
  /** Somebody left the session: whatever was under way is due again, and finds what it had left. */
  | { type: 'reopened' }
  | { type: 'routed' }
  | { type: 'named'; docs_path: string; branch: string | null }
  | { type: 'mode.chosen'; mode: SpecMode }
  /** A choice in a person's own words is shown before it counts. */
  | { type: 'model.chosen'; model: ModelChoice; confirmed: boolean }
  | { type: 'model.confirmed' }
  | { type: 'model.withdrawn' }
  | { type: 'model.refused' }
  | { type: 'placed'; branch: string | null; origin?: string | null }
  /** A session of an older version, or one whose conventions file is gone. */
  | { type: 'scan.reopened' }
  /** A person chose to scan; so many scans have failed since. */
  | { type: 'scan.tried'; failed: number }
  | { type: 'scan.done'; conventions: NonNullable<SpecState['conventions']> }
  | { type: 'questions.ready'; questions: Question[]; unreadable: boolean }
  | { type: 'questions.none' }
  | { type: 'answered'; last: boolean }
  | { type: 'generation.started' }
  | { type: 'analysts.sent'; analysts: Analyst[] }
  /** One of several is done; what becomes of the others does not send it out again. */
  | { type: 'analyst.finished'; analysis: Analysis }
  | { type: 'analysed'; analyses: Analysis[]; nothingFound: boolean }
  | { type: 'analyses.lost' }
  | { type: 'synthesised'; missing: string[] }
  | { type: 'synthesis.failed' }
  | { type: 'critic.failed' }
  | { type: 'critic.unparsed' }
  | { type: 'critic.counted'; counts: Counts }
  | { type: 'findings.lost' }
  | { type: 'parse.approved' }
  | { type: 'parse.stopped'; hasFindings: boolean }
  | { type: 'revision.chosen'; modification: string | null }
  | { type: 'critic.accepted' }
  | { type: 'critic.stopped' }
  | { type: 'recritic.entered' }
  | { type: 'resynthesised'; missing: string[] }
  | { type: 'resynthesis.failed' }
  | { type: 'gate.reached' }
  | { type: 'approved' }
  | { type: 'modified'; modification: string }
  /** A person wants a halted session to go on with the answers that were given. */
  | { type: 'begun.again' };

/** Every event may bring the language of the person's last words. */
export type SpecEvent = Happening & { user_lang?: string };
export type SpecEventType = Happening['type'];

export interface Transition {
  state: SpecState;
  actions: [Step];
}

/** Where each event may happen. */
export const KNOWN_IN: Readonly<Record<SpecEventType, readonly SpecPhase[]>> = {
  reopened: SPEC_PHASES,
  routed: ['setup'],
  named: ['setup'],
  'mode.chosen': ['setup'],
  'model.chosen': ['setup'],
  'model.refused': ['setup'],
  'model.confirmed': ['setup'],
  'model.withdrawn': ['setup'],
  placed: ['setup'],
  'scan.reopened': ['qa_active', 'qa_complete', 'gen_ready'],
  'scan.tried': ['convention_scan_active'],
  'scan.done': ['convention_scan_active'],
  'questions.ready': ['qa_active'],
  'questions.none': ['qa_active'],
  answered: ['qa_active'],
  'generation.started': ['qa_complete'],
  'analysts.sent': ['gen_ready'],
  'analyst.finished': ['gen_ready'],
  analysed: ['gen_ready'],
  'analyses.lost': ['gen_ready'],
  synthesised: ['gen_ready'],
  'synthesis.failed': ['gen_ready'],
  'critic.failed': ['critic_active', 're_critic_active'],
  'critic.unparsed': ['critic_active', 're_critic_active'],
  'critic.counted': ['critic_active', 're_critic_active'],
  'findings.lost': ['critic_active', 're_critic_active'],
  'parse.approved': ['critic_active', 're_critic_active'],
  'parse.stopped': ['critic_active', 're_critic_active'],
  'revision.chosen': ['critic_active'],
  'critic.accepted': ['critic_active', 're_critic_active'],
  'critic.stopped': ['re_critic_active'],
  'recritic.entered': ['critic_active'],
  resynthesised: ['re_synthesis_active'],
  'resynthesis.failed': ['re_synthesis_active'],
  'gate.reached': ['critic_complete', 'critic_active'],
  approved: ['spec_ready'],
  modified: ['spec_ready'],
  'begun.again': ['critic_halted'],
};

export function transition(state: SpecState, event: SpecEvent): Transition {
  if (!KNOWN_IN[event.type].includes(state.phase)) throw new Error(`the event ${event.type} cannot happen in phase ${state.phase}`);
  const next = apply({ ...state, user_lang: event.user_lang ?? state.user_lang }, event);
  return { state: next, actions: [entryPoint(next)] };
}

const NO_ANALYSES = { analysts: null, finished_analyses: [], analyses: null };

type Change = Partial<Omit<SpecState, 'harness'>> & { harness?: Partial<SpecState['harness']> };

function apply(state: SpecState, event: SpecEvent): SpecState {
  const to = (change: Change): SpecState => ({ ...state, ...change, harness: { ...state.harness, ...change.harness } });
  switch (event.type) {
    case 'reopened':
      return state;
    case 'routed':
      return to({ harness: { routed: true } });
    case 'named':
      return to({ docs_path: event.docs_path, branch: event.branch, harness: { named: true } });
    case 'mode.chosen':
      return to({ mode: event.mode });
    case 'model.chosen':
      return to({ model_config: event.model, harness: { model_confirmed: event.confirmed } });
    case 'model.confirmed':
      return to({ harness: { model_confirmed: true } });
    case 'model.withdrawn':
      return to({ model_config: null });
    case 'model.refused':
      return to({ harness: { model_tries: state.harness.model_tries + 1 } });
    case 'placed':
      return to({
        phase: 'convention_scan_active',
        branch: event.branch,
        harness: { placed: true, origin: event.origin ?? state.harness.origin },
      });
    case 'scan.reopened':
      return to({ phase: 'convention_scan_active', conventions: null, harness: { saved_phase: state.phase, failed_scans: null } });
    case 'scan.tried':
      return to({ harness: { failed_scans: event.failed } });
    case 'scan.done':
      return to({
        phase: state.harness.saved_phase ?? 'qa_active',
        qa_round: state.qa_round ?? 1,
        conventions: event.conventions,
        harness: { saved_phase: null },
      });
    case 'questions.ready':
      return to({
        qa_round: Math.min(answeredRounds(state) + 1, LAST_ROUND),
        harness: { questions: event.questions, questions_unreadable: event.unreadable, answered_rounds: answeredRounds(state) },
      });
    case 'questions.none':
      return to({ phase: 'qa_complete', harness: { questions: null } });
    case 'answered': {
      const answered = state.qa_round ?? 1;
      const phase = event.last || answered >= LAST_ROUND ? 'qa_complete' : 'qa_active';
      return to({ phase, harness: { questions: null, questions_unreadable: false, answered_rounds: answered } });
    }
    case 'generation.started':
      return to({ phase: 'gen_ready', harness: NO_ANALYSES });
    case 'analysts.sent':
      return to({ harness: { analysts: event.analysts, finished_analyses: [] } });
    case 'analyst.finished': {
      const others = state.harness.finished_analyses.filter((analysis) => analysis.role !== event.analysis.role);
      return to({ harness: { finished_analyses: [...others, event.analysis] } });
    }
    case 'analysed':
      return to({
        critic: event.nothingFound ? { applied: 'approved', round: 0, last_findings_path: null, failure_reason: null } : null,
        harness: { ...NO_ANALYSES, analyses: event.analyses, findings: null },
      });
    case 'analyses.lost':
      return to({ critic: null, harness: NO_ANALYSES });
    case 'synthesised':
      return draftWritten(state, event.missing, to);
    case 'synthesis.failed':
      return to({ phase: 'qa_complete' });
    case 'resynthesised':
      return to({
        phase: 're_critic_active',
        critic: critic(state, { applied: 'revised', round: 1 }),
        harness: { missing_sections: event.missing, findings: null },
      });
    case 'resynthesis.failed':
      return to({ phase: 'critic_halted', critic: critic(state, { failure_reason: 're_synthesis_failed' satisfies FailureReason }) });
    case 'revision.chosen':
      return to({
        phase: 're_synthesis_active',
        critic: critic(state, { applied: 'pending', last_findings_path: FINDINGS_PATH, failure_reason: null }),
        harness: { modification: joined(state.harness.modification, event.modification) },
      });
    case 'gate.reached':
      return to({ phase: 'spec_ready', harness: { modification: null } });
    case 'approved':
      return to({ phase: 'completed' });
    case 'modified':
      return to({ phase: 'qa_complete', critic: null, harness: { modification: event.modification, findings: null, analyses: null } });
    case 'begun.again':
      return to({ phase: 'qa_complete', critic: null, harness: { findings: null, ...NO_ANALYSES } });
    default:
      return applyCritic(state, event, to);
  }
}

type CriticEvent = Extract<
  SpecEvent,
  {
    type:
      | 'critic.failed'
      | 'critic.unparsed'
      | 'critic.counted'
      | 'findings.lost'
      | 'parse.approved'
      | 'parse.stopped'
      | 'critic.accepted'
      | 'critic.stopped'
      | 'recritic.entered';
  }
>;

function applyCritic(state: SpecState, event: CriticEvent, to: (change: Change) => SpecState): SpecState {
  const concluded = (path: string | null, failure: FailureReason | null): SpecState =>
    to({
      phase: 'critic_complete',
      critic: critic(state, { applied: 'approved', last_findings_path: path, failure_reason: failure }),
      harness: { findings: event.type === 'critic.counted' ? event.counts : state.harness.findings },
    });
  const halted = (path: string | null, failure: FailureReason): SpecState =>
    to({ phase: 'critic_halted', critic: critic(state, { last_findings_path: path, failure_reason: failure }) });
  switch (event.type) {
    case 'critic.failed':
      return concluded(null, 'dispatch_failed');
    case 'critic.unparsed':
      return to({ harness: { findings: 'unparsed' } });
    case 'critic.counted':
      if (event.counts.critical === 0 && event.counts.major === 0) return concluded(FINDINGS_PATH, null);
      return to({
        critic: critic(state, { applied: isSecondRound(state) ? 'revised' : 'pending', last_findings_path: FINDINGS_PATH }),
        harness: { findings: event.counts },
      });
    case 'findings.lost':
      return to({ critic: isSecondRound(state) ? state.critic : null, harness: { findings: null } });
    case 'parse.approved':
      return concluded(FINDINGS_PATH, 'parse_failed_approved');
    case 'parse.stopped':
      return halted(event.hasFindings ? FINDINGS_PATH : null, 'parse_failed_halted');
    case 'critic.accepted':
      return concluded(FINDINGS_PATH, null);
    case 'critic.stopped':
      return halted(FINDINGS_PATH, 'second_round_halted');
    case 'recritic.entered':
      return to({ phase: 're_critic_active', critic: critic(state, { applied: 'revised', round: 1 }), harness: { findings: null } });
  }
}

/** A person's words stay with every prompt until the spec is before that person again. */
function draftWritten(state: SpecState, missing: string[], to: (change: Change) => SpecState): SpecState {
  if (state.mode === 'deep' && state.critic?.applied !== 'approved')
    return to({ phase: 'critic_active', harness: { missing_sections: missing } });
  return to({ phase: 'spec_ready', harness: { missing_sections: missing, modification: null } });
}

function joined(earlier: string | null, later: string | null): string | null {
  return earlier === null || later === null ? (later ?? earlier) : `${earlier}\n\n${later}`;
}

function isSecondRound(state: SpecState): boolean {
  return state.phase === 're_critic_active';
}

function critic(state: SpecState, change: Partial<CriticState>): CriticState {
  return { applied: null, round: 0, last_findings_path: null, failure_reason: null, ...state.critic, ...change };
}
