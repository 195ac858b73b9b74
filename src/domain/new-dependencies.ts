/** What a new dependency means for a verdict, strictest first. */
export const NEW_DEPENDENCIES = ['ask', 'listed', 'allow'] as const;
export type NewDependencies = (typeof NEW_DEPENDENCIES)[number];
