/** ` Did you mean …?`, or nothing when no known word is near. */
import { nearest } from '../domain/nearest.ts';

export function suggest(word: string, known: readonly string[], prefix = ''): string {
  const meant = nearest(word, known);
  return meant === null ? '' : ` Did you mean ${prefix}${meant}?`;
}
