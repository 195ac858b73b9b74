/**
 * What a flight is for, and where it flies.
 *
 * 1. A brief is made anew from the flight's base whenever a step needs it: nothing of it has to be remembered across a crash.
 * 2. Live things are hints: a step that finds none takes the way that needs none.
 */
import type { Feature } from '../../domain/feature.ts';
import type { Baseline } from '../../domain/session.ts';
import type { Session } from '../../session/contract.ts';
import type { Account } from '../books/books.ts';
import type { EvidenceCollector } from '../../verify/checks/evidence.ts';
import type { Spares } from '../../verify/run/furnished.ts';
import type { CleanRoomSet } from '../../workspace/clean-room.ts';
import type { AgentCopy } from '../../workspace/agent-copy.ts';
import type { RunHours } from '../hours/run-hours.ts';
import type { Place } from '../place.ts';
import type { Ears } from '../say/hear.ts';
import type { ReplyCollector } from '../roles/reply.ts';
import type { AgentPlace } from './agent-place.ts';
import type { Environment } from './environment.ts';
import type { SelfCheckBeside } from '../ground/self-check-beside.ts';
import type { CheckReport } from './check-report.ts';
import type { Sightings } from './screenshots.ts';

/** A commit, its tree, and the branch that stands at it. */
export interface Head {
  commit: string;
  tree: string;
  branch: string;
}

export interface Brief {
  /** Where the work starts from, and what it is compared with. */
  head: Head;
  /** The commit that the branch stands at, where unfinished work lies on it above `head`; what lands, lands there. */
  tip?: string;
  /** Which tests prove it; null: nothing new is to be proved, and all that holds has to hold afterwards. */
  feature: Feature | null;
  /** The kind of session: its model, and its name in the journal. `model`: another one, as the settings name it. */
  kind: string;
  model?: string;
  /**
   * The list in which the work claims to be done: what it says at the base, and what it says once the claim is accepted. Null: the agent claims
   * in its reply, which `reads` tells; no list is looked at or changed.
   */
  list: { path: string; text: string; accepted: string } | null;
  reads?(reply: string): { claims: boolean; message: string };
  /** What to build, in words. Asked when a conversation opens. */
  words(start: Start): Promise<Words>;
  /** Whether a captured tree claims to be done; not asked without a list. */
  claims(tree: string): Promise<boolean>;
  /** The work that an earlier session left, to start from; null: from the base. `marked`: where it does not fit the base, both sides are shown. */
  unfinished: { feature: number; marked?: boolean } | null;
  /** Refused work to repair, where nothing is unfinished. The list in it is set back first. */
  refused: { tree: string; base: string } | null;
  /** The verdict that refused the last claim of this feature. */
  refusedBy?: string | null;
  /** Features that were accepted before: old checkpoints of theirs may go. */
  completed: readonly number[];
  /** Features that are still open once this one is accepted. */
  open: number;
  /** Test files of all features that are still open: they need not run yet. */
  unwritten: readonly string[];
  /** Documents of the flow that a checkpoint keeps. */
  documents: readonly string[];
}

export interface Start {
  /** What the agent's copy holds. */
  startsFrom: string;
  /** What the quick checks said right before. */
  sanity: readonly CheckReport[];
}

export interface Words {
  /** `<flow>/<role>` */
  role: string;
  modelRole: string;
  system: string;
  prompt: string;
}

/** The rooms of the lanes that this process has used. */
export type LaneRooms = Map<string, CleanRoomSet>;

export interface FlightPlace extends Place {
  live: Live;
  laneRooms: LaneRooms;
  /** Absent: at any hour. */
  hours?: RunHours;
  /** Trusts no earlier test run. */
  noCache: boolean;
  /** Judged beside the sessions: whether verification holds in this test set-up. Absent: that is known. */
  beside?: SelfCheckBeside;
}

export interface Stash {
  commit: string;
  /** The command that brings it back. */
  restore: string;
}

/** What this process holds of its flights, by session. */
export type Live = Map<number, LiveFlight>;

export interface Conversation {
  session: Session;
  account: Account;
  evidence: EvidenceCollector;
  prompt: string;
  /** What people say to it. */
  ears: Ears;
  /** What the agent says in the turn that runs, or ran last. */
  reply: ReplyCollector;
  /** Pictures that the agent says it took, and what it saw on them. */
  sightings: Sightings;
}

export interface LiveFlight {
  copy: AgentCopy | null;
  /** What the copy held at the start: the base, or the work in progress. */
  startTree: string | null;
  agent: AgentPlace | null;
  environment: Environment | null;
  baseline: Baseline | null;
  sanity: readonly CheckReport[];
  conversation: Conversation | null;
  /** Folders for the runs of its verdict. */
  spares: Promise<Spares | null> | null;
  /** What is done once while its agent works. */
  chores: Promise<void> | null;
  /** Changes of the user's that were set aside for it. */
  stash: Stash | null;
}
