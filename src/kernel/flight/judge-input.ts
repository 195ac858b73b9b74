/** What all ways to the judge share: a claim of one feature, and what passed on the base. */
import type { Feature } from '../../domain/feature.ts';
import type { Baseline } from '../../domain/session.ts';
import { countTests } from '../../domain/test-results.ts';
import type { TestRun } from '../../domain/verdict.ts';
import type { JudgeInput, RunContext } from '../../verify/contract.ts';
import { passingIds } from '../../verify/memory/baseline.ts';
import { runSuite } from '../../verify/run/suite.ts';
import type { Place } from '../place.ts';
import { newBaseline } from './memory-files.ts';

/** A list that no project has, with one feature. Null: nothing is claimed, and what passed before has to pass. */
export function loneClaim(project: string, feature: Feature | null): Pick<JudgeInput, 'mode' | 'feature' | 'features'> {
  const list = (passes: boolean): string => JSON.stringify({ project, features: feature === null ? [] : [{ ...feature, passes }] });
  return { mode: feature === null ? 'cleanup' : 'feature', feature, features: { trusted: list(false), candidate: list(true) } };
}

export interface Measured {
  base: { commit: string; tree: string };
  session: number;
}

/** What a run of the tests on the base says. */
export function baselineOf(
  platform: Place['platform'],
  { base, session }: Measured,
  run: TestRun,
  more: { nothing?: string | null; command?: string | null } = {},
): Baseline {
  const passing = [...new Set(passingIds(run.tests))].toSorted();
  return newBaseline(platform, {
    session,
    commit: base.commit,
    tree: base.tree,
    runner: run.runner,
    passing_tests: passing,
    total_passing: passing.length,
    total_tests: countTests(run.tests),
    ...more,
  });
}

/** Where what passed on the base is kept. */
export interface BaselineShelf {
  read(): Promise<Baseline | null>;
  write(baseline: Baseline): Promise<void>;
}

/** Run once for this base and this command. */
export async function baselineOnce(
  { platform }: Pick<Place, 'platform'>,
  shelf: BaselineShelf,
  measured: Measured & { command: string },
  context: RunContext,
): Promise<Baseline> {
  const { base, command } = measured;
  const known = await shelf.read();
  if (known !== null && known.tree === base.tree && known['command'] === command) return known;
  const run = await runSuite(platform, { ...context, tree: base.tree, purpose: 'baseline' });
  const baseline = baselineOf(platform, measured, run, { command });
  await shelf.write(baseline);
  return baseline;
}
