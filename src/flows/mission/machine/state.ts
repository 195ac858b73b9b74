/** A mission: its document, this command, and everything that can happen to them. */
import type { Reason } from '../../../domain/reasons.ts';
import type { Flight, FlightEnd } from '../../../domain/session.ts';
import type { DueStep } from '../../../kernel/flow.ts';
import type { FlightEvent, FlightStep } from '../../../kernel/flight/machine.ts';
import type { Claim, Issue, MissionState } from '../../../kernel/mission-schema.ts';
import type { Decision } from './decisions.ts';
import type { Plan } from './plan.ts';

export interface Running {
  mission: MissionState;
  run: { /** Decisions before this command. */ from: number };
}

export type OwnStep =
  | 'plan'
  | 'try proofs'
  | 'review'
  | 'decide'
  | 'debug'
  | 'convert'
  | 'resolve'
  | 'referee'
  | 'ask about candidate'
  | 'leave question'
  | 'look for merges'
  | 'ask about escalation'
  | 'wait'
  | 'prove'
  | 'smoke'
  | 'document'
  | 'curate';

export interface MissionStep extends DueStep {
  name: OwnStep | FlightStep | 'validate';
  session?: number;
  /** What it is about, where the state alone does not say. */
  feature?: string;
}

export type MissionEvent =
  | { type: 'planned'; plan: Plan }
  | { type: 'plan.refused'; remarks: string[]; told?: true }
  | { type: 'plan.tried'; notes: string[] }
  | { type: 'reviewed'; verdict: 'accept' | 'accept-with-notes' | 'reject'; text: string }
  /** `flights`: those that begin with it. */
  | { type: 'decided'; decision: Decision; flights: Flight[] }
  | { type: 'misdecided'; kind: 'ghost' | 'refused'; why: string }
  | { type: 'flown'; session: number; event: FlightEvent }
  | { type: 'dropped'; session: number; failure: { reason: Reason; message: string } }
  | {
      type: 'validated';
      session: number;
      holds: string | null;
      issues: Issue[];
      counts: Omit<MissionState['validator'], 'asked'>;
      unasked?: true;
    }
  | { type: 'settled'; session: number; end: FlightEnd; evidence: Attempt }
  | { type: 'refereed'; winner: number }
  | { type: 'merged'; features: string[] }
  | { type: 'debugged'; feature: string; cause: string }
  | { type: 'converted'; promoted: { issue: number; feature: string; title: string; claim: Claim; once?: true }[]; noted: number[] }
  | { type: 'resolved'; feature: string; claims: Claim[]; reason: string }
  | { type: 'unresolved'; feature: string; question: string }
  /** The question about it waits where people find it; whoever flies goes on. */
  | { type: 'candidate.told'; feature: string }
  | { type: 'candidate.answered'; feature: string; accepted: boolean; text: string | null; releases?: true }
  | { type: 'answered'; option: 'Try again' | 'Skip it' | 'End'; text: string | null }
  /** Until this moment; what is to be waited for longer goes on. */
  | { type: 'waited'; until: number }
  | { type: 'proved'; commit: string; tree: string }
  | { type: 'unproved'; claims: { id: string; why: string }[] }
  | { type: 'person.answered'; subject: string; tree: string; holds: boolean }
  | { type: 'smoked'; failure: string | null }
  | { type: 'documented'; features: string[] }
  | { type: 'curated' }
  | { type: 'granted'; name: string }
  | { type: 'edited'; features: MissionState['features']; claims: MissionState['claims'] }
  | { type: 'held.up'; reason: Reason; message: string; until: number | null }
  | { type: 'reopened' };

export interface Attempt {
  message: string;
  reasons: Reason[];
  conflict: string[] | null;
  /** The agent said that it cannot go on, and why. */
  blocked: string | null;
  outage: boolean;
  retryAt: number | null;
  /** Its work is kept as unfinished. */
  kept?: boolean;
}

export function newMission(spec: MissionState['spec'], harnessVersion: string, now: string): MissionState {
  return {
    schema_version: 1,
    harness_version: harnessVersion,
    spec,
    stage: 'planning',
    started_at: now,
    iteration: 0,
    features: [],
    claims: [],
    plan: { tries: 0, remarks: [], told: false },
    review: null,
    flights: [],
    validating: [],
    validated: [],
    candidates: [],
    kept: [],
    refused: 0,
    refusal: null,
    ghosts: 0,
    checkpoint: null,
    grants: [],
    debugged: {},
    question: null,
    later_questions: [],
    evidence: [],
    unfinished: [],
    conflicts: {},
    issues: [],
    answers: [],
    validator: { asked: 0, believed: 0, unquoted: 0, contradicted: 0 },
    escalation: null,
    wait: null,
    outages: 0,
    stop: null,
    documented: [],
    curated: false,
    smoked: false,
    proved: null,
    notes: [],
    shown: null,
  };
}
