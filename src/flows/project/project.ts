/**
 * An opened project: where it is, what it says, and how to reach its parts. Opening changes nothing.
 */
import { join } from 'node:path';
import { CONFIG_FILE, configError, parseConfig } from '../../config/read-config.ts';
import type { Config } from '../../config/schema.ts';
import { harnessHome, loadSettings, loadUserSettings, mergeUserSettings } from '../../config/user-settings.ts';
import type { Emit } from '../../domain/event.ts';
import { HarnessError, usageError } from '../../domain/errors.ts';
import type { FeatureList } from '../../domain/feature.ts';
import { EXIT } from '../../domain/reasons.ts';
import { HARNESS_VERSION } from '../../domain/version.ts';
import { openJournal, type Journal } from '../../journal/journal.ts';
import { tellAfterWriting } from '../../journal/told-after.ts';
import type { Platform } from '../../platform/platform.ts';
import { sandboxState } from '../../platform/sandbox.ts';
import { createCleanRooms, type CleanRoomSet } from '../../workspace/clean-room.ts';
import { openHome, type Home } from '../../workspace/home.ts';
import { createTreeStore, type HomeTreeStore } from '../../workspace/tree-store.ts';
import type { Live } from '../../kernel/flight/contract.ts';
import type { Asker } from './asker.ts';
import { parseFeatureList, type ParsedList } from './feature-list.ts';
import type { MachineRules } from './machine-settlement.ts';

export interface Project {
  platform: Platform;
  root: string;
  stateDir: string;
  harnessHome: string;
  config: Config;
  home: Home;
  trees: HomeTreeStore;
  rooms: CleanRoomSet;
  rules: MachineRules;
  /** Journals the event, and shows it once it is written. */
  emit: Emit;
  /** Waits while the readers of the events are behind; null when they are not. */
  drained(): Promise<void> | null;
  journal: Journal | null;
  asker: Asker;
  signal: AbortSignal;
  live: Live;
  noCache: boolean;
}

export interface OpenOptions {
  emit: Emit;
  asker?: Asker;
  signal?: AbortSignal;
  /** Waits while the screen or the pipe behind `emit` is behind. */
  drained?(): Promise<void> | null;
  /** Look commands keep no journal. One that is open already is used again: its files have one writer. */
  journal: boolean | Pick<Project, 'emit' | 'journal'>;
  /** Settings to use instead of the file's, before there is a file. */
  configText?: string;
}

export async function openProject(platform: Platform, root: string, options: OpenOptions): Promise<Project> {
  const { config, warnings, notes } =
    options.configText === undefined ? await loadSettings(platform, root) : await settingsFrom(platform, root, options.configText);
  const home = await openHome(platform, root);
  const stateDir = join(root, config.paths.state_dir);
  const { emit, journal } = typeof options.journal === 'object' ? options.journal : await journalFor(platform, stateDir, config, options);
  if (options.journal === true) for (const message of [...warnings, ...notes]) emit({ type: 'warning', message });
  const store = harnessHome(platform);
  const trees = createTreeStore(platform, home);
  return {
    platform,
    root,
    stateDir,
    harnessHome: store,
    config,
    home,
    trees,
    rooms: createCleanRooms(platform, {
      home,
      harnessHome: store,
      store: trees,
      ...(options.journal === false ? {} : { sandboxed: await runsAreSandboxed(config) }),
    }),
    rules: { maxStuckSessions: config.features.max_stuck_sessions, cleanupInterval: config.quality.cleanup_interval },
    emit,
    drained: () => options.drained?.() ?? journal?.drained() ?? null,
    journal,
    asker: options.asker ?? { ask: async () => 'pending' },
    signal: options.signal ?? new AbortController().signal,
    live: new Map(),
    noCache: false,
  };
}

async function journalFor(
  platform: Platform,
  stateDir: string,
  config: Config,
  options: OpenOptions,
): Promise<Pick<Project, 'emit' | 'journal'>> {
  if (options.journal === false) return { emit: options.emit, journal: null };
  const files = await openJournal(platform, join(stateDir, 'logs'), { level: config.logging.level, harnessVersion: HARNESS_VERSION });
  return tellAfterWriting(platform.clock, files, options.emit);
}

async function runsAreSandboxed(config: Config): Promise<boolean> {
  return config.sandbox.mode !== 'off' && (await sandboxState()).available;
}

/** Settings from a text that is not in its file yet. */
export async function settingsFrom(
  platform: Platform,
  root: string,
  text: string,
): Promise<{ config: Config; warnings: string[]; notes: string[] }> {
  const parsed = parseConfig(text);
  if (parsed.config === null) throw configError(join(root, CONFIG_FILE), parsed.errors);
  return { warnings: [], ...mergeUserSettings(parsed.config, await loadUserSettings(platform)) };
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
