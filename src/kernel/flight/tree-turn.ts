/** Whoever reads or changes the user's working tree does so alone: a landing half done is no state of it. */
import type { Place } from '../place.ts';
import { inTurn } from './in-turn.ts';

export function inTreeTurn<Result>({ home }: Pick<Place, 'home'>, work: () => Promise<Result>): Promise<Result> {
  return inTurn(`tree ${home.root}`, work);
}
