/** The end of a flight as the project sees it: a session, or a candidate that a person had accepted. */
import type { Flight } from '../../../domain/session.ts';
import { renewBaseline } from '../../../kernel/flight/baseline.ts';
import type { Brief } from '../../../kernel/flight/contract.ts';
import { isAcceptedByPerson } from '../../../kernel/flight/machine.ts';
import { settle as settleFlight, type Landed } from '../../../kernel/flight/steps/settle.ts';
import { readVerdict } from '../../../kernel/flight/verdict-files.ts';
import { tokensOf } from '../../../domain/money.ts';
import type { Closing, Ending } from '../machine/settlement.ts';
import type { RunEvent } from '../machine/running.ts';
import { pendingFor } from '../people/pending.ts';
import { syncAfterSession } from '../mirror.ts';
import type { Project } from '../project.ts';
import { inPhase } from '../../../domain/must-have.ts';
import { harmlessMarkdown } from '../../../domain/harmless-markdown.ts';
import { describeVerdict } from '../../../prompts/describe-verdict.ts';
import { pullId, rememberPull } from '../../../kernel/follow-pulls.ts';
import { publishLanded, type Landed as LandedCommit, type Wanted } from '../../../kernel/landed-work.ts';
import { firstItem, lastItem } from '../../../domain/items.ts';

export async function settle(project: Project, flight: Flight, brief: Brief): Promise<RunEvent> {
  const landed = await settleFlight(project, flight, brief);
  if (isAcceptedByPerson(flight)) return await settleAccepted(project, flight, landed, brief.open);
  await syncAfterSession(project, flight);
  await publishAfterSession(project, flight);
  const { spent, model, backend, end } = landed;
  const closing: Closing = { spent: { ...spent, tokens: tokensOf(spent.usage) }, model, backend, message: end.message };
  return { type: 'settled', ending: endingOf(flight, landed, brief.open), closing };
}

function endingOf(flight: Flight, { end, kept }: Landed, open: number): Ending {
  const { reasons } = end;
  switch (end.kind) {
    case 'verified':
      return { kind: 'verified', commit: inPhase(flight, 'commit'), open };
    case 'needs_human':
      return { kind: 'needs_human', reasons, pending: pendingFor(flight, reasons) };
    case 'rejected':
      return { kind: 'rejected', reasons, wip: kept };
    case 'partial':
      return { kind: 'partial', reasons, wip: kept, outage: end.outage };
    case 'not_started':
      return { kind: 'not_started', reasons };
    case 'cut_off':
      return { kind: 'cut_off', wip: kept };
  }
}

/** What a person let through was judged with trusted files in place of some of its own: what passes now is asked again. */
async function settleAccepted(project: Project, flight: Flight, { end, kept }: Landed, open: number): Promise<RunEvent> {
  if (end.kind !== 'verified') {
    project.emit({ type: 'warning', message: `the accepted candidate can no longer land: ${end.message}` });
    return { type: 'stale', wip: kept };
  }
  const commit = inPhase(flight, 'commit');
  const tree = inPhase(flight, 'tree');
  await renewBaseline(project, { commit, tree }, flight.session, { noCache: false });
  await syncAfterSession(project, flight);
  await publishAfterSession(project, flight);
  const vouched = (await readVerdict(project, inPhase(flight, 'verdict')))?.decision === 'rejected';
  return { type: 'settled', ending: { kind: 'verified', commit, open, vouched }, closing: null };
}

/** What is missing for one is said; nothing here changes by it, and the next accepted commit tries again. */
async function publishAfterSession(project: Project, flight: Pick<Flight, 'end' | 'branch'>): Promise<void> {
  const { pull_requests } = project.config.github;
  if (pull_requests === 'off' || flight.end?.kind !== 'verified') return;
  const wantedOf = pull_requests === 'per_run' ? forRun : forFeature;
  const report = await publishLanded(project, flight.branch, (landed) => wantedOf(project, flight.branch, landed));
  if (report.kind === 'none') project.emit({ type: 'warning', message: `there is no pull request for the accepted work: ${report.why}` });
  if (report.kind !== 'published') return;
  const { number, kind } = report.pull;
  project.emit({ type: 'progress', message: `pull request #${number} (harness/${report.id}): ${kind}` });
  if (kind !== 'merged' && kind !== 'closed') await rememberPull(project, { number, branch: `harness/${report.id}` });
}

async function forRun(project: Project, branch: string, landed: readonly LandedCommit[]): Promise<Wanted> {
  const features = landed.filter((one) => one.features !== '');
  const title = features.length === 1 ? firstItem(features).subject : `${features.length} features, verified by the harness`;
  const stories = await Promise.all(landed.map((one) => storyOf(project, one)));
  return { id: pullId(branch), commit: lastItem(landed).commit, title, body: stories.join('\n\n'), on: [] };
}

async function forFeature(project: Project, branch: string, landed: readonly LandedCommit[]): Promise<Wanted> {
  const last = lastItem(landed);
  const on = landed.slice(0, -1).map((one) => idOf(branch, one));
  return { id: idOf(branch, last), commit: last.commit, title: last.subject, body: await storyOf(project, last), on };
}

function idOf(branch: string, { features, commit }: LandedCommit): string {
  const what = features === '' ? commit.slice(0, 10) : `feature-${features.replaceAll(/[^A-Za-z0-9]+/g, '-')}`;
  return `${pullId(branch)}-${what}`;
}

async function storyOf(project: Project, { subject, commit, verdict: id }: LandedCommit): Promise<string> {
  const verdict = await readVerdict(project, id);
  const lines = verdict === null ? [] : describeVerdict(verdict).map((line) => `- ${harmlessMarkdown(line)}`);
  return [
    `### ${harmlessMarkdown(subject)}`,
    [`Commit ${commit.slice(0, 10)}, verdict ${id} (harness verify --verdict ${id} shows it).`, ...lines].join('\n'),
  ].join('\n\n');
}
