/** What can happen to a workflow, and what the machine is told besides. */
import type { Accepted, Asks, Candidate, Landing, QaVerdict, RunStyle, Step } from '../contract.ts';

export interface Rules {
  /** Sessions of the first format: no layer 2, and no layer 1 where their file has no `verify`. */
  legacy: { verify: boolean } | null;
}

/** What lies on the disk beside the state. */
export interface Facts {
  spec: boolean;
  changes: boolean;
  /** Whether the file that `conventions` names is there. */
  conventions: boolean;
  /** What the report of the evaluation says, for sessions whose state does not. */
  verdict: QaVerdict | null;
}

export type WorkflowEvent =
  /** Somebody left the session: whatever was under way is due again, and uses what it had left. */
  | { type: 'reopened' }
  /** A person chose to scan; so many scans have failed since. */
  | { type: 'scan.tried'; failed: number }
  /** The conventions that the session names are nowhere. */
  | { type: 'scan.reset' }
  | { type: 'scanned'; conventions: string }
  | { type: 'begin' }
  | { type: 'planned' }
  | { type: 'modified' }
  | { type: 'proceed' }
  | { type: 'generated'; candidate: Candidate }
  | { type: 'advance' }
  /** `tree`: what was looked at; `asks`: what a person is asked about. */
  | { type: 'checked'; result: 'PASS' | 'FAIL'; summary: string; tree: string; asks?: Asks | null }
  /** A person accepts changed tests, settings or dependencies as they were shown. */
  | { type: 'allow'; accepted: Accepted[] }
  /** They do not; `summary` says so to the implementer. */
  | { type: 'deny'; summary: string }
  | { type: 'continue' }
  | { type: 'propose'; path: string; at: string }
  | { type: 'proposed'; confidence: string }
  | { type: 'apply'; candidate: Candidate }
  | { type: 'reject' }
  | { type: 'evaluated'; verdict: QaVerdict; summary: string }
  /** `wish`: what the person who wants it fixed says about it. */
  | { type: 'fix'; wish?: string }
  | { type: 'accept' }
  | { type: 'finish'; landing: Landing }
  /** Home did not take it; a person chooses again. */
  | { type: 'landing.refused' }
  /** A person chose to stop at a gate. */
  | { type: 'stop' }
  /** A person names a step. */
  | { type: 'requested'; step: Exclude<Step, 'plan'>; style: RunStyle }
  /** A person takes an earlier session up again. */
  | { type: 'resumed'; facts: Facts };
export type EventType = WorkflowEvent['type'];
export type EventOf<Type extends EventType> = Extract<WorkflowEvent, { type: Type }>;
