/** The pull requests of a mission's accepted work: one for each feature, with the story of its verdict. */
import { harmlessMarkdown } from '../../../domain/harmless-markdown.ts';
import { describeVerdict } from '../../../prompts/describe-verdict.ts';
import { verdictOfTree } from '../../../kernel/flight/verdict-files.ts';
import { publishWork, type Work } from '../../../kernel/pull-requests.ts';
import type { MissionPlace } from '../contract.ts';
import { featureOf } from '../machine/changes.ts';
import type { MissionState } from '../../../kernel/mission-schema.ts';

/** For the sentence that says what waits: which pull requests stand for it, or why there are none. */
export async function pullNote(place: MissionPlace, mission: MissionState, base: string): Promise<string> {
  const works: Work[] = [];
  for (const id of mission.kept) works.push(await workOf(place, mission, id));
  const report = await publishWork(place, base, works);
  if (report.kind === 'none') {
    place.emit({ type: 'warning', message: `there are no pull requests for the accepted work: ${report.why}. The branches are kept` });
    return '';
  }
  return ` (pull requests: ${report.pulls.map(({ id, number, kind }) => `#${number} for ${id}, ${kind}`).join('; ')})`;
}

/** A feature's pull request stands as soon as its work is accepted; what is missing for it is told once nothing else is left. */
export async function tellPull(place: MissionPlace, mission: MissionState, id: string, base: string): Promise<void> {
  const report = await publishWork(place, base, [await workOf(place, mission, id)]);
  if (report.kind === 'none') return;
  for (const { number, kind } of report.pulls) place.emit({ type: 'progress', message: `pull request #${number} for ${id}: ${kind}` });
}

async function workOf(place: MissionPlace, mission: MissionState, id: string): Promise<Work> {
  const feature = featureOf(mission, id);
  const tree = await place.trees.resolve(`refs/heads/harness/${id}`);
  const verdict = tree === null ? null : await verdictOfTree(place, tree);
  const claims = mission.claims.filter((claim) => feature.claims.includes(claim.id));
  const body = [
    harmlessMarkdown(feature.title),
    ['What it proves:', ...claims.map((claim) => `- ${claim.id}: ${harmlessMarkdown(claim.text)}`)].join('\n'),
    ...(verdict === null
      ? []
      : [['How it was judged:', ...describeVerdict(verdict).map((line) => `- ${harmlessMarkdown(line)}`)].join('\n')]),
    ...(verdict === null ? [] : [`Verdict: ${verdict.id} (harness verify --verdict ${verdict.id} shows it)`]),
  ].join('\n\n');
  return { id, title: `${id}: ${feature.title.replace(/\s+/g, ' ').slice(0, 150)}`, body };
}
