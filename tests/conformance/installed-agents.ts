/** Which real agents are in the cache that scripts/install-agents.mjs fills; tests with the others are left out, and say so. */
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

export const AGENT_CACHE = process.env['HARNESS_AGENT_CACHE'] || join(homedir(), '.cache', 'universal-agent-harness', 'agents');

export function isInstalled(agent: string): boolean {
  const there = existsSync(join(AGENT_CACHE, agent, 'node_modules'));
  if (!there)
    console.warn(`The tests with ${agent} are left out: it is not installed. To get it: node scripts/install-agents.mjs ${agent}`);
  return there;
}
