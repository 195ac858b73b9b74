/** What a worker is for, made from the mission's state whenever a step needs it: the same after a crash as before. */
import type { Feature } from '../../../domain/feature.ts';
import type { Flight } from '../../../domain/session.ts';
import { numberOfFeature } from '../../../domain/feature-name.ts';
import type { Brief, Head } from '../../../kernel/flight/contract.ts';
import { readVerdict } from '../../../kernel/flight/verdict-files.ts';
import { testCommand } from '../../../kernel/ground/test-command.ts';
import { relativePaths } from '../../../kernel/ground/relative-paths.ts';
import { headOf } from '../../../kernel/ground/head.ts';
import type { MissionState, QueueFeature } from '../../../kernel/mission-schema.ts';
import { roleFolders } from '../../../kernel/roles/call-role.ts';
import { conflictNote } from '../../../prompts/conflict-note.ts';
import { feedbackFor } from '../../../prompts/describe-verdict.ts';
import { generalPart } from '../../../prompts/spec-part.ts';
import { loadRole } from '../../../prompts/load-role.ts';
import { renderPrompt } from '../../../prompts/role.ts';
import type { MissionPlace } from '../contract.ts';
import { featureOf } from '../machine/changes.ts';
import { featureNameOf } from '../machine/flying.ts';
import { testsOf } from '../machine/plan.ts';
import { identityOf, MOST_NOTES, readMemory, summaryFor } from '../memory-files.ts';
import { data, lineWith, modelOf } from '../role-call.ts';
import { claimsText, featureText, groundText } from './texts.ts';

export async function briefAtBase(place: MissionPlace, mission: MissionState, flight: Flight): Promise<Brief> {
  const tree = await place.trees.of(flight.base);
  return briefOf(place, mission, flight, { commit: flight.base, tree, branch: flight.branch });
}

/** The same task where the branch stands now; a text says why it is not the same there. */
export async function briefAtHead(place: MissionPlace, mission: MissionState, flight: Flight): Promise<Brief | string> {
  const head = await headOf(place);
  if (head === null || head.branch !== flight.branch) return `branch ${flight.branch} is no longer checked out`;
  return briefOf(place, mission, flight, head);
}

function briefOf(place: MissionPlace, mission: MissionState, flight: Flight, head: Head): Brief {
  const queued = featureOf(mission, featureNameOf(flight));
  const id = numberOfFeature(queued.id);
  const claims = mission.claims.filter((claim) => queued.claims.includes(claim.id));
  const feature: Feature = {
    id,
    description: queued.title,
    test_file: testsOf(queued, mission.claims),
    verification_steps: claims.map(({ text }) => text),
    passes: false,
  };
  const marked = mission.conflicts[queued.id] !== undefined;
  // Work of an earlier attempt, or of an earlier mission, lies under the same name.
  const isUnfinished = marked || mission.unfinished.includes(queued.id);
  const refused = mission.evidence.findLast((one) => one.feature === queued.id && one.tree !== null);
  const tree = refused?.tree ?? null;
  const repairs =
    refused !== undefined &&
    tree !== null &&
    !refused.reasons.some((reason) => reason === 'regression' || reason === 'accepted.failed' || reason.startsWith('tamper.'));
  return {
    head,
    feature,
    kind: 'coding',
    model: modelOf(place, 'worker'),
    list: null,
    reads: (reply) => readReply(reply, queued.id),
    words: async ({ startsFrom }) => ({
      role: 'mission/worker',
      modelRole: 'coding',
      ...(await wordsFor(place, mission, queued, { tree: head.tree, startsFrom })),
    }),
    claims: async () => false,
    unfinished: isUnfinished ? { feature: id, marked } : null,
    refused: repairs ? { tree, base: refused.base } : null,
    refusedBy: refused?.verdict ?? null,
    completed: mission.features.filter(({ status }) => status === 'passed').map((one) => numberOfFeature(one.id)),
    open: mission.features.filter(({ status }) => status !== 'passed').length,
    unwritten: mission.features.filter(({ status }) => status !== 'passed').flatMap((one) => testsOf(one, mission.claims)),
    documents: ['mission.json'],
  };
}

/** `DONE <id>` claims this feature, and no other; `BLOCKED` says why nobody can. */
export function readReply(reply: string, id: string): { claims: boolean; message: string } {
  const match = lineWith(reply, /^(?:DONE\s+(\S+)|BLOCKED\b[:\s]*(.*))$/);
  if (match === null) return { claims: false, message: '' };
  if (match[1] !== undefined)
    return {
      claims: match[1] === id,
      message: match[1] === id ? '' : `the worker says that it has built ${match[1].slice(0, 40)}, not ${id}`,
    };
  return { claims: false, message: `${BLOCKED}${(match[2] ?? '').slice(0, 500)}` };
}

export const BLOCKED = 'BLOCKED ';

async function wordsFor(
  place: MissionPlace,
  mission: MissionState,
  feature: QueueFeature,
  start: { tree: string; startsFrom: string },
): Promise<{ system: string; prompt: string }> {
  const role = await loadRole(place.platform, 'mission/worker', roleFolders(place));
  const identity = await identityOf(place, 'worker');
  const variables = {
    summary: await summaryFor(place, 'worker'),
    feature: featureText(feature),
    claims: claimsText(feature, mission.claims),
    ground: groundText(feature, mission),
    tests: data('test files', testsOf(feature, mission.claims).join('\n')),
    commands: await commandsText(place, start.tree, testsOf(feature, mission.claims)),
    rules: rulesText(place.spec, mission),
    notes: await notesText(place, mission, feature),
    refused: await refusalText(place, mission, feature.id, start.startsFrom !== start.tree),
  };
  return {
    system: identity === '' ? role.system : `${role.system}\n\n${identity}`,
    prompt: relativePaths(place, renderPrompt(role, variables)),
  };
}

async function commandsText(place: MissionPlace, tree: string, tests: readonly string[]): Promise<string> {
  const [own, full] = [await testCommand(place, tree, tests), place.config.testing.full];
  const run = own === full ? `Run them with \`${full}\`` : `Run them with \`${own}\`, and the whole suite with \`${full}\``;
  return `${run}: the harness runs the same, and no test that passes today may fail.`;
}

function rulesText(spec: string, { spec: { path }, claims }: MissionState): string {
  const rules = generalPart(
    spec,
    claims.map(({ text }) => text),
  );
  return rules === '' ? '' : `What the specification (${path}) asks of all of the work:\n\n${data('general rules', rules)}`;
}

/** What was noted for this feature, by whoever planned, reviewed or built before. */
async function notesText(place: MissionPlace, mission: MissionState, feature: QueueFeature): Promise<string> {
  const near = new Set([null, feature.id, ...feature.depends_on]);
  const { notes } = await readMemory(place);
  const left = notes.filter((note) => note.kind === 'NOTE' && near.has(note.feature)).map((note) => `${note.role}: ${note.text}`);
  const people = mission.notes.filter((note) => note.startsWith('person: '));
  const all = [...people, ...left.slice(-MOST_NOTES), ...feature.notes.slice(-10)];
  const { review } = mission;
  return [
    ...(all.length === 0 ? [] : [`Notes for this feature:\n\n${data('notes', all.join('\n'))}`]),
    ...(review === null || review.trim() === '' ? [] : [`What the reviewer of the plan noted:\n\n${data('review', review, 4_000)}`]),
  ].join('\n\n');
}

/** Why the last attempt was not accepted, in the harness's own words, and what the copy holds. */
async function refusalText(place: MissionPlace, mission: MissionState, id: string, holdsWork: boolean): Promise<string> {
  const conflict = mission.conflicts[id];
  const last = mission.evidence.findLast((one) => one.feature === id);
  const verdict = last?.verdict === undefined || last.verdict === null ? null : await readVerdict(place, last.verdict);
  const why =
    verdict !== null && verdict.decision !== 'accepted'
      ? feedbackFor(verdict)
      : last === undefined
        ? ''
        : data('what happened', last.message, 4_000);
  return [
    ...(why === '' ? [] : ['## Why the last attempt was not accepted', '', why]),
    ...(conflict === undefined ? (why === '' && !holdsWork ? [] : ['', ...startWords(holdsWork)]) : [conflictNote(conflict.paths)]),
  ].join('\n');
}

function startWords(holdsWork: boolean): string[] {
  return holdsWork
    ? ['Your copy holds the files of the last attempt (`git status`, `git diff HEAD`). Repair what is named above, and keep the rest.']
    : ['Your copy starts from the branch: nothing of the last attempt is in it.'];
}
