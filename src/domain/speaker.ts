/** Through which door a person spoke. */
export const SPEAKERS = ['terminal', 'page', 'host'] as const;
export type Speaker = (typeof SPEAKERS)[number];
