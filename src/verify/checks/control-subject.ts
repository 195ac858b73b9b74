/** A test file in which controls run. */
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
