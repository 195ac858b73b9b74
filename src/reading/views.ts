/** What is shown of a place, as the page, the report file and `--json` get it. Types alone: they reach the browser. */
import type { Gate } from '../domain/gate.ts';
import type { Verdict } from '../domain/verdict.ts';
import type { MissionSummary } from '../flows/mission/people/summary.ts';
import type { MissionStatus } from '../flows/mission/people/status.ts';
import type { FeatureRow } from '../flows/project/look/feature-rows.ts';
import type { Health } from '../flows/project/look/health.ts';
import type { StatusReport } from '../flows/project/look/status.ts';
import type { Summary } from '../flows/project/look/summary.ts';
import type { WorkerRow } from '../flows/worker/look.ts';
import type { WorkflowSummary } from '../flows/workflow/people/summary.ts';
import type { Spent, Sum } from '../kernel/books/sums.ts';
import type { Claim } from '../kernel/mission-schema.ts';
import type { Step } from './step.ts';
import type { Watch } from './watch.ts';

export interface ProjectCard {
  id: string;
  name: string;
  root: string;
  /** The process that works there now. */
  running: { pid: number; command: string; since: string } | null;
  questions: number;
  features: { passing: number; total: number } | null;
  last_event_at: string | null;
  /** Why it cannot be read. */
  problem: string | null;
}

export interface NowView {
  id: string;
  name: string;
  root: string;
  /** When this was read. */
  at: string;
  /** The number of the last event it knows. */
  seq: number;
  last_event_at: string | null;
  running: { pid: number; command: string; since: string } | null;
  pausing: boolean;
  paused: boolean;
  /** The session in the air whose process is gone, if any. */
  watch: Watch;
  project: StatusReport | null;
  mission: MissionStatus | null;
  flow: {
    skill: string;
    task: string | null;
    phase: string | null;
    mode: string | null;
    round: number | null;
    branch: string | null;
  } | null;
  workers: readonly WorkerRow[];
  /** What features are called, by their numbers. */
  titles: Readonly<Record<string, string>>;
  questions: number;
  /** Latest steps of the whole place, oldest first. */
  recent: readonly Step[];
  budgets: Budgets | null;
  /** The latest sessions, newest first. */
  sessions: readonly SessionRow[];
}

export interface Budgets {
  per_session_usd: number;
  per_feature_usd: number;
  total_project_usd: number;
}

export interface QuestionView extends Gate {
  /** What the answer is about. */
  session: number | null;
  feature: number | null;
  /** What the feature is called. */
  title: string | null;
  /** What the feature came to so far; null: no session. */
  spent: Sum | null;
  /** Why its work was refused last; null: it was not. */
  refused: { session: number; words: readonly string[] } | null;
}

export interface FeatureView extends FeatureRow {
  category: string | null;
  depends_on: number[];
  test_files: string[];
  /** Those that worked on it, oldest first. */
  sessions: { session: number; outcome: string; reasons: readonly string[]; cost_usd: number | null }[];
  /** From its verdict; null: none is kept. */
  tests: { own: number; red_to_green: number } | null;
}

export interface SessionRow {
  session: number;
  started_at: string;
  ended_at: string;
  seconds: number;
  role: string;
  feature: number | string | null;
  /** What the feature is called. */
  title: string | null;
  outcome: string;
  reasons: readonly string[];
  cost_usd: number | null;
  tokens: { input: number; output: number; cached: number };
  backend: string;
  model: string;
  commit: string | null;
  message: string | null;
}

export interface RunView {
  name: string;
  command: string;
  files: readonly string[];
  exit_code: number | null;
  timed_out: boolean;
  duration_ms: number;
  passed: number;
  failed: number;
  other: number;
  output: string;
}

export interface StoryStep extends Step {
  /** All of it, where the line is not all. */
  body?: string;
}

export interface SessionView {
  session: number;
  feature: number | string | null;
  title: string | null;
  /** Null: it has not ended. */
  record: SessionRow | null;
  started_at: string | null;
  prompt: string;
  /** The verdict in sentences, or what the session said of itself. */
  words: readonly string[];
  verdict: Omit<Verdict, 'examined' | 'passing_tests'> | null;
  failed: readonly { id: string; status: string; message: string | null }[];
  question: string | null;
  story: readonly StoryStep[];
  /** Steps that were left out in the middle. */
  left_out: number;
  /** False: what the agent said is not kept any more. */
  said_kept: boolean;
  runs: readonly RunView[];
  /** Null: it is not kept any more, or there is none yet. */
  patch: string | null;
  landed: boolean;
  before: number | null;
  after: number | null;
  /** Sessions that worked on the same feature afterwards, oldest first. */
  later: readonly { session: number; outcome: string; cost_usd: number | null }[];
}

export interface NightView {
  since: string | null;
  project: Summary | null;
  mission: MissionSummary | null;
  workflow: WorkflowSummary | null;
  /** In at most ten lines. */
  lines: readonly NightLine[];
  next: { command: string | null; text: string; view: string };
}

export interface NightLine {
  kind: 'done' | 'refused' | 'waits' | 'answered' | 'aside' | 'money' | 'info';
  text: string;
  /** Where more of it is shown: `session/4`, `questions`. */
  view: string | null;
}

export interface MoneyView {
  budgets: Budgets | null;
  /** Null: the cost of no session is known. */
  spent_usd: number | null;
  sessions_without_cost: number;
  by_feature: readonly Spent[];
  by_role: readonly Spent[];
  by_model: readonly Spent[];
  tokens: { input: number; output: number; cached: number };
  sessions: readonly SessionRow[];
  health: (Health & { tests: { passing: number; total: number } | null }) | null;
  growth: readonly { file: string; lines: number; before: number }[];
}

export interface MissionView {
  status: MissionStatus;
  started_at: string;
  claims: readonly (Claim & { feature: string | null; state: string })[];
  sessions: readonly SessionRow[];
  memory: readonly { name: string; text: string }[];
}

export interface HiddenView {
  /** Of the work that waits for a review; null: none waits. */
  reviewed: {
    session: number;
    feature: number;
    description: string;
    tests: readonly {
      behaviour: string;
      code: string;
      passed: boolean;
      message: string | null;
      ruling: { ruling: string; reason: string } | null;
    }[];
  } | null;
  tests: readonly {
    number: number;
    feature: number;
    description: string;
    behaviour: string;
    path: string;
    code: string;
    released: string | null;
  }[];
}

/** What a report file carries. */
export interface ReportData {
  schema: 'harness-report.v1';
  harness_version: string;
  made_at: string;
  now: NowView;
  night: NightView;
  questions: readonly QuestionView[];
  features: readonly FeatureView[];
  money: MoneyView;
  mission: MissionView | null;
  sessions: Readonly<Record<string, SessionView>>;
}
