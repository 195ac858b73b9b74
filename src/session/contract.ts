/** What a session needs, and what it gives back. */
import type { AgentBackend, AgentTask } from '../agents/contract.ts';
import type { HarnessEvent } from '../domain/event.ts';
import type { Price } from '../domain/money.ts';
import type { Reason } from '../domain/reasons.ts';
import type { BudgetSettings } from './budget-monitor.ts';
import type { ClockSettings } from './clock-monitor.ts';
import type { ContextSettings } from './context-monitor.ts';
import type { ActionSettings } from './follow-actions.ts';
import type { Totals } from './ledger.ts';
import type { ProgressSettings } from './progress-monitor.ts';

export interface WatchSettings {
  context: ContextSettings;
  clock: ClockSettings;
  progress: Omit<ProgressSettings, 'windowTokens'>;
  budget: BudgetSettings;
  silenceMs: number;
  tickMs: number;
}

export interface SessionInput {
  backend: AgentBackend;
  task: AgentTask;
  price: Price | null;
  watch: WatchSettings;
  emit(event: HarnessEvent): void;
  /** Everything the agent said and everything its tools printed. */
  heard(text: string): void;
  /** The user's interrupt. */
  signal: AbortSignal;
  /** How the agent's actions are read for the log. */
  actions: ActionSettings;
  /** Requests and looks at the progress are told as well. */
  traces?: boolean;
  /** Waits while the readers of the events are behind; null when they are not. */
  drained?(): Promise<void> | null;
  /** A usage limit ends the session: another agent goes on. Absent: it is waited out. */
  leavesAtLimit?: boolean;
  /** Epoch milliseconds: a usage limit that lasts longer is not waited out. */
  endsBy?: number | undefined;
  /** What people say to the agent meanwhile. Absent: nobody is heard. */
  hearing?: Hearing;
  /** Called at each tick; a tick whose work is not done is not followed by another. */
  onTick?(): Promise<void>;
  /** Asked at each tick: has a person asked for a pause? */
  pauseRequested(): Promise<boolean>;
  /** Files changed in the workspace since the given time; asked only when a progress look is due. */
  changedFiles(sinceMs: number): Promise<number>;
}

/** What people say to an agent at work. */
export interface Hearing {
  /** What waits for this session; null: nothing. Cheap enough to be asked all the time. */
  look(): Promise<HeardWords | null>;
  /** The agent has these words now. */
  delivered(heard: HeardWords): Promise<void>;
  /** The session ends because somebody asked for it. */
  ended(): Promise<void>;
}

export interface HeardWords {
  /** As the agent is to read it; null: nothing is said. */
  said: string | null;
  /** Somebody asks for the end of the session. */
  ends: boolean;
}

export interface Stop {
  reason: Reason;
  message: string;
  /** Epoch milliseconds at which a usage limit ends, where that is known. */
  retryAt: number | null;
  /** No agent ran at all. */
  neverStarted?: boolean;
  /** The agent's program ended within seconds of its start, and no tool was used. */
  diedAtOnce?: boolean;
}

export interface TurnResult {
  /** null: the agent finished by itself. */
  stop: Stop | null;
}

export interface Session {
  turn(prompt: string): Promise<TurnResult>;
  /** Whether a refused claim can be answered in the same conversation. */
  canAnswer(): boolean;
  totals(): Totals;
  close(): Promise<void>;
}

export const INTERRUPTED: Stop = {
  reason: 'interrupted',
  message: 'interrupted by the user; the state is saved, and the same command continues',
  retryAt: null,
};
export const ENDED_BY_WORD: Stop = {
  reason: 'user_pause',
  message: 'ended at a safe boundary, as a person asked; the work is kept',
  retryAt: null,
};
export const PAUSED: Stop = { reason: 'user_pause', message: 'paused by the user', retryAt: null };
