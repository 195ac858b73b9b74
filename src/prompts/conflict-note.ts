/** What an agent is told whose accepted work met other changes in the same places. Pure. */
import { cleanText } from '../domain/clean-text.ts';

const SHOWN = 20;

export function conflictNote(paths: readonly string[]): string {
  const names = paths.slice(0, SHOWN).map((path) => `- ${cleanText(path).replace(/\s+/g, ' ')}`);
  const more = paths.length > SHOWN ? [`- and ${paths.length - SHOWN} more`] : [];
  return [
    'This work was accepted, but other changes landed in the same places before it could land. Your copy contains both sides as git marks them: between',
    '<<<<<<< and ======= is the branch as it is now, between ======= and >>>>>>> the work on this feature. Merge them in:',
    ...names,
    ...more,
    'Keep what both sides do, change no accepted test, and leave no marker line. Then run the whole suite and claim the feature again.',
  ].join('\n');
}
