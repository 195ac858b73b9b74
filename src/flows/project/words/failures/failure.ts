/** One thing that can go wrong. */
import type { Outcome, Reason } from '../../../../domain/reasons.ts';

export interface Failure {
  failure: string;
  detection: string;
  response: string;
  ends: { outcome: Outcome; reason: Reason } | null;
  /** File and title of a test that provokes it for real. */
  shown: { file: string; test: string };
}

export function rejected(reason: Reason): Failure['ends'] {
  return { outcome: 'rejected', reason };
}

export function partial(reason: Reason): Failure['ends'] {
  return { outcome: 'partial', reason };
}

export function failed(reason: Reason): Failure['ends'] {
  return { outcome: 'error', reason };
}
