/** Why an agent may be without its login although the user has a key: only named variables reach it. Pure. */
import { BACKENDS } from '../../agents/registry.ts';
import type { Config } from '../../config/schema.ts';

/** Null where nothing that the user has is kept from the agent. */
export function loginHint({ backend, env }: Config['agent'], environment: Readonly<Record<string, string | undefined>>): string | null {
  const kept = BACKENDS[backend].loginVariables.filter((name) => (environment[name] ?? '') !== '' && !env.includes(name));
  if (kept.length === 0) return null;
  const where = 'agent.env in .harness.yaml or, in a folder without one, in config.yaml of HARNESS_HOME';
  return `${kept.join(', ')} is set here and kept from the agent. To hand it on, name it under ${where}.`;
}
