/** Hidden tests with their code: only for a person at a terminal or on the page. */
import { readHidden, readKept, type KeptTests, type VerdictTests } from '../../../kernel/flight/hidden-files.ts';
import type { Place } from '../../../kernel/place.ts';
import type { ProjectState } from '../../../domain/session.ts';

export interface HiddenTestList {
  /** Of the work that waits for a review; null: none waits, or it has no hidden tests. */
  reviewed: WaitingTests | null;
  /** Of accepted features, by number; released ones too. */
  kept: KeptTests['tests'];
}

interface WaitingTests extends Pick<VerdictTests, 'feature' | 'description' | 'tests'> {
  session: number;
}

export async function listHiddenTests(
  place: Pick<Place, 'documents'>,
  { pending }: Pick<ProjectState, 'pending'>,
  feature: number | null,
): Promise<HiddenTestList> {
  const isWanted = (one: { feature: number }): boolean => feature === null || one.feature === feature;
  const written = pending === null ? null : await readHidden(place, pending.verdict);
  const { tests } = await readKept(place);
  return {
    reviewed:
      pending === null || written === null || !isWanted(written)
        ? null
        : { session: pending.session, feature: written.feature, description: written.description, tests: written.tests },
    kept: tests.filter(isWanted),
  };
}
