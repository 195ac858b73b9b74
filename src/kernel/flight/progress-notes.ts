/** Where sessions of this place append their notes. */
import type { ProgressNotes } from '../../workspace/progress-notes.ts';
import type { FlightPlace } from './contract.ts';

export function notesOf({ trees, config }: Pick<FlightPlace, 'trees' | 'config'>): ProgressNotes {
  return { trees, path: config.paths.progress };
}
