/** Runs of tests and commands on a tree, in clean rooms: the same for baselines, verdicts and whoever looks. */
import { join } from 'node:path';
import { fileCache } from '../../verify/memory/cache.ts';
import type { RunContext, SuiteInput } from '../../verify/contract.ts';
import type { TestRun } from '../../domain/verdict.ts';
import { missingPackages } from '../../verify/run/python-set-up.ts';
import { runRoomCommand, type RoomCommandResult } from '../../verify/run/room-command.ts';
import { runSuite } from '../../verify/run/suite.ts';
import { sandboxView } from '../../workspace/sandbox-policy.ts';
import type { FlightPlace } from './contract.ts';

export type RunGround = Pick<
  FlightPlace,
  'platform' | 'root' | 'config' | 'trees' | 'rooms' | 'home' | 'stateDir' | 'shelf' | 'harnessHome'
>;

export interface RunOptions {
  noCache: boolean;
  signal?: AbortSignal;
}

export function runContext(place: RunGround, options: RunOptions): RunContext {
  return {
    settings: place.config,
    trees: place.trees,
    rooms: place.rooms,
    scratch: scratchOf(place),
    view: sandboxView(place.platform, place),
    ...(place.config.workspace.mode === 'in_place' ? {} : { checkout: place.home.root }),
    cache: options.noCache ? undefined : fileCache(place.platform, join(place.harnessHome, 'cache', 'results')),
    signal: options.signal,
    timeoutMs: place.config.testing.timeout_seconds * 1_000,
  };
}

export function scratchOf({ harnessHome }: Pick<RunGround, 'harnessHome'>): string {
  return join(harnessHome, 'scratch');
}

/** The suite, or some of its files, over exactly this tree. */
export function runTests(place: RunGround, what: Pick<SuiteInput, 'tree' | 'files' | 'purpose'>, options: RunOptions): Promise<TestRun> {
  return runSuite(place.platform, { ...runContext(place, options), ...what });
}

/** What a run of Python's tests lacked, each with the command that installs it. */
export async function lackedPackages(
  place: RunGround,
  tree: string,
  run: Pick<TestRun, 'tests' | 'problems' | 'output_tail'>,
  unwritten?: ReadonlySet<string>,
): Promise<string[]> {
  return await missingPackages(place.platform, runContext(place, { noCache: true }), { tree, run, unwritten });
}

export function runCommand(place: RunGround, what: { tree: string; command: string }, options: RunOptions): Promise<RoomCommandResult> {
  return runRoomCommand(place.platform, { ...runContext(place, options), ...what });
}
