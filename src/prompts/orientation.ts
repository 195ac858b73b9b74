/**
 * The summary an agent starts from. Pure.
 *
 * 1. Never over MAX_TOKENS, whatever the project's size: every list and every text is bounded, and where it is still too much, what an agent
 *    could find out by itself goes first. Its task stays.
 * 2. Everything in it is known to the harness; what comes from an agent's notes is said to.
 * 3. Text of others is one clean line each, so that it cannot pass for a part of the summary.
 */
import { joinSections, listOf, oneLine, testFileLine } from './one-line.ts';

export const MAX_TOKENS = 1_000;

export interface OrientationFacts {
  session: number;
  project: string;
  passing: number;
  total: number;
  /** As it was measured. */
  health: string;
  last: {
    session: number;
    /** In words. */
    status: string;
    feature: { id: number; description: string } | null;
    commits: readonly string[];
  } | null;
  task: { id: number; description: string; test_files: readonly string[]; dependencies: readonly { id: number; passes: boolean }[] } | null;
  /** The document that describes the project, and its part about the task. */
  specification: { path: string; part: string | null } | null;
  /** Of the feature list. */
  instructions: string | null;
  checks: readonly Check[];
  /** Files of the tests that hold no test. */
  helpers: readonly string[];
  /** Test files of features that are not built yet. */
  red_by_design: readonly string[];
  /** Entries of the progress file, newest first. */
  progress: readonly { session: number; feature: number | null; did: readonly string[]; left: readonly string[] }[];
  key_files: readonly { path: string; note: string }[];
  decisions: readonly { session: number | null; text: string }[];
}

/** A command that checks the work, and what the verdict makes of it. */
export interface Check {
  name: string;
  command: string;
  verdict: 'refuses' | 'warns' | 'does not run it';
  /** The project's own command for what it reports. */
  repair?: string;
}

export function orientation(facts: OrientationFacts): string {
  const short: OrientationFacts = { ...facts, progress: [], decisions: [], last: null };
  const attempts: [OrientationFacts, number][] = [
    ...[1, 0.7, 0.5, 0.35].map((room): [OrientationFacts, number] => [facts, room]),
    [short, 0.35],
    [{ ...short, key_files: [], helpers: [], red_by_design: [] }, 0.25],
  ];
  for (const [shown, room] of attempts) {
    const text = render(shown, room);
    if (estimateTokens(text) <= MAX_TOKENS) return text;
  }
  return render({ ...short, key_files: [], helpers: [], red_by_design: [], checks: [], instructions: null, specification: null }, 0.2);
}

/** Rather too many than too few: prose has about four bytes a token, paths and code fewer. */
export function estimateTokens(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / 3.5);
}

function render(facts: OrientationFacts, room: number): string {
  const percent = facts.total === 0 ? 0 : Math.floor((100 * facts.passing) / facts.total);
  return joinSections([
    [
      '## Current State',
      `**Session:** ${facts.session}`,
      `**Project:** ${oneLine(facts.project, 80)}`,
      `**Progress:** ${facts.passing}/${facts.total} features passing (${percent}%)`,
      `**Health:** ${oneLine(facts.health, 160)}`,
      ...(facts.instructions === null ? [] : [`**Instructions of the list:** ${oneLine(facts.instructions, 300 * room)}`]),
    ],
    lastSession(facts, room),
    task(facts, room),
    checking(facts, room),
    listOf(
      '## Key Files',
      facts.key_files.slice(0, Math.ceil(8 * room)).map((file) => `${oneLine(file.path, 120)} (${oneLine(file.note, 60)})`),
    ),
    listOf(
      '## Notes of Earlier Sessions (their own words)',
      facts.progress.slice(0, Math.ceil(2 * room)).map((entry) => noteOf(entry, room)),
    ),
    listOf(
      '## Recent Decisions',
      facts.decisions
        .slice(0, Math.ceil(5 * room))
        .map((decision) => `${decision.session === null ? '' : `Session ${decision.session}: `}${oneLine(decision.text, 40 + 120 * room)}`),
    ),
  ]);
}

function lastSession(facts: OrientationFacts, room: number): string[] {
  const last = facts.last;
  if (last === null) return [];
  const lines = [`## Last Session (Session ${last.session})`];
  if (last.feature !== null)
    lines.push(
      `- ${last.status === 'complete' ? 'Completed' : 'Worked on'}: Feature #${last.feature.id} (${oneLine(last.feature.description, 40 + 120 * room)})`,
    );
  if (last.commits.length > 0)
    lines.push(
      `- Commits: ${last.commits.length} (${last.commits
        .slice(0, 3)
        .map((commit) => oneLine(commit.slice(0, 10), 10))
        .join(', ')})`,
    );
  lines.push(`- Status: ${oneLine(last.status, 120)}`);
  return lines;
}

function task(facts: OrientationFacts, room: number): string[] {
  if (facts.task === null) return [];
  const { id, description, test_files, dependencies } = facts.task;
  const shown = dependencies.slice(0, 8).map((dependency) => `#${dependency.id}${dependency.passes ? '' : ' (not passing)'}`);
  const more = dependencies.length > shown.length ? ` and ${dependencies.length - shown.length} more` : '';
  const state = dependencies.every((dependency) => dependency.passes) ? ' (all passing)' : '';
  return [
    '## Your Task This Session',
    `**Feature #${id}:** ${oneLine(description, 80 + 220 * room)}`,
    testFileLine(test_files),
    `**Dependencies:** ${shown.length === 0 ? 'none' : `${shown.join(', ')}${more}${state}`}`,
    ...specified(facts.specification, room),
  ];
}

function specified(specification: OrientationFacts['specification'], room: number): string[] {
  if (specification === null) return [];
  const { path, part } = specification;
  return [`**Specification:** \`${oneLine(path, 120)}\`${part === null ? '' : `; about this feature: "${oneLine(part, 500 * room)}"`}`];
}

function checking(facts: OrientationFacts, room: number): string[] {
  const several = (paths: readonly string[], most: number): string => {
    const shown = paths.slice(0, Math.max(1, Math.ceil(most * room))).map((path) => oneLine(path, 80));
    return `${shown.join(', ')}${paths.length > shown.length ? ` and ${paths.length - shown.length} more` : ''}`;
  };
  return listOf('## Checking Your Work', [
    ...facts.checks
      .slice(0, 7)
      .map(({ name, command, verdict, repair }) => `${name}: \`${oneLine(command, 100)}\` (${WEIGHTS[verdict]}${repairWords(repair)})`),
    ...(facts.helpers.length === 0 ? [] : [`test helpers: ${several(facts.helpers, 5)}`]),
    ...(facts.red_by_design.length === 0
      ? []
      : [`red on purpose, until their features are built: ${several(facts.red_by_design, 4)}; leave them alone`]),
  ]);
}

function repairWords(repair: string | undefined): string {
  return repair === undefined ? '' : `; \`${oneLine(repair, 100)}\` repairs what it can`;
}

const WEIGHTS: Readonly<Record<Check['verdict'], string>> = {
  refuses: 'part of the verdict',
  warns: 'the verdict only warns',
  'does not run it': 'not part of the verdict',
};

function noteOf({ session, feature, did, left }: OrientationFacts['progress'][number], room: number): string {
  const limit = 60 + 120 * room;
  const done = did.length === 0 ? [] : [`did: ${oneLine(did.join('; '), limit)}`];
  const open = left.length === 0 ? [] : [`left: ${oneLine(left.join('; '), limit)}`];
  return `Session ${session}${feature === null ? '' : ` (#${feature})`}: ${[...done, ...open].join('. ') || 'no notes'}`;
}
