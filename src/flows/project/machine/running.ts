/** The state of a run: the document, what this command is about, and everything that can happen to them. */
import type { Outcome, Reason } from '../../../domain/reasons.ts';
import type { ProjectState } from '../../../domain/session.ts';
import type { Head } from '../../../kernel/flight/contract.ts';
import type { FlightStep } from '../../../kernel/flight/machine.ts';
import type { DueStep } from '../../../kernel/flow.ts';
import type { Outage } from '../steps/outage.ts';
import type { ProjectEvent } from './document.ts';
import type { SessionPlan } from './plan-session.ts';
import type { RunReport } from './run-report.ts';

/** What a session came to, before anybody has talked about it. */
export interface SessionReport {
  outcome: Outcome;
  reasons: Reason[];
  /** Null: no agent was started. */
  session: number | null;
  feature: number | null;
  base: string;
  branch: string;
  commit: string | null;
  verdict: string | null;
  message: string;
  /** Epoch milliseconds at which a usage limit ends. */
  retryAt: number | null;
  outage: boolean;
  /** Baseline tests that fail on home's HEAD. */
  broken: string[];
}

export interface Run {
  /** Sessions asked for; 0: only what is under way is brought to its end. */
  wanted: number;
  /** How many sessions may be under way at the same time. */
  lanes: number;
  cleanup: boolean;
  guarded: boolean;
  done: number;
  plan: { is: SessionPlan; head: Head } | null;
  /** The session that is to be talked about, and those that ended after it. */
  session: SessionReport | null;
  ended: readonly SessionReport[];
  /** What a person's decision about a candidate belongs to: the session that has just ended, or nothing of this run. */
  deciding: RunReport | null;
  decided: { kind: 'landed'; commit: string } | { kind: 'stale'; message: string } | null;
  /** What the run ends with once the checkpoint is restored. */
  returning: RunReport | null;
  returned: { saved_as: string; bring_back: string } | null;
  complete: RunReport | null;
  /** For an allowance, or for the end of an outage. */
  wait: { until: number | null; outage: boolean } | null;
  outage: Outage | null;
  /** How often another agent went on, where there is more than one. */
  switches: number;
  /** The last report about each feature that a session of this run left open. */
  left: readonly RunReport[];
  last: RunReport | null;
  end: RunReport | null;
}

export interface Running {
  project: ProjectState;
  run: Run;
}

export type Next =
  /** `again`: a person asked for another session at once; it does not count against the number asked for. */
  | { kind: 'session'; report: RunReport; retryAt: number | null; outage?: boolean; again?: boolean }
  /** Something was settled without a session. */
  | { kind: 'again' }
  /** Nobody has answered: it waits, and the run goes on with the rest. */
  | { kind: 'park' }
  | { kind: 'end'; report: RunReport }
  /** A person accepted a candidate: the flight that was begun for it says how it ends. */
  | { kind: 'deciding'; report: RunReport | null }
  | { kind: 'returning'; report: RunReport }
  /** All is done: somebody may want more. */
  | { kind: 'complete'; report: RunReport };

export type RunEvent =
  | Exclude<ProjectEvent, { type: 'dropped' }>
  | { type: 'dropped'; failure: { reason: Reason; message: string; broken: string[] } | null }
  /** What happened to one of the flights. */
  | { type: 'flown'; session: number; event: RunEvent }
  | { type: 'looked'; plan: SessionPlan; head: Head; changes: ProjectEvent[] }
  | { type: 'guarded' }
  /** What another process had asked for. */
  | { type: 'taken.up'; request: string; changes: ProjectEvent[] }
  /** A step of the flow's own has come to an end: what it changed, and how the run goes on. */
  | { type: 'done'; changes: ProjectEvent[]; next: Next }
  /** `outage`: as far as it has come; null: none, or one that lasts too long. */
  | { type: 'waited'; outage: Outage | null }
  | {
      type: 'returned';
      restored: ProjectState;
      session: number;
      checkpoint: string;
      before: number;
      commits: string[];
      saved_as: string;
      bring_back: string;
    };

export type OwnStep =
  | 'restore'
  | 'look'
  | 'guard'
  | 'talk'
  | 'wait'
  | 'finish'
  | 'offer more'
  | 'ask about candidate'
  | 'ask about escalation'
  | 'ask about exhaustion';

export interface ProjectStep extends DueStep {
  name: FlightStep | OwnStep;
  /** Of a flight's step. */
  session?: number;
}

export function beginRun(wish: Pick<Run, 'wanted' | 'cleanup'> & { lanes?: number; knownSound: boolean }): Run {
  const { wanted, cleanup, lanes = 1 } = wish;
  return {
    wanted,
    lanes,
    cleanup,
    guarded: wanted <= 1 || wish.knownSound,
    done: 0,
    plan: null,
    session: null,
    ended: [],
    deciding: null,
    decided: null,
    returning: null,
    returned: null,
    complete: null,
    wait: null,
    outage: null,
    switches: 0,
    left: [],
    last: null,
    end: null,
  };
}
