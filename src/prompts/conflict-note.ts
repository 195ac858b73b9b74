/** What an agent is told whose accepted work met other changes in the same places. Pure. */
import { cleanText } from '../domain/clean-text.ts';

const SHOWN = 20;

export function conflictNote(paths: readonly string[]): string {
  const names = paths.slice(0, SHOWN).map((path) => `- ${cleanText(path).replace(/\s+/g, ' ')}`);
  const more = paths.length > SHOWN ? [`- and ${paths.length - SHOWN} more`] : [];
  return [
    'This work was accepted once, but others have since landed changes in the same places. Your copy holds both sides: the lines between',
    '<<<<<<< and ======= stand on the branch now, the lines between ======= and >>>>>>> are the work on this feature. Bring them together in:',
    ...names,
    ...more,
    'Keep what both sides do. No accepted test may be changed or lost, and no marker line may stay.',
  ].join('\n');
}
