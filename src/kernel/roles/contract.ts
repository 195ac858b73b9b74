/**
 * A call to a role.
 *
 * 1. A role works in a copy of its own, at `$HARNESS_HOME/work/<project>/<lane>/tree`; no two roles that run at the same time see each
 *    other's files.
 * 2. A role's file is taken from its copy by the harness, checked (a plain file, no link, bounded in size) and handed back as text. What a
 *    role did to other files counts only for a call with `keeps: 'tree'`.
 * 3. A role's words reach a decision only through its contract line, and no other prompt at all; the examiner's headings are the exception, fenced.
 */
import type { Capture } from '../../domain/tree.ts';
import type { Stop } from '../../session/contract.ts';
import type { Head } from '../flight/contract.ts';
import type { Place } from '../place.ts';

export interface RoleCall {
  /** `workflow/architect`, `spec/critic`: `HARNESS_ROLE`, and the name of the role file. */
  role: string;
  /** Values for the role's variables, but for `output_path`; data that comes from people or files is fenced by the caller (`domain/fence.ts`). */
  variables: Readonly<Record<string, string>>;
  /** What the role has learned, beside its own text: the same for every call of it. */
  identity?: string;
  /** `opus`, `sonnet`, `haiku`, another model's name, or null for the configured default. */
  model: string | null;
  /** Name of the file that the role has to write (`spec.md`); null when it writes none. Becomes `HARNESS_OUTPUT`. */
  output: string | null;
  /** Copy of its own; calls that run at the same time use different lanes. */
  lane: string;
  /** The tree that the copy holds when the role starts. */
  tree: string;
  /** `tree`: the copy's files are captured afterwards; else only the role's file is taken. */
  keeps?: 'output' | 'tree';
  /** In which the user is spoken to. */
  language: string;
  /** Whose budget it is paid from; absent: only the place's. */
  feature?: number;
  /** What `HARNESS_TEST_FILE` names. */
  testFiles?: readonly string[];
  /** It works in an empty copy without a history, and the user's directory is out of its sight. Then `tree` is the empty tree. */
  isBlind?: true;
  /** What it says and does is no event: neither the journal nor anything that reads events has it. */
  isSecret?: true;
  /** The commit below its copy; absent: the one that is checked out. */
  base?: Pick<Head, 'commit' | 'branch'>;
  /** How hard it should think, for backends that take it. */
  effort?: string | null;
  /** It gets no tool that starts other agents. */
  alone?: true;
  /** It is stopped at this cost, whatever is left of the budget; null or absent: no limit beside that. */
  mostUsd?: number | null;
  /** The number of the session, where the caller has taken one. */
  number?: number;
}

/** Why a role did not come to its own end. */
export type RoleStop = Stop;

export interface RoleResult {
  /** The number of its session; absent where no agent was started. */
  session?: number;
  /** Null: the agent finished by itself. */
  stop: Stop | null;
  /** What the agent said after its last tool call; everything for agents that report no tools. Cleaned of control sequences. */
  reply: string;
  /** Content of the role's file; null when there is none, or none that may be taken. */
  output: string | null;
  /** Why a file that is there was not taken. */
  refused: string | null;
  /** For `keeps: 'tree'`. */
  capture: Capture | null;
}

/** Runs one role as one watched session: budgets, limits, costs and journal as for every session. Numbered by the place's own counter. */
export type CallRole = (place: Place, call: RoleCall) => Promise<RoleResult>;
