/** A pause of a flow that a person can end: with a signal, or by asking for a pause. */
import { waitForReset } from '../session/wait-for-reset.ts';
import type { Place } from './place.ts';

const STEP_MS = 250;

/** `until`: epoch milliseconds. */
export async function waitUntil(place: Pick<Place, 'platform' | 'documents' | 'signal'>, until: number): Promise<void> {
  const { platform, documents, signal } = place;
  await waitForReset(platform, { until, stepMs: STEP_MS, signal, pauseRequested: () => documents.requests.has('pause') });
}
