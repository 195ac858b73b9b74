/** What was tried when a project was adopted: its checks, and what its failing tests need. */
import { commandSources } from '../../verify/run/command-sources.ts';
import { chooseCommand } from '../../verify/run/test-command.ts';
import type { FlightPlace, Head } from '../flight/contract.ts';
import type { NewSettings } from './new-settings.ts';
import { failingChecks, recordLeftOut, tryCheck, type LeftOut } from './try-checks.ts';
import { explainFailures, type Failing } from './try-surroundings.ts';
import type { Surroundings } from './variations.ts';

export interface Trials {
  /** Checks that are held against work, as name and command. */
  kept: { name: string; command: string }[];
  /** A line for each check that is not. */
  leftOut: string[];
  /** Set in the new settings file (`set`), or to be set in the person's; null: nothing is needed, or nothing helps. */
  needs: { surroundings: Surroundings; gained: number; isSet: boolean } | null;
}

/** For settings that were just written. */
export async function trialsOf(place: FlightPlace, head: Head, { leftOut, explanation }: NewSettings): Promise<Trials> {
  const needs = explanation === null ? null : { surroundings: explanation.surroundings, gained: explanation.gained, isSet: true };
  return await concluded(place, head, leftOut, needs);
}

/** For settings that a person wrote: nothing in them is changed. */
export async function trialsAt(place: FlightPlace, head: Head, failing: Failing): Promise<Trials> {
  const explanation = await explainFailures(place, head.tree, failing);
  const needs = explanation === null ? null : { surroundings: explanation.surroundings, gained: explanation.gained, isSet: false };
  return await concluded(place, head, await failingChecks(place, head.tree), needs);
}

async function concluded(place: FlightPlace, head: Head, leftOut: readonly LeftOut[], needs: Trials['needs']): Promise<Trials> {
  const steps = await failingOwnSteps(place, head.tree);
  const all = [...leftOut, ...steps];
  const lines = await recordLeftOut(place, head, all);
  const { lint, type_check } = place.config.testing.sanity;
  const kept = [
    { name: 'lint', command: lint },
    { name: 'type check', command: type_check },
  ].filter((one): one is { name: string; command: string } => one.command !== null && !all.some(({ command }) => command === one.command));
  return { kept, leftOut: lines, needs };
}

/** Checks among the steps of the test command: compared with base in each verdict, so that one that fails on both refuses nothing. */
async function failingOwnSteps(place: FlightPlace, tree: string): Promise<LeftOut[]> {
  const { full, report } = place.config.testing;
  const { checks } = chooseCommand(full, report, await commandSources(place.trees, tree, [full])).resolved;
  const failing: LeftOut[] = [];
  for (const command of checks) {
    const failed = await tryCheck(place, tree, { name: 'step', command });
    if (failed !== null) failing.push(failed);
  }
  return failing;
}
