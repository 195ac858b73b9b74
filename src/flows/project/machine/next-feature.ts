/** Which feature comes next, or why none does. Pure. */
import type { Feature } from '../../../domain/feature.ts';

export type NextFeature =
  | { kind: 'feature'; feature: Feature }
  | { kind: 'complete' }
  /** Everything left was set aside or waits for something that was. */
  | { kind: 'exhausted'; skipped: number[]; blocked: { feature: number; waits_for: number[] }[]; parked: number[] };

export interface SelectionInput {
  features: readonly Feature[];
  skipped: ReadonlySet<number>;
  /** Features that were set aside and hold up nothing. */
  released?: ReadonlySet<number>;
  /** Features to repair before anything else. */
  setbacks: readonly number[];
  /** Features with unfinished work, the one to go on with first. */
  unfinished: readonly number[];
  /** Features that wait for a person. */
  parked?: ReadonlySet<number>;
  /** Features that somebody works on. */
  flying?: ReadonlySet<number>;
  /** Features that wait while there are others to work on. */
  later?: ReadonlySet<number>;
}

export function nextFeature(input: SelectionInput): NextFeature {
  const open = input.features.filter((feature) => !feature.passes);
  if (open.length === 0) return { kind: 'complete' };
  const passing = new Set(input.features.filter((feature) => feature.passes).map((feature) => feature.id));
  const missing = (feature: Feature): number[] =>
    (feature.depends_on ?? []).filter((id) => !passing.has(id) && input.released?.has(id) !== true);
  const waits = (feature: Feature): boolean => input.parked?.has(feature.id) === true || input.flying?.has(feature.id) === true;
  const available = open.filter((feature) => !input.skipped.has(feature.id) && !waits(feature) && missing(feature).length === 0);
  const sooner = available.filter((feature) => input.later?.has(feature.id) !== true);
  const first = pick(sooner.length > 0 ? sooner : available, input);
  if (first !== undefined) return { kind: 'feature', feature: first };
  return {
    kind: 'exhausted',
    skipped: open.filter((feature) => input.skipped.has(feature.id)).map((feature) => feature.id),
    blocked: open
      .filter((feature) => !input.skipped.has(feature.id) && !waits(feature))
      .map((feature) => ({ feature: feature.id, waits_for: missing(feature) })),
    parked: open.filter(waits).map((feature) => feature.id),
  };
}

function pick(available: Feature[], input: SelectionInput): Feature | undefined {
  const first = (features: Feature[]): Feature | undefined =>
    features.reduce<Feature | undefined>((best, feature) => (best === undefined || comesBefore(feature, best) ? feature : best), undefined);
  const setbacks = new Set(input.setbacks);
  return (
    first(available.filter((feature) => setbacks.has(feature.id))) ??
    input.unfinished.flatMap((id) => available.filter((feature) => feature.id === id))[0] ??
    first(available)
  );
}

function comesBefore(a: Feature, b: Feature): boolean {
  const left = a.priority ?? Number.POSITIVE_INFINITY;
  const right = b.priority ?? Number.POSITIVE_INFINITY;
  return left === right ? a.id < b.id : left < right;
}

/** Features that a person set aside so that what depends on them need not wait. */
export function releasedFeatures(skipped: readonly { feature: number; unblocks?: true | undefined }[]): Set<number> {
  return new Set(skipped.filter((entry) => entry.unblocks === true).map((entry) => entry.feature));
}

/** Open features that wait, directly or through others, for the given one. */
export function blockedBy(features: readonly Feature[], id: number): number[] {
  const dependents = new Map<number, number[]>();
  for (const feature of features) {
    for (const dependency of feature.depends_on ?? []) {
      const known = dependents.get(dependency);
      if (known === undefined) dependents.set(dependency, [feature.id]);
      else known.push(feature.id);
    }
  }
  const found = new Set<number>();
  const queue = [id];
  for (const next of queue) {
    for (const dependent of dependents.get(next) ?? []) {
      if (dependent === id || found.has(dependent)) continue;
      found.add(dependent);
      queue.push(dependent);
    }
  }
  return features.filter((feature) => !feature.passes && found.has(feature.id)).map((feature) => feature.id);
}
