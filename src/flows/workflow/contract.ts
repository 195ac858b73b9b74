/** Words of the workflow flow: phases, what a session remembers, what a caller asks for and gets. */
import type { CaptureFinding } from '../../domain/tree.ts';
import { WORKFLOW_PHASES, type WorkflowPhase } from '../../kernel/session-schema.ts';
import type { ExitCode, Outcome, Reason } from '../../domain/reasons.ts';

export const PHASES = WORKFLOW_PHASES;
export type Phase = WorkflowPhase;

export type Mode = 'single' | 'standard' | 'multi';
export type RunStyle = 'auto' | 'phase' | 'step';
export type Step = 'plan' | 'generate' | 'verify' | 'evaluate';
export type QaVerdict = 'PASS' | 'FAIL L2' | 'FAIL L3';
export type Layer = 'layer 1' | 'layer 2' | 'layer 3';

export interface VerifyState {
  layer1_result: 'PASS' | 'FAIL' | null;
  layer1_retries: number;
  layer2_result: 'PASS' | 'FAIL' | null;
  layer2_retries: number;
  todo_blocking: boolean;
  autofix_attempted: boolean;
}

export interface AutofixState {
  last_patch_path: string;
  applied: 'proposed' | 'applied' | 'rejected' | 'stopped';
  triggered_at: string;
}

/** What was made of the code so far: a tree, pinned by a commit under a ref of the harness's own. */
export interface Candidate {
  tree: string;
  commit: string;
  /** What the capture met besides plain files. */
  findings: CaptureFinding[];
}

/** A changed file as a person has accepted it; null: that it is gone. */
export interface Accepted {
  path: string;
  entry: { mode: string; oid: string } | null;
}

/** What layer 1 found out about tests, settings and dependencies, and what only a person can accept. */
export interface Asks {
  gate: 'workflow.tampering' | 'workflow.dependencies';
  /** What was found, a line each. */
  findings: string[];
  /** What it is about: a path, or a path and what of it. */
  subjects: string[];
}

export interface Landing {
  choice: 'code' | 'all' | 'none';
  /** Null where nothing is committed. */
  commit: string | null;
}

/** The harness's own part of the state file, under the key `harness`. */
export interface OwnState {
  /** Commit on which the work stands, and its tree. */
  base_commit: string | null;
  base_tree: string | null;
  /** The branch that HEAD was on before. */
  origin: string | null;
  candidate: Candidate | null;
  /** Set while the implementer alone is asked again. */
  retry: { layer: 1 | 2; failure: string } | null;
  /** One line on the last failed check. */
  summary: string | null;
  /** What layer 1 came to, and on which tree: it is not run again on the same one unless a person asks. */
  checked: { tree: string; result: 'PASS' | 'FAIL'; summary: string } | null;
  verdict: QaVerdict | null;
  /** Failed layers that a person accepted at a gate. */
  accepted: Layer[];
  /** What layer 1 found that a person is asked about; null: nothing, or they have answered. */
  asks: Asks | null;
  /** Changed tests, settings and manifests that a person accepted, as they were shown. */
  allowed: Accepted[];
  /** What the proposer said of its patch. */
  confidence: string | null;
  landing: Landing | null;
  /** What a person said when they asked for another round. */
  wish: string | null;
  /** Scans of conventions that failed since a person asked for one; null: nobody has. */
  failed_scans: number | null;
  /** The step that the last command named. */
  step: Step | null;
  /** What the set-up knows before it is finished. */
  draft: { branch: string | null; request: WorkflowRequest; model_retries: number } | null;
  /** True while a command works on the session: found so by the next one, the command was cut off. */
  under_way: boolean;
}

/** What the machine reads and changes; the state file holds it together with the settings of the session. */
export interface MachineState {
  phase: Phase;
  run_style: RunStyle;
  round: number;
  max_rounds: number;
  conventions: string | null;
  verify: VerifyState;
  autofix: AutofixState | null;
  harness: OwnState;
}

export interface WorkflowRequest {
  step: Step | null;
  task: string | null;
  mode: Mode | null;
  modelConfig: string | null;
  /** What a person answered together with mode or models. */
  conventions: 'scan' | 'skip' | null;
  lintCommand: string | null;
  typeCheckCommand: string | null;
  verifierModel: string | null;
  outputDir: string | null;
  scope: string | null;
  maxFiles: number | null;
}

export interface WorkflowReport {
  outcome: Outcome;
  reasons: Reason[];
  exitCode: ExitCode;
  commit: string | null;
  message: string;
}
