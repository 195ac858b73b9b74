/** The pull requests of `harness run`: one for all that a branch has accepted, or one for each feature, with the story of the verdict. */
import { harmlessMarkdown } from '../../domain/harmless-markdown.ts';
import type { Flight } from '../../domain/session.ts';
import { describeVerdict } from '../../prompts/describe-verdict.ts';
import { pullId, rememberPull } from '../../kernel/follow-pulls.ts';
import { publishLanded, type Landed, type Wanted } from '../../kernel/landed-work.ts';
import { readVerdict } from '../../kernel/flight/verdict-files.ts';
import type { Project } from './project.ts';
import { firstItem, lastItem } from '../../domain/items.ts';

/** What is missing for one is said; nothing here changes by it, and the next accepted commit tries again. */
export async function publishAfterSession(project: Project, flight: Pick<Flight, 'end' | 'branch'>): Promise<void> {
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

async function forRun(project: Project, branch: string, landed: readonly Landed[]): Promise<Wanted> {
  const features = landed.filter((one) => one.features !== '');
  const title = features.length === 1 ? firstItem(features).subject : `${features.length} features, verified by the harness`;
  const stories = await Promise.all(landed.map((one) => storyOf(project, one)));
  return { id: pullId(branch), commit: lastItem(landed).commit, title, body: stories.join('\n\n'), on: [] };
}

async function forFeature(project: Project, branch: string, landed: readonly Landed[]): Promise<Wanted> {
  const last = lastItem(landed);
  const on = landed.slice(0, -1).map((one) => idOf(branch, one));
  return { id: idOf(branch, last), commit: last.commit, title: last.subject, body: await storyOf(project, last), on };
}

function idOf(branch: string, { features, commit }: Landed): string {
  const what = features === '' ? commit.slice(0, 10) : `feature-${features.replaceAll(/[^A-Za-z0-9]+/g, '-')}`;
  return `${pullId(branch)}-${what}`;
}

async function storyOf(project: Project, { subject, commit, verdict: id }: Landed): Promise<string> {
  const verdict = await readVerdict(project, id);
  const lines = verdict === null ? [] : describeVerdict(verdict).map((line) => `- ${harmlessMarkdown(line)}`);
  return [
    `### ${harmlessMarkdown(subject)}`,
    [`Commit ${commit.slice(0, 10)}, verdict ${id} (harness verify --verdict ${id} shows it).`, ...lines].join('\n'),
  ].join('\n\n');
}
