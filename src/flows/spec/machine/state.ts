/**
 * What the spec flow keeps in `.harness/state.json`.
 *
 * 1. The fields of the document are those of the flow's description; what this program adds for itself lies under `harness`.
 * 2. `harness` holds what a crash must not lose and what no file says: questions that wait, counts of the critic, words of a person.
 */
import { z } from '../../../domain/zod.ts';
import { slugify } from '../../../kernel/ground/slug.ts';
import { CONVENTIONS_FILE, SPEC_PHASES, type SpecState as StoredSpec } from '../../../kernel/session-schema.ts';

export type SpecMode = 'quick' | 'deep';

export const FINDINGS_PATH = '.harness/spec/critic_findings.md';
export const LAST_ROUND = 3;

export type CriticState = NonNullable<StoredSpec['critic']>;
export type FailureReason = NonNullable<CriticState['failure_reason']>;
export type ModelChoice = NonNullable<StoredSpec['model_config']>;

export interface Counts {
  critical: number;
  major: number;
  minor: number;
}

const CountsSchema = z.object({ critical: z.number(), major: z.number(), minor: z.number() });
const QuestionSchema = z.object({ question: z.string(), why: z.string() });
export type Question = z.infer<typeof QuestionSchema>;

/** One analyst that was really sent out, and the line that stands for its answer. */
const AnalysisSchema = z.object({ role: z.string(), persona: z.string(), file: z.string(), line: z.string() });
export type Analysis = z.infer<typeof AnalysisSchema>;

const AnalystSchema = z.object({
  /** `spec/risk-auditor` */
  role: z.string(),
  /** As it is named in messages and fallback lines. */
  persona: z.string(),
  /** `analysis_risk.md` */
  file: z.string(),
});
export type Analyst = z.infer<typeof AnalystSchema>;

export const SpecExtrasSchema = z.object({
  /** A routing suggestion was looked at, and the person stays here. */
  routed: z.boolean().default(false),
  /** What the command that began the session asked for, for the questions that come later. */
  wanted: z
    .object({ mode: z.enum(['quick', 'deep']).nullable(), model_config: z.string().nullable() })
    .default({ mode: null, model_config: null }),
  /** The directory of the documents is chosen. */
  named: z.boolean().default(false),
  /** Directories and branch are there. */
  placed: z.boolean().default(false),
  /** The branch that HEAD was on before. */
  origin: z.string().nullable().default(null),
  /** Wrong model choices so far. */
  model_tries: z.number().default(0),
  model_confirmed: z.boolean().default(true),
  /** Scans that failed since a person chose to scan; null before. */
  failed_scans: z.number().nullable().default(null),
  /** Where a session of an older version goes on after its convention scan. */
  saved_phase: z.enum(SPEC_PHASES).nullable().default(null),
  /** Rounds of questions that are answered; null: one less than the round that the document names. */
  answered_rounds: z.number().nullable().default(null),
  questions: z.array(QuestionSchema).nullable().default(null),
  /** Said in the notes: the questions of this round could not be read. */
  questions_unreadable: z.boolean().default(false),
  /** Who was sent out in the present round; null: nobody yet. */
  analysts: z.array(AnalystSchema).nullable().default(null),
  /** Those of them that are done, while others are still at work. */
  finished_analyses: z.array(AnalysisSchema).default([]),
  analyses: z.array(AnalysisSchema).nullable().default(null),
  findings: z
    .union([z.literal('unparsed'), CountsSchema])
    .nullable()
    .default(null),
  modification: z.string().nullable().default(null),
  /** Sections that the last draft lacks. */
  missing_sections: z.array(z.string()).default([]),
});
export type SpecExtras = z.infer<typeof SpecExtrasSchema>;

export type SpecState = Pick<
  StoredSpec,
  | 'task'
  | 'skill'
  | 'mode'
  | 'model_config'
  | 'user_lang'
  | 'phase'
  | 'qa_round'
  | 'branch'
  | 'docs_path'
  | 'created_at'
  | 'cli_flags'
  | 'conventions'
  | 'critic'
> & { has_git: boolean; harness: SpecExtras };

export interface Beginning {
  task: string;
  userLanguage: string;
  hasGit: boolean;
  createdAt: string;
  reference: string | null;
  wanted: { mode: SpecMode | null; model_config: string | null };
}

export function beginSpec(beginning: Beginning): SpecState {
  return {
    task: beginning.task,
    skill: 'spec',
    mode: null,
    model_config: null,
    user_lang: beginning.userLanguage,
    has_git: beginning.hasGit,
    phase: 'setup',
    qa_round: 1,
    branch: null,
    docs_path: `docs/harness/${slugify(beginning.task)}/`,
    created_at: beginning.createdAt,
    cli_flags: { reference: beginning.reference },
    conventions: null,
    critic: null,
    harness: SpecExtrasSchema.parse({ answered_rounds: 0, wanted: beginning.wanted }),
  };
}

export function answeredRounds(state: SpecState): number {
  return state.harness.answered_rounds ?? Math.max(0, (state.qa_round ?? 1) - 1);
}

/** The reserved values of the field; anything else is a damaged document, and no file is read for it. */
export function conventionsSource(value: string | null): 'file' | 'skipped' | 'unset' | 'damaged' {
  if (value === null) return 'unset';
  if (value === 'skipped') return 'skipped';
  return value === CONVENTIONS_FILE ? 'file' : 'damaged';
}
