/** The kinds of cheating that the self-check tries, and of which some can get through where single tests cannot be read. */
export const CHEAT_FAMILIES = [
  'remove tests',
  'weaken tests',
  'fake the code',
  'inside the runner',
  'outside the runner',
  'environment',
  'forge evidence',
  'state and git',
  'steal answers',
  'time',
  'quality gates',
  'attack the reader',
  'honest failure',
] as const;
export type CheatFamily = (typeof CHEAT_FAMILIES)[number];
