/**
 * What landed is written down.
 *
 * 1. Documentation lands only when nothing but `docs/` changed, everything that passed still does, and its writer came to an end.
 * 2. Where the branch went on meanwhile, the same pages are brought onto its new commit and looked at again there.
 */
import { missionFeatureNumber } from '../../../domain/feature-name.ts';
import type { Head } from '../../../kernel/flight/contract.ts';
import { judgeWork } from '../../../kernel/flight/judge-work.ts';
import { commitCandidate, landCandidate, type LandedCandidate } from '../../../kernel/flight/land-candidate.ts';
import { inTreeTurn } from '../../../kernel/flight/in-turn.ts';
import { committedHead, headOf } from '../../../kernel/ground/head.ts';
import { differenceText } from '../../../kernel/ground/difference.ts';
import type { MissionPlace, StepFunction } from '../contract.ts';
import { featureOf } from '../machine/changes.ts';
import { undocumented } from '../machine/machine.ts';
import { callMissionRole, data } from '../role-call.ts';
import { featureText } from '../words/texts.ts';
import { firstItem } from '../../../domain/items.ts';

export const document: StepFunction = async (place, { mission }) => {
  const ids = undocumented(mission, place.rules);
  const head = await committedHead(place);
  const called = await callMissionRole(place, mission, {
    role: 'documenter',
    output: null,
    tree: head.tree,
    ...(ids.length === 1 ? { feature: firstItem(ids) } : {}),
    keeps: 'tree',
    variables: {
      feature: ids.map((id) => featureText(featureOf(mission, id))).join('\n\n'),
      difference: data('what landed', await whatLanded(place, ids), 60_000),
    },
  });
  if (called.kind === 'delayed') return called.progress;
  const { capture, stop } = called.result;
  const why = await (stop !== null
    ? `it was stopped (${stop.message})`
    : capture === null || capture.tree === head.tree
      ? 'nothing was written'
      : landDocs(place, head, capture, ids));
  if (why !== null) place.emit({ type: 'warning', message: `documentation of ${ids.join(', ')} is dropped: ${why}` });
  return { event: { type: 'documented', features: ids } };
};

/** The features' own commits, whatever landed after them. */
async function whatLanded(place: MissionPlace, ids: readonly string[]): Promise<string> {
  const records = await place.history.all();
  const texts: string[] = [];
  for (const id of ids) {
    const feature = missionFeatureNumber(id);
    const commit = records.findLast(
      (record) => record.feature_id === feature && record.outcome === 'verified' && record.commit !== null,
    )?.commit;
    texts.push(`${id}\n${commit === undefined || commit === null ? 'merged by a person' : await changeOf(place, commit)}`);
  }
  return texts.join('\n\n');
}

async function changeOf(place: MissionPlace, commit: string): Promise<string> {
  const tree = await place.trees.resolve(commit);
  const before = await place.trees.resolve(`${commit}~1`);
  return tree === null || before === null ? 'its commit is no longer in the repository' : await differenceText(place, before, tree);
}

type Docs = Pick<NonNullable<Parameters<typeof judgeWork>[1]['candidate']>, 'tree' | 'findings'>;

const MOST_MOVES = 3;

/** Why nothing landed; null: it did. */
async function landDocs(place: MissionPlace, begin: Head, docs: Docs, ids: readonly string[]): Promise<string | null> {
  let [head, tree] = [begin, docs.tree];
  for (let moves = 0; moves <= MOST_MOVES; moves++) {
    const against = await refusal(place, head, { ...docs, tree });
    if (against !== null) return against;
    const landed = await land(place, head, tree, ids);
    if (landed.kind === 'landed') return null;
    if (landed.kind === 'conflict') return `files in your working tree are in the way: ${landed.paths}`;
    const now = await headOf(place);
    if (now === null || now.branch !== begin.branch) return `branch ${begin.branch} is no longer checked out`;
    const onto = await bringOnto(place, { from: begin.tree, docs: docs.tree, onto: now.tree });
    if (onto === null) return 'others changed the same pages in the meantime';
    [head, tree] = [now, onto];
  }
  return `branch ${begin.branch} kept moving`;
}

async function refusal(place: MissionPlace, head: Head, docs: Docs): Promise<string | null> {
  const outside = (await place.trees.diff(head.tree, docs.tree)).map(({ path }) => path).filter((path) => !path.startsWith('docs/'));
  if (outside.length > 0) return `it changes more than docs/: ${outside.slice(0, 5).join(', ')}`;
  const judged = await judgeWork(place, { base: head, candidate: docs, testCommand: place.config.testing.full });
  await place.rooms.dispose();
  const against = [...judged.findings, ...(judged.tests?.findings ?? [])].filter(({ weight }) => weight !== 'warn');
  const failed = judged.tests?.suite.tests.find(({ status }) => status === 'failed' || status === 'error');
  return against[0]?.message ?? (failed === undefined ? null : `${failed.id} fails with it`);
}

async function land(place: MissionPlace, head: Head, tree: string, ids: readonly string[]): Promise<LandedCandidate> {
  const text = { subject: `Document ${ids.join(', ')}`, trailers: { 'Harness-Feature': ids.join(', ') } };
  return await inTreeTurn(place, async () => {
    const commit = await commitCandidate(place, { base: head.commit, tree }, text);
    return await landCandidate(place, { branch: head.branch, base: head.commit, commit, passing: [] });
  });
}

/** The same changes on another tree; null where that one changed the same files. */
async function bringOnto(place: MissionPlace, { from, docs, onto }: { from: string; docs: string; onto: string }): Promise<string | null> {
  const theirs = new Set((await place.trees.diff(from, onto)).map(({ path }) => path));
  const changes = await place.trees.diff(from, docs);
  if (changes.some(({ path }) => theirs.has(path))) return null;
  return await place.trees.compose(
    onto,
    changes.map(({ path, to }) => (to === null ? { path, kind: 'delete' as const } : { path, kind: 'entry' as const, entry: to })),
  );
}
