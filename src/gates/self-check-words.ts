/** What a self-check of the judge found in a project, in words. */
export interface SelfCheckFacts {
  runner: string;
  passing: readonly string[];
  unheld: readonly string[];
  detail: string;
}

export function selfCheckFound(facts: SelfCheckFacts): string {
  if (facts.passing.length > 0)
    return `In this project's own test set-up (${facts.runner}) planted cheats are accepted: ${facts.passing.join(', ')}.`;
  if (facts.unheld.length > 0)
    return `With this test command (${facts.runner}) the harness cannot read single tests; cheating of these kinds can get through: ${facts.unheld.join(', ')}.`;
  return `In this project's own test set-up (${facts.runner}) ${facts.detail}.`;
}
