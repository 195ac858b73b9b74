/** Where a person can look at what the agent of a lane has started: the ports of its block that somebody listens on. */
import type { Platform } from '../../platform/platform.ts';
import { portBase, PORTS } from './air.ts';

export async function laneAddresses(platform: Pick<Platform, 'processes'>, lane: string | null, root: string): Promise<string[]> {
  const first = portBase(lane, root);
  if (first === null) return [];
  const ports = Array.from({ length: PORTS }, (_, at) => first + at);
  const listening = await Promise.all(ports.map((port) => platform.processes.listenerOn(port).catch(() => null)));
  return ports.filter((_, at) => listening[at] !== null).map((port) => `http://127.0.0.1:${port}/`);
}
