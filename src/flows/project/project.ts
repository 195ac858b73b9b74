/**
 * An opened project: where it is, what it says, and how to reach its parts. Opening changes nothing.
 */
import { HarnessError, usageError } from '../../domain/errors.ts';
import type { FeatureList } from '../../domain/feature.ts';
import { EXIT } from '../../domain/reasons.ts';
import { agentRules } from '../../kernel/fallback/away.ts';
import type { RunHours } from '../../kernel/hours/run-hours.ts';
import { openPlace, type Place, type PlaceOptions } from '../../kernel/place.ts';
import type { LaneRooms, Live } from '../../kernel/flight/contract.ts';
import { selfCheckBeside, type SelfCheckBeside } from '../../kernel/ground/self-check-beside.ts';
import { parseFeatureList, type ParsedList } from './list/feature-list.ts';
import type { MachineRules } from './machine/settlement.ts';

export interface Project extends Place {
  rules: MachineRules;
  live: Live;
  laneRooms: LaneRooms;
  noCache: boolean;
  hours?: RunHours;
  beside: SelfCheckBeside;
}

export type OpenOptions = Omit<PlaceOptions, 'needs'>;

export async function openProject(platform: Place['platform'], root: string, options: OpenOptions): Promise<Project> {
  return asProject(await openPlace(platform, root, { ...options, needs: 'project' }));
}

export function asProject(place: Place): Project {
  const { features, quality } = place.config;
  const agents = agentRules(place.config);
  const rules = {
    maxStuckSessions: features.max_stuck_sessions,
    cleanupInterval: quality.cleanup_interval,
    ...(agents === null ? {} : { agents }),
  };
  return { ...place, rules, live: new Map(), laneRooms: new Map(), noCache: false, beside: selfCheckBeside() };
}

export interface LoadedList extends ParsedList {
  list: FeatureList;
  text: string;
}

/** The feature list as it stands in a tree; errors end with exit 2 and name file, field and fix. */
export function checkFeatureList(
  project: Pick<Project, 'config'>,
  text: string | null,
  where = project.config.paths.features,
  options: { skipped?: readonly number[] | 'all' } = {},
): LoadedList {
  if (text === null)
    throw usageError(`${where}: there is no feature list.`, 'Create one with: harness init --spec FILE, or harness init --features FILE.');
  const parsed = parseFeatureList(text, {
    maxVerificationSteps: project.config.features.max_verification_steps,
    requireTestFile: project.config.features.require_test_file,
    setAside: options.skipped ?? [],
  });
  if (parsed.list === null || parsed.errors.length > 0) {
    throw invalidList(
      parsed.cycles,
      `${where}: the feature list is not valid (${parsed.errors.length} problem${parsed.errors.length === 1 ? '' : 's'}).`,
      ...parsed.errors.slice(0, 20).map((problem) => `${problem.field}: ${problem.message}. Fix: ${problem.fix}.`),
    );
  }
  return { ...parsed, list: parsed.list, text };
}

/** The error of a list that cannot be used; `cycles` where features wait for each other. */
export class InvalidListError extends HarnessError {
  readonly cycles: readonly (readonly number[])[];

  constructor(message: string, details: readonly string[], cycles: readonly (readonly number[])[]) {
    super(message, { exitCode: EXIT.usage, details });
    this.cycles = cycles;
  }
}

function invalidList(cycles: readonly (readonly number[])[], message: string, ...details: string[]): InvalidListError {
  return new InvalidListError(message, details, cycles);
}
