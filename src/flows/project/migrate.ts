/**
 * State of another version of the harness: brought up to date, or refused, as the settings say.
 *
 * 1. The copy is made before the first byte changes.
 * 2. What would not be valid afterwards is not written.
 */
import { join } from 'node:path';
import { loadSettings } from '../../config/user-settings.ts';
import { usageError } from '../../domain/errors.ts';
import type { Emit } from '../../domain/event.ts';
import { ProjectStateSchema, STATE_SCHEMA_VERSION } from '../../domain/session.ts';
import { HARNESS_VERSION } from '../../domain/version.ts';
import type { Platform } from '../../platform/platform.ts';
import { withLock } from '../../store/lock.ts';
import { migrateState, type Migration } from '../../store/migrations.ts';
import { backUpState } from './backup.ts';
import { clearLeftovers } from '../../kernel/flight/leftovers.ts';
import { openProject, type Project } from './project.ts';
import { STATE_FILE, writeState } from './state-files.ts';

export interface MigrationReport {
  from: number | null;
  to: number;
  migrated: boolean;
  backup: string | null;
}

/** `harness migrate`: needs neither valid settings about the state nor a session settled. */
export async function migrateOnly(platform: Platform, root: string, options: { backup: boolean; emit: Emit }): Promise<MigrationReport> {
  const { config } = await loadSettings(platform, root);
  return await withLock(platform, join(root, config.paths.state_dir, 'lock'), 'harness migrate', async () => {
    const project = await openProject(platform, root, { emit: options.emit, journal: true });
    await clearLeftovers(project);
    const report = await migrateProject(project, options);
    if (report.migrated)
      project.emit({ type: 'state.recovered', what: `state of schema ${report.from}`, action: `brought up to schema ${report.to}` });
    await project.journal?.close();
    return report;
  });
}

async function migrateProject(project: Project, options: { backup: boolean }): Promise<MigrationReport> {
  const found = await readRaw(project);
  if (found === null || found.status === 'current')
    return { from: found?.from ?? null, to: STATE_SCHEMA_VERSION, migrated: false, backup: null };
  if (found.status === 'newer') throw newerState(project, found.from);
  if (found.status === 'invalid')
    throw usageError(
      `${statePath(project)} is no state document that this version knows.`,
      'Nothing was changed. Restore the file from a copy, or move it away to start over.',
    );
  return await migrate(project, found, options.backup);
}

/** At the start of a command that writes. */
export async function bringUpToDate(project: Project): Promise<void> {
  const found = await readRaw(project);
  const { on_older_state, on_newer_state, backup_before_migrate } = project.config.compatibility;
  if (found?.status === 'newer') {
    if (on_newer_state === 'abort') throw newerState(project, found.from);
    project.emit({
      type: 'warning',
      message: `the state was written by a newer harness (schema ${found.from}); going on with schema ${STATE_SCHEMA_VERSION}, as compatibility.on_newer_state says. A copy is kept: ${await backUpState(project.platform, project.stateDir)}`,
    });
  }
  if (found?.status !== 'migrated') return;
  if (on_older_state === 'abort') {
    throw usageError(
      `${statePath(project)} is of schema ${found.from}, and this harness writes schema ${STATE_SCHEMA_VERSION}.`,
      'Bring it up to date with: harness migrate',
      'Or let commands do it: compatibility.on_older_state: migrate',
    );
  }
  const report = await migrate(project, found, backup_before_migrate);
  project.emit({
    type: 'state.recovered',
    what: `state of schema ${report.from}`,
    action: `brought up to schema ${report.to}${report.backup === null ? '' : `; a copy is kept: ${report.backup}`}`,
  });
}

async function migrate(project: Project, found: Extract<Migration, { status: 'migrated' }>, backup: boolean): Promise<MigrationReport> {
  const checked = ProjectStateSchema.safeParse(found.value);
  if (!checked.success) {
    const problems = checked.error.issues.slice(0, 5).map((issue) => `${issue.path.join('.') || 'document'}: ${issue.message}`);
    throw usageError(
      `${statePath(project)} cannot be brought up to schema ${STATE_SCHEMA_VERSION}.`,
      ...problems,
      'Nothing was changed. Correct these fields and run the command again.',
    );
  }
  const copy = backup ? await backUpState(project.platform, project.stateDir) : null;
  const steps = Array.from({ length: found.to - found.from }, (_, done) => ({ from: found.from + done, to: found.from + done + 1 }));
  for (const step of steps) project.emit({ type: 'migration_start', ...step });
  await writeState(project.platform, project.stateDir, { ...checked.data, harness_version: HARNESS_VERSION });
  for (const step of steps) project.emit({ type: 'migration_complete', ...step });
  return { from: found.from, to: found.to, migrated: true, backup: copy };
}

/** `null` where there is no document, or one that cannot be parsed: reading it properly says what is wrong. */
async function readRaw(project: Project): Promise<Migration | null> {
  const text = await project.platform.files.readTextIfExists(statePath(project)).catch(() => null);
  if (text === null) return null;
  try {
    return migrateState(JSON.parse(text));
  } catch {
    return null;
  }
}

function statePath(project: Project): string {
  return join(project.stateDir, STATE_FILE);
}

function newerState(project: Project, from: number): Error {
  return usageError(
    `${statePath(project)} was written by a newer harness (schema ${from}; this one writes ${STATE_SCHEMA_VERSION}).`,
    'Nothing was changed. Upgrade the harness, or set compatibility.on_newer_state: warn to go on at your own risk.',
  );
}
