/** Families of which some can get through where the harness does not read a runner's tests one by one. */
import type { RunnerName } from '../../domain/verdict.ts';
import type { Family } from './cheats.ts';

const UNHELD: Readonly<Partial<Record<RunnerName, readonly Family[]>>> = {
  'exit-code': ['remove tests', 'weaken tests', 'inside the runner', 'environment'],
  tap: ['inside the runner', 'environment', 'attack the reader'],
  junit: ['inside the runner', 'environment'],
};

export function unheldFamilies(runner: RunnerName): Family[] {
  return [...(UNHELD[runner] ?? [])];
}
