/**
 * The summary an agent starts from. Pure.
 *
 * 1. Never over MAX_TOKENS, whatever the project's size: every list and every text is bounded.
 * 2. Everything in it is known to the harness; nothing is taken from an agent's claim without saying so.
 */
import { cleanText } from '../domain/clean-text.ts';
import { namesOfFiles } from '../domain/test-files.ts';

export const MAX_TOKENS = 1_000;

export interface OrientationFacts {
  session: number;
  project: string;
  passing: number;
  total: number;
  health: string;
  last: {
    session: number;
    status: string;
    feature: { id: number; description: string } | null;
    commits: readonly string[];
    reasons: readonly string[];
  } | null;
  task: { id: number; description: string; test_files: readonly string[]; dependencies: readonly { id: number; passes: boolean }[] } | null;
  key_files: readonly { path: string; note: string }[];
  decisions: readonly { session: number | null; text: string }[];
}

export interface PartialFacts {
  feature: { id: number; description: string };
  test_files: readonly string[];
  /** The one that left the work; null where the journal does not tell. */
  session: number | null;
  reason: string;
  done: readonly string[];
  left: readonly string[];
  files: readonly string[];
}

export function orientation(facts: OrientationFacts): string {
  for (const room of [1, 0.6, 0.35, 0.2]) {
    const text = render(facts, room);
    if (estimateTokens(text) <= MAX_TOKENS) return text;
  }
  return render({ ...facts, key_files: [], decisions: [] }, 0.2);
}

/** Rather too many than too few: prose has about four bytes a token, paths and code fewer. */
export function estimateTokens(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / 3.5);
}

function render(facts: OrientationFacts, room: number): string {
  const percent = facts.total === 0 ? 0 : Math.floor((100 * facts.passing) / facts.total);
  const sections = [
    [
      '## Current State',
      `**Session:** ${facts.session}`,
      `**Project:** ${line(facts.project, 80)}`,
      `**Progress:** ${facts.passing}/${facts.total} features passing (${percent}%)`,
      `**Health:** ${line(facts.health, 160)}`,
    ],
    lastSession(facts, room),
    task(facts, room),
    list(
      '## Key Files',
      facts.key_files.slice(0, Math.ceil(8 * room)).map((file) => `${line(file.path, 120)} (${line(file.note, 60)})`),
    ),
    list(
      '## Recent Decisions',
      facts.decisions
        .slice(0, Math.ceil(5 * room))
        .map((decision) => `${decision.session === null ? '' : `Session ${decision.session}: `}${line(decision.text, 40 + 120 * room)}`),
    ),
  ];
  return sections
    .filter((section) => section.length > 0)
    .map((section) => section.join('\n'))
    .join('\n\n');
}

function lastSession(facts: OrientationFacts, room: number): string[] {
  const last = facts.last;
  if (last === null) return [];
  const lines = [`## Last Session (Session ${last.session})`];
  if (last.feature !== null)
    lines.push(
      `- ${last.status === 'complete' ? 'Completed' : 'Worked on'}: Feature #${last.feature.id} (${line(last.feature.description, 40 + 120 * room)})`,
    );
  if (last.commits.length > 0)
    lines.push(
      `- Commits: ${last.commits.length} (${last.commits
        .slice(0, 3)
        .map((commit) => line(commit.slice(0, 10), 10))
        .join(', ')})`,
    );
  lines.push(
    `- Status: ${line(last.status, 40)}${
      last.reasons.length > 0
        ? ` (${last.reasons
            .slice(0, 3)
            .map((reason) => line(reason, 40))
            .join(', ')})`
        : ''
    }`,
  );
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
    `**Feature #${id}:** ${line(description, 80 + 220 * room)}`,
    testFileLine(test_files),
    `**Dependencies:** ${shown.length === 0 ? 'none' : `${shown.join(', ')}${more}${state}`}`,
  ];
}

function testFileLine(files: readonly string[]): string {
  return `**Test file${files.length > 1 ? 's' : ''}:** ${files.length === 0 ? 'none' : line(namesOfFiles(files), files.length > 1 ? 320 : 160)}`;
}

export function partialDetails(facts: PartialFacts): string {
  const sections = [
    [
      '## Continuing Partial Feature',
      `**Feature #${facts.feature.id}:** ${line(facts.feature.description, 200)}`,
      `**Status:** partial (${line(facts.reason, 60)}${facts.session === null ? '' : ` in session ${facts.session}`})`,
      testFileLine(facts.test_files),
    ],
    list(
      "**What's Done** (from the notes of the earlier session)",
      facts.done.slice(0, 8).map((item) => line(item, 140)),
    ),
    list(
      "**What's Left** (from the notes of the earlier session)",
      facts.left.slice(0, 8).map((item) => line(item, 140)),
    ),
    list(
      '**Files in progress** (changed since the last accepted commit)',
      facts.files.slice(0, 12).map((file) => line(file, 120)),
    ),
    ['Go on from where it stopped; do not begin again.'],
  ];
  return sections
    .filter((section) => section.length > 0)
    .map((section) => section.join('\n'))
    .join('\n\n');
}

function list(title: string, items: readonly string[]): string[] {
  return items.length === 0 ? [] : [title, ...items.map((item) => `- ${item}`)];
}

const LONGEST_LOOK = 4_000;

/** One line, clean and not cut inside a character. */
function line(text: string, limit: number): string {
  const flat = cleanText(text.slice(0, LONGEST_LOOK)).replace(/\s+/g, ' ').trim();
  if (flat.length <= limit && text.length <= LONGEST_LOOK) return flat;
  return `${flat.slice(0, Math.max(1, Math.floor(limit) - 1)).replace(/[\ud800-\udbff]$/, '')}…`;
}
