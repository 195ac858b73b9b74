/** What people are told outside of the terminal. */
export const NOTICE_KINDS = ['question', 'escalation', 'budget', 'agent', 'end'] as const;
export type NoticeKind = (typeof NOTICE_KINDS)[number];
