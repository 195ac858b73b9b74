/** Where a person can look at what the agent of a lane has started: the ports of its block that somebody listens on. */
import type { Platform } from '../../platform/platform.ts';
import { portBase, PORTS } from './air.ts';

export async function laneAddresses(platform: Pick<Platform, 'processes'>, lane: string | null, root: string): Promise<string[]> {
  const first = portBase(lane, root);
  if (first === null) return [];
  const taken = await platform.processes.listeningPorts();
  return Array.from({ length: PORTS }, (_, at) => first + at)
    .filter((port) => taken.has(port))
    .map((port) => `http://127.0.0.1:${port}/`);
}
