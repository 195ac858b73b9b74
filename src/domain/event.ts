/** The one event union: the same for terminal, NDJSON and journal. `ts` is added when an event is emitted. */
import type { Gate } from './gate.ts';
import type { Usage } from './money.ts';
import type { Outcome, Reason } from './reasons.ts';
import type { CheckName } from './verdict.ts';

export type Level = 'critical' | 'important' | 'routine' | 'debug';

/** A project's number, or the name that a mission gives. */
export type FeatureRef = number | string;

export type HarnessEvent =
  /** `lane`: it works beside others. */
  | {
      type: 'session.start';
      session: number;
      feature: FeatureRef | null;
      prompt: string;
      backend: string;
      model: string;
      workspace: string;
      lane?: string;
    }
  | {
      type: 'session.end';
      session: number;
      feature: FeatureRef | null;
      outcome: Outcome;
      reasons: Reason[];
      duration_ms: number;
      cost_usd: number | null;
      usage?: Usage;
      commit?: string;
      verdict?: string;
      message?: string;
    }
  | {
      type: 'session.limit';
      session: number;
      kind: 'context' | 'time' | 'progress' | 'budget' | 'silence' | 'usage' | 'outage' | 'hours';
      level: 'info' | 'warn' | 'stop';
      message: string;
      until?: string;
    }
  | { type: 'session.inject'; session: number; text: string; delivered: boolean }
  | { type: 'preflight.check'; name: string; state: 'passed' | 'failed' | 'skipped' | 'warned'; detail: string; duration_ms: number }
  | { type: 'agent.text'; session: number; text: string; aside?: true }
  | { type: 'agent.tool'; session: number; name: string; input: Record<string, unknown> }
  | { type: 'agent.result'; session: number; name: string; ok: boolean; output: string }
  | {
      type: 'agent.usage';
      session: number;
      usage: Usage;
      context_tokens: number;
      context_window: number;
      cost_usd: number | null;
      /** The level that the agent says it thinks with. */
      effort?: string;
    }
  | { type: 'agent.error'; session: number; message: string; class: string }
  | { type: 'agent.action'; session: number; action: Record<string, unknown> & { kind: string } }
  | { type: 'checkpoint.created'; id: string; checkpoint_id: string; session: number; reason: string; git_ref: string }
  | { type: 'checkpoint.restored'; id: string; saved_as: string }
  | { type: 'rollback_completed'; checkpoint_id: string; rolled_back_commits: string[]; restored_to_session: number }
  | { type: 'migration_start'; from: number; to: number }
  | { type: 'migration_complete'; from: number; to: number }
  /** Traces, only with `logging.level: debug`: one request of the agent, and one look at its progress. */
  | { type: 'agent.request'; session: number; latency_ms: number; input_tokens: number; output_tokens: number; context_tokens: number }
  | { type: 'progress.check'; session: number; context_tokens: number; files_changed: number }
  | { type: 'workspace.prepared'; path: string; files_changed: number; duration_ms: number }
  | { type: 'workspace.captured'; tree: string; ref: string; files_changed: number; duration_ms: number }
  | { type: 'verify.start'; session: number; feature: FeatureRef | null; tree: string }
  | {
      type: 'verify.check';
      name: CheckName;
      /** For people; absent in old journals. */
      title?: string;
      state: 'passed' | 'failed' | 'skipped' | 'warned';
      detail: string;
      duration_ms: number;
    }
  | {
      type: 'verify.result';
      session: number;
      feature: FeatureRef | null;
      verdict: string;
      decision: 'accepted' | 'rejected' | 'needs_human';
      reasons: Reason[];
      messages: string[];
    }
  | { type: 'commit.created'; session: number; feature: FeatureRef | null; commit: string; branch: string }
  | { type: 'wip.saved'; session: number; feature: FeatureRef | null; ref: string; tree: string; message: string }
  /** `left`: nobody is asked at the terminal now; it waits for `harness answer`. */
  | { type: 'gate.asked'; gate: Gate; left?: true }
  | { type: 'gate.answered'; id: string; option: string | null; text: string | null; by: string }
  /** `question`: the id that it is answered by; absent: nothing is asked. */
  | { type: 'escalation'; trigger: string; question?: string; message: string; options: string[]; file: string }
  /** What was spent has passed a mark of a budget. */
  | {
      type: 'budget.reached';
      scope: 'session' | 'feature' | 'project';
      percent: 80 | 100;
      spent_usd: number;
      budget_usd: number;
      session: number;
      feature: FeatureRef | null;
    }
  /** A person's words have reached the agent. */
  | {
      type: 'words.delivered';
      session: number;
      text: string;
      by: 'terminal' | 'page' | 'host';
      asked_at: string;
      how: 'injection' | 'turn' | 'session';
    }
  /** Another agent goes on with the work. */
  | {
      type: 'agent.switched';
      session: number;
      from: { backend: string; model: string | null };
      to: { backend: string; model: string | null };
      why: string;
      price: string;
      first: boolean;
    }
  | { type: 'decision'; session: number | null; text: string; by: 'agent' | 'harness' | 'user' }
  | { type: 'state.recovered'; what: string; action: string }
  | { type: 'quality.warning'; file: string; message: string; severity: 'warning' | 'info' }
  | {
      type: 'run.preview';
      kind: string;
      first: string[];
      ends: string | null;
      asks: { id: string; question: string; options: string[]; feature: number | null } | null;
      session: number | null;
      prompt: string | null;
      feature: { id: number; description: string; test_file: string | string[] | null } | null;
      backend: string;
      model: string | null;
      orientation: string | null;
      orientation_tokens: number;
      budget: { session_usd: number; project_left_usd: number };
    }
  | {
      type: 'mission.preview';
      stage: string;
      iteration: number;
      step: string | null;
      decision: string | null;
      role: string | null;
      model: string | null;
      backend: string;
      budget: { session_usd: number; project_left_usd: number };
    }
  /** What a repeated run, a mission or a workflow came to: the same as `harness summary --json`. */
  | { type: 'run.summary'; summary: object }
  /** A step of a workflow is over; `failed`: the check or the evaluation did not pass, `note` says why. */
  | {
      type: 'flow.step';
      flow: 'workflow';
      task: string;
      step: 'begin' | 'plan' | 'generate' | 'verify' | 'evaluate' | 'land';
      round: number;
      result: 'done' | 'failed';
      note: string;
      commit: string | null;
    }
  /** A flow goes on to another phase; `label` says so in the user's language. */
  | {
      type: 'flow.phase';
      flow: 'workflow' | 'spec' | 'mission';
      phase: string;
      label: string;
      /** The language that the flow speaks. */
      language?: string;
      /** Which round it is, of how many. */
      round?: { number: number; of: number };
      /** Which try it is after a failed check; absent: the first. */
      retry?: number;
    }
  | { type: 'progress'; message: string }
  /** `code`: what it is about, for those who say it in other words. */
  | { type: 'warning'; message: string; code?: 'cost.unknown' }
  | {
      type: 'end';
      outcome: Outcome;
      reasons: Reason[];
      exit_code: number;
      session?: number;
      feature?: FeatureRef | null;
      commit?: string;
      message?: string;
    };

export type EventType = HarnessEvent['type'];
export type StampedEvent = HarnessEvent & { ts: string };
export type Emit = (event: HarnessEvent) => void;
