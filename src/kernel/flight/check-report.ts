import type { Reason } from '../../domain/reasons.ts';

/** What a check before a session came to. */
export interface CheckReport {
  name: string;
  state: 'passed' | 'failed' | 'skipped' | 'warned';
  detail: string;
  reason: Reason | null;
}
