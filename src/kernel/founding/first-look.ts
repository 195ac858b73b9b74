/** The first look at a project on its branch: which tests pass, and how large its files are. */
import type { Baseline } from '../../domain/session.ts';
import { measureSizes } from '../../verify/memory/sizes.ts';
import { storeBaseline } from '../flight/baseline.ts';
import type { FlightPlace, Head } from '../flight/contract.ts';
import { writeSizes } from '../flight/memory-files.ts';
import { runTests } from '../flight/run-context.ts';

export async function lookFirst(place: FlightPlace, { commit, tree }: Head, session: number): Promise<Baseline> {
  const run = await runTests(place, { tree }, { noCache: false });
  for (const problem of run.problems) place.emit({ type: 'warning', message: `test run: ${problem}` });
  if (run.runner === 'exit-code' && place.config.verification.require_evidence)
    place.emit({
      type: 'warning',
      message:
        'the test command is read by its exit status alone. Where it prints no summary of a known test runner, no claim can show evidence: set verification.require_evidence: false then',
    });
  const baseline = await storeBaseline(place, { commit, tree }, session, run);
  const sizes = await measureSizes(place.trees, tree, { session, previous: {}, maxLines: place.config.quality.max_file_lines });
  await writeSizes(place, { session, tree, files: sizes.files });
  return baseline;
}
