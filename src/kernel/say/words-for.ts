/**
 * Which words that wait are for a session. Pure.
 *
 * 1. Words for a session that is under way are for that one; once it has ended, for the next session of its feature.
 * 2. Words that were said while nobody worked are for the next session, whichever it is.
 * 3. Words about a feature that is done are for nobody.
 */
import type { Request, Wish } from '../documents/requests.ts';

export type SayWish = Extract<Wish, { kind: 'say' }>;

export interface Word {
  id: string;
  asked_at: string;
  wish: SayWish;
}

export interface Listener {
  session: number;
  feature: number | null;
}

export function wordsOf(requests: readonly Request[]): Word[] {
  return requests.flatMap(({ id, asked_at, wish }) => (wish.kind === 'say' ? [{ id, asked_at, wish }] : []));
}

export function wordsFor(words: readonly Word[], { session, feature }: Listener): Word[] {
  return words.filter(({ wish: { to } }) => {
    if (to.session === null || to.session === session) return true;
    return to.session < session && (to.feature === null || to.feature === feature);
  });
}

/** Asks for the end of this very session; one that was meant for an earlier session has had its effect. */
export function stops({ wish }: Word, { session }: Listener): boolean {
  return wish.stop_after && (wish.to.session === null || wish.to.session === session);
}

export function forNobody(words: readonly Word[], completed: readonly number[]): Word[] {
  return words.filter(({ wish: { to } }) => to.feature !== null && completed.includes(to.feature));
}
