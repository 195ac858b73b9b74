/** The JSON that a webhook is posted and a command reads: `docs/notifications.md` shows it. Pure. */
import { HARNESS_VERSION } from '../../domain/version.ts';
import type { Notice } from './notification.ts';
import { firstItem } from '../../domain/items.ts';

export interface NotificationBody {
  schema: 'harness-notification.v1';
  harness_version: string;
  project: string;
  at: string;
  /** The most important of what is told. */
  type: Notice['kind'];
  /** All of it, for people. */
  message: string;
  notices: { type: Notice['kind']; message: string; gate: string | null; url?: string; outcome: string | null; exit_code: number | null }[];
}

const ORDER: readonly Notice['kind'][] = ['end', 'escalation', 'question', 'budget'];

/** `link`: where a question is answered on the page. */
export function bodyOf(notices: readonly Notice[], project: string, at: string, link?: (gate: string) => string): NotificationBody {
  const first = firstItem(notices.toSorted((a, b) => ORDER.indexOf(a.kind) - ORDER.indexOf(b.kind)));
  return {
    schema: 'harness-notification.v1',
    harness_version: HARNESS_VERSION,
    project,
    at,
    type: first.kind,
    message: notices.map(({ message }) => message).join('\n\n'),
    notices: notices.map(({ kind, message, gate, outcome, exit_code }) => ({
      type: kind,
      message,
      gate,
      ...(gate === null || link === undefined ? {} : { url: link(gate) }),
      outcome,
      exit_code,
    })),
  };
}
