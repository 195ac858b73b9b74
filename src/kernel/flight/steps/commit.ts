/** The commit of an accepted tree, made and not yet on the branch: its id is in the state before the branch moves. */
import { featureKey, featureLabel } from '../../../domain/feature-name.ts';
import { cleanText } from '../../../domain/clean-text.ts';
import type { Flight } from '../../../domain/session.ts';
import type { TrailerName, Trailers } from '../../../domain/trailers.ts';
import type { Finding, Verdict } from '../../../domain/verdict.ts';
import { HARNESS_VERSION } from '../../../domain/version.ts';
import { withTrailers } from '../../../workspace/commit.ts';
import { makeCommit } from '../../../workspace/land.ts';
import { runCommitHooks } from '../commit-hooks.ts';
import type { Brief, FlightPlace } from '../contract.ts';
import type { FlightEvent } from '../machine.ts';
import { readVerdict } from '../verdict-files.ts';
import { inPhase } from '../../../domain/must-have.ts';

export async function commit(place: FlightPlace, flight: Flight, brief: Brief): Promise<FlightEvent> {
  const { head } = brief;
  const tree = inPhase(flight, 'tree');
  const wanted = commitMessage(flight, brief, await readVerdict(place, inPhase(flight, 'verdict')));
  const hooked = place.config.git.hooks
    ? await runCommitHooks(place, { head, tree, message: wanted })
    : { kind: 'passed' as const, message: wanted };
  if (hooked.kind === 'refused') return { type: 'stranded', reason: 'git.hook', message: hooked.message };
  const made = await makeCommit(place.platform, { home: place.home, base: brief.tip ?? head.commit, tree, message: hooked.message });
  return { type: 'committed', commit: made };
}

/** What was changed of what is protected otherwise, and by whose leave. */
function shownDifferences(verdict: Verdict | null): Trailers {
  const subjects = (wanted: (finding: Finding) => boolean): string[] => [
    ...new Set((verdict?.findings ?? []).filter(wanted).flatMap((finding) => finding.subjects)),
  ];
  const line = (name: TrailerName, values: readonly string[]): Trailers =>
    values.length === 0 ? {} : { [name]: cleanText(values.slice(0, 20).join(', ')).replace(/\s+/g, ' ') };
  return {
    ...line(
      'Harness-Tests-Changed',
      subjects(({ reason, weight, check }) => check === 'protected' && weight === 'warn' && reason === 'tamper.tests'),
    ),
    ...line(
      'Harness-Dependencies-Added',
      subjects(({ reason, weight }) => weight === 'warn' && reason === 'dependencies.changed'),
    ),
    ...(verdict === null || verdict.decision === 'accepted' ? {} : line('Harness-Accepted-By-Person', verdict.reasons)),
  };
}

function commitMessage({ session, repairs, agent, verdict: id }: Flight, { feature }: Brief, verdict: Verdict | null): string {
  const description = feature === null ? '' : cleanText(feature.description).replace(/\s+/g, ' ').trim();
  const subject =
    feature === null
      ? `${repairs === null ? 'Clean up' : 'Repair'} (session ${session})`
      : `Feature ${featureLabel(feature.id)}: ${description}`;
  const trailers: Trailers = {
    'Harness-Session': session,
    ...(agent === undefined ? {} : { 'Harness-Agent': cleanText([agent.backend, agent.model ?? ''].join(' ').trim()) }),
    ...(feature === null ? {} : { 'Harness-Feature': featureKey(feature.id) }),
    ...(verdict === null
      ? {}
      : { 'Harness-Tests': `${verdict.feature_tests.length} of the feature passed, ${verdict.kept_green} kept green` }),
    ...shownDifferences(verdict),
    'Harness-Verdict': id ?? '',
    'Harness-Version': HARNESS_VERSION,
  };
  return `${withTrailers(subject.length <= 100 ? subject : `${subject.slice(0, 99)}…`, trailers)}\n`;
}
