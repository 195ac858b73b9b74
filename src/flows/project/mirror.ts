/** The feature list as the GitHub mirror shows it, and the sync at the end of a session. */
import type { Flight } from '../../domain/session.ts';
import { testFilesOf } from '../../domain/test-files.ts';
import { syncWithGithub, type MirroredFeature, type MirrorReport } from '../../kernel/mirror.ts';
import { readVerdict } from '../../kernel/flight/verdict-files.ts';
import { readPast, type Past } from './look/past.ts';
import type { Project } from './project.ts';

export async function syncProject(
  project: Project,
  options: { preview: boolean; thorough?: boolean; ended?: Ended },
): Promise<MirrorReport> {
  return await syncWithGithub(project, await mirroredFeatures(project, await readPast(project), options.ended ?? null), options);
}

/** `on_sync_failure: warn` tells of it and goes on; `fail` pauses the project, so that a person looks. */
export async function syncAfterSession(project: Project, ended: Ended): Promise<void> {
  const { github } = project.config;
  if (!github.sync_on_session_end) return;
  const report = await syncProject(project, { preview: false, ended });
  if (report.kind !== 'failed') return;
  project.emit({
    type: 'warning',
    message: `the GitHub mirror of ${report.repository} is behind: ${report.message}. Catch up with: harness sync`,
  });
  if (github.on_sync_failure === 'fail') await project.documents.requests.ask({ kind: 'pause' });
}

/** The session that has just ended: it is not in the records yet. */
type Ended = Pick<Flight, 'feature' | 'commit' | 'verdict'>;

async function mirroredFeatures(project: Project, past: Past, ended: Ended | null): Promise<MirroredFeature[]> {
  const rows: MirroredFeature[] = [];
  for (const feature of past.features) {
    const recorded = past.sessions.findLast((record) => record.feature_id === feature.id && record.outcome === 'verified');
    const proof = ended?.feature === feature.id && ended.commit !== null ? ended : recorded;
    const verdict = proof?.verdict ?? null;
    const tests = feature.passes && verdict !== null ? ((await readVerdict(project, verdict))?.red_to_green ?? []) : [];
    rows.push({
      id: feature.id,
      description: feature.description,
      category: feature.category ?? null,
      steps: feature.verification_steps ?? [],
      dependsOn: feature.depends_on ?? [],
      testFiles: testFilesOf(feature),
      passes: feature.passes,
      proof: !feature.passes || proof?.commit === null || proof?.commit === undefined ? null : { commit: proof.commit, verdict, tests },
    });
  }
  return rows;
}
