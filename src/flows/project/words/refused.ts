/** Why the last attempt at a feature was refused, for the session that tries again: what a person's screen had, and where the work starts. */
import { fence } from '../../../domain/fence.ts';
import type { ProjectState, Refusal } from '../../../domain/session.ts';
import type { Verdict } from '../../../domain/verdict.ts';
import { readVerdict } from '../../../kernel/flight/verdict-files.ts';
import { feedbackFor } from '../../../prompts/describe-verdict.ts';
import { isRepair } from '../machine/refusal.ts';
import type { Project } from '../project.ts';

export interface Refused {
  refusal: Refusal;
  verdict: Verdict;
  /** Whether the next attempt is meant to go on with the refused work. */
  repair: boolean;
}

/** Null: nothing was refused, or its verdict is not kept any more. */
export async function lastRefused(project: Project, state: ProjectState, feature: number | null): Promise<Refused | null> {
  const refusal = state.refusals.find((entry) => entry.feature === feature);
  const verdict = refusal === undefined ? null : await readVerdict(project, refusal.verdict);
  if (refusal === undefined || verdict === null) return null;
  return { refusal, verdict, repair: isRepair(refusal, verdict.reasons) };
}

/** `kept`: the agent's copy holds the refused work. */
export async function refusedWords(project: Project, { refusal, verdict }: Refused, kept: boolean): Promise<string> {
  const { session, count } = refusal;
  const files = kept ? [] : await changedFiles(project, refusal);
  return composeRefusal({ session, count, kept, files, feedback: feedbackFor(verdict), list: project.config.paths.features });
}

export interface RefusalFacts {
  session: number;
  /** Refusals in a row so far. */
  count: number;
  kept: boolean;
  /** What the refused change touched. */
  files: readonly string[];
  feedback: string;
  /** Path of the feature list. */
  list: string;
}

export function composeRefusal({ session, count, kept, files, feedback, list }: RefusalFacts): string {
  return [
    '',
    '## Why the last attempt was not accepted',
    '',
    `This is attempt ${count + 1} at this feature. What session ${session} left was not accepted.`,
    feedback,
    '',
    ...(kept ? repairing(list, session) : beginningAgain(files)),
  ].join('\n');
}

function repairing(list: string, session: number): string[] {
  return [
    `Your files are as you left them in session ${session}; only \`${list}\` is set back. Repair what is named above: do not`,
    'begin again, and do not change what was not criticised. Run the tests that are named, show their output, and claim the feature again.',
  ];
}

function beginningAgain(files: readonly string[]): string[] {
  const named = files.length === 0 ? [] : [fence('files that the refused change touched', files.map((file) => `- ${file}`).join('\n'))];
  return [
    'Your copy starts from the branch: the refused change is not in it. Build the feature again, without what was wrong with that change.',
    ...named,
  ];
}

const MOST_FILES = 12;

async function changedFiles(project: Project, { base, tree }: Refusal): Promise<string[]> {
  const changes = await project.trees
    .of(base)
    .then((before) => project.trees.diff(before, tree))
    .catch(() => []);
  const { features, progress } = project.config.paths;
  const paths = changes.map((change) => change.path).filter((path) => path !== features && path !== progress);
  const rest = paths.length - MOST_FILES;
  return [...paths.slice(0, MOST_FILES), ...(rest > 0 ? [`… and ${rest} more`] : [])];
}
