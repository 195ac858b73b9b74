/**
 * Where the conventions of a project come from: the decisions of both flows, pure.
 *
 * 1. `.harness/conventions.md` is the one place they are read from; a session's `conventions` field says whether it is there.
 * 2. A live file of the session is never overwritten by an older copy.
 * 3. Conventions that a spec left beside its documents come before a new scan.
 */
import { CONVENTIONS_FILE } from '../session-schema.ts';
import { FEWEST_LINES, MOST_LINES } from '../roles/guidance-file.ts';

export interface WorkflowFacts {
  /** The `conventions` field of the session. */
  recorded: string | null;
  /** `.harness/conventions.md` is there. */
  live: boolean;
  /** `{docs_path}conventions.md` is there. */
  persisted: boolean;
  /** Lines of CLAUDE.md; null where there is none that can be read. */
  claudeLines: number | null;
}

export interface ScanDecision {
  /** The field names a file that is nowhere: it is set back to null, in a write of its own, before anything else. */
  reset: boolean;
  next: 'keep' | 'copy-persisted' | 'copy-claude' | 'ask';
}

export function decideWorkflowScan(facts: WorkflowFacts): ScanDecision {
  const named = facts.recorded?.startsWith('file:') === true;
  if (facts.recorded === CONVENTIONS_FILE && facts.live) return { reset: false, next: 'keep' };
  if (facts.persisted) return { reset: false, next: 'copy-persisted' };
  return { reset: named, next: isRich(facts.claudeLines) ? 'copy-claude' : 'ask' };
}

/** Below this many lines a CLAUDE.md says too little to plan by. */
export function isRich(lines: number | null): boolean {
  return lines !== null && lines >= FEWEST_LINES;
}

export interface Candidate {
  path: string;
  lines: number;
}

/** Where conventions are looked for outside git, the most likely first; the name's case does not matter, the directory's does. */
export const CANDIDATE_PATHS = [
  'STYLE_GUIDE.md',
  'CONTRIBUTING.md',
  'conventions.md',
  'guidelines.md',
  'policy.md',
  'docs/style-guide.md',
  'docs/conventions.md',
] as const;

/** Rank of a path among the candidates; null when it is none. */
export function candidateRank(path: string): number | null {
  const slash = path.lastIndexOf('/') + 1;
  const rank = CANDIDATE_PATHS.findIndex(
    (candidate) => path.slice(0, slash) === candidate.slice(0, candidate.lastIndexOf('/') + 1) && sameName(path.slice(slash), candidate),
  );
  return rank < 0 ? null : rank;
}

const EXCLUDED = new Set(['node_modules', '.git', 'vendor', 'dist', 'build', '.next', '__pycache__', '.venv', 'target']);

/** Whether a resolved path goes through a directory that holds other people's or generated files. */
export function isExcluded(realPath: string): boolean {
  return realPath.split('/').some((part) => EXCLUDED.has(part));
}

const MOST_CHOICES = 3;

/** Those of a useful size, the longest first, the more likely path before an equally long one; at most three. */
export function rankCandidates(candidates: readonly Candidate[]): Candidate[] {
  return candidates
    .filter(({ lines }) => lines >= FEWEST_LINES && lines <= MOST_LINES)
    .toSorted((a, b) => b.lines - a.lines || (candidateRank(a.path) ?? 0) - (candidateRank(b.path) ?? 0) || (a.path < b.path ? -1 : 1))
    .slice(0, MOST_CHOICES);
}

function sameName(name: string, candidate: string): boolean {
  return name.toLowerCase() === candidate.slice(candidate.lastIndexOf('/') + 1).toLowerCase();
}
