/** A test file in which controls run. */
import type { TestRun } from '../../domain/verdict.ts';
import type { SourceReading } from '../source/source.ts';
import type { MutatedTests } from './mutate.ts';
import type { PlantedTests } from './plant.ts';

export interface Subject {
  file: string;
  text: string;
  reading: SourceReading | null;
  isFeature: boolean;
  /** The session left it alone. */
  isAsBefore: boolean;
  planted: PlantedTests;
  /** With expectations changed as well; null where nothing could be changed. */
  changed: (Omit<MutatedTests, 'text'> & { planted: PlantedTests }) | null;
  /** As it is, beside planted tests that pass. */
  passing: PlantedTests;
}

/** How long these files took, by their tests; half of the whole run at least, for what is loaded belongs to no test. */
export function durationOf({ tests, duration_ms }: TestRun, subjects: readonly Subject[]): number {
  const files = new Set(subjects.map(({ file }) => file));
  const times = tests.filter(({ file }) => files.has(file)).map((test) => test.duration_ms);
  if (times.length === 0 || times.includes(undefined)) return duration_ms;
  const own = times.reduce<number>((sum, time) => sum + (time ?? 0), 0);
  return Math.max(duration_ms / 2, Math.min(duration_ms, own));
}
