/** From a commit to the user's branch, by compare and swap, and what follows from it: baseline, sizes, quality warnings. */
import { inPhase } from '../../../domain/must-have.ts';
import type { Flight } from '../../../domain/session.ts';
import type { Verdict } from '../../../domain/verdict.ts';
import { measureSizes } from '../../../verify/memory/sizes.ts';
import { finishLanding } from '../../../workspace/land.ts';
import { recordAccepted, type AcceptedWork } from '../accepted-tests.ts';
import type { FlightPlace } from '../contract.ts';
import { takeHomeBack } from '../in-place.ts';
import { adoptHidden } from '../hidden-files.ts';
import { clearIndexLock, tellCutOff } from '../leftovers.ts';
import { sinceWhen, type FlightEvent } from '../machine.ts';
import { readSizes, writeBaseline, writeSizes } from '../memory-files.ts';
import { inTreeTurn } from '../in-turn.ts';
import { adoptPictures } from '../pictures.ts';
import { adoptLedger, readVerdict } from '../verdict-files.ts';

export async function land(place: FlightPlace, flight: Flight): Promise<FlightEvent> {
  const { session, feature, branch, base } = flight;
  const commit = inPhase(flight, 'commit');
  const interrupted = flight.cut_off === 'landing';
  if (interrupted) await clearIndexLock(place);
  await takeHomeBack(place, session);
  const landing = await inTreeTurn(place, () => finishLanding(place.platform, { home: place.home, branch, base, commit }));
  if (landing.kind !== 'landed') {
    if (interrupted) tellCutOff(place, flight, 'its accepted work could not land where the branch stands now');
    if (flight.pushes > 0) return { type: 'turned.back' };
    return landing.kind === 'moved'
      ? { type: 'moved', message: `branch ${branch} moved ${sinceWhen(flight)}; the work is kept and judged again on the new commit` }
      : {
          type: 'stranded',
          reason: 'git.conflict',
          message: `files in your working tree are in the way: ${landing.paths.slice(0, 5).join(', ')}`,
        };
  }
  if (interrupted) tellCutOff(place, flight, 'its accepted commit is in place');
  else place.emit({ type: 'commit.created', session, feature, commit, branch });
  const verdict = await readVerdict(place, inPhase(flight, 'verdict'));
  if (verdict !== null && flight.pushes === 0) {
    await recordAccepted(place, await acceptedWith(place, flight, verdict));
    await recordLanding(place, verdict, commit, inPhase(flight, 'tree'));
  }
  return { type: 'landed', pushes: place.config.git.push };
}

/** What a person saw failing and released, in the first verdict and in the one on the branch's new commit, and what the feature may change. */
async function acceptedWith(place: FlightPlace, flight: Flight, verdict: Verdict): Promise<AcceptedWork> {
  const { base, accepted } = flight;
  const seen = accepted?.releases === true ? [await readVerdict(place, accepted.verdict), verdict] : [];
  return {
    session: verdict.session,
    feature: verdict.feature,
    base,
    tree: inPhase(flight, 'tree'),
    passing: verdict.passing_tests,
    isExact: verdict.decision === 'accepted',
    releases: [
      { by: 'feature', versions: verdict.earlier_versions?.released ?? [] },
      { by: 'person', versions: seen.flatMap((one) => one?.earlier_versions?.failed ?? []) },
    ],
  };
}

/** Everything derived from an accepted tree; can be done again after a crash. */
async function recordLanding(place: FlightPlace, verdict: Verdict, commit: string, tree: string): Promise<void> {
  await writeBaseline(place, {
    session: verdict.session,
    commit,
    tree,
    runner: verdict.runner,
    passing_tests: verdict.passing_tests,
    total_passing: verdict.passing_tests.length,
    total_tests: verdict.total_tests,
  });
  const before = await readSizes(place);
  await adoptLedger(place, verdict.id);
  await adoptPictures(place, verdict);
  await adoptHidden(place, verdict);
  const sizes = await measureSizes(place.trees, tree, {
    session: verdict.session,
    previous: before?.files ?? {},
    previousTree: before?.tree,
    maxLines: place.config.quality.max_file_lines,
  });
  await writeSizes(place, { session: verdict.session, tree, files: sizes.files });
  for (const warning of sizes.warnings) place.emit({ type: 'quality.warning', ...warning });
}
