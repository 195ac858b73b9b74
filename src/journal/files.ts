/** The files of a journal. */
export const JOURNAL_FILES = {
  events: 'events.jsonl',
  decisions: 'decisions.jsonl',
  actions: 'agent_actions.jsonl',
  sessions: 'sessions.jsonl',
} as const;
export type JournalFile = keyof typeof JOURNAL_FILES;
