/** What a machine can do, as words: an order's needs are among them, or it is not for this machine. */
import { checkBackends } from '../agents/registry.ts';
import { STATE_SCHEMA_VERSION } from '../domain/session.ts';
import type { Platform } from '../platform/platform.ts';

/** `sandbox`; `agent-NAME` of each agent that can start here; `state-N` of each version of the state that this harness knows. */
export async function ownLabels(platform: Platform): Promise<string[]> {
  const sandbox = await platform.sandbox();
  const agents = await checkBackends(platform, { command: null });
  return [
    ...(sandbox.hides ? ['sandbox'] : []),
    ...agents.filter(({ can_start }) => can_start).map(({ name }) => `agent-${name}`),
    ...Array.from({ length: STATE_SCHEMA_VERSION }, (_, at) => `state-${at + 1}`),
  ];
}

/** What a project asks for by its own settings. */
export function needsOf(config: { sandbox: { mode: string } }): string[] {
  return config.sandbox.mode === 'on' ? ['sandbox'] : [];
}
