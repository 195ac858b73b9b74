/** Everything a test run needs, the same for baselines and verdicts. */
import { join } from 'node:path';
import { fileCache } from '../../verify/memory/cache.ts';
import type { RunContext } from '../../verify/contract.ts';
import { sandboxView } from '../../workspace/sandbox-policy.ts';
import type { FlightPlace } from './contract.ts';

export type RunGround = Pick<FlightPlace, 'platform' | 'config' | 'trees' | 'rooms' | 'home' | 'stateDir' | 'harnessHome'>;

export function runContext(place: RunGround, options: { noCache: boolean; signal?: AbortSignal }): RunContext {
  return {
    settings: place.config,
    trees: place.trees,
    rooms: place.rooms,
    scratch: join(place.harnessHome, 'scratch'),
    view: sandboxView(place.platform, place),
    cache: options.noCache ? undefined : fileCache(place.platform, join(place.harnessHome, 'cache', 'results')),
    signal: options.signal,
    timeoutMs: place.config.testing.timeout_seconds * 1_000,
  };
}
