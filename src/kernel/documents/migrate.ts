/**
 * State of another version of the harness: brought up to date, or refused, as the settings say.
 *
 * 1. The copy is made before the first byte changes.
 * 2. What would not be valid afterwards is not written.
 */
import { usageError } from '../../domain/errors.ts';
import type { Emit } from '../../domain/event.ts';
import { ProjectStateSchema, STATE_SCHEMA_VERSION } from '../../domain/session.ts';
import type { Platform } from '../../platform/platform.ts';
import { migrateState, type Migration } from '../../store/migrations.ts';
import { finishPendingCommit } from '../flight/leftovers.ts';
import { holdPlace } from '../hold-place.ts';
import type { Place } from '../place.ts';
import { backUpState } from './backup.ts';

export interface MigrationReport {
  from: number | null;
  to: number;
  migrated: boolean;
  backup: string | null;
}

/** `harness migrate`: needs neither valid settings about the state nor a session settled. */
export async function migrateOnly(platform: Platform, root: string, options: { backup: boolean; emit: Emit }): Promise<MigrationReport> {
  const hold = { emit: options.emit, command: 'harness migrate', needs: 'project' as const, quick: true };
  return await holdPlace(platform, root, hold, async (place) => {
    await finishPendingCommit(place);
    const report = await migrateNow(place, options);
    if (report.migrated)
      place.emit({ type: 'state.recovered', what: `state of schema ${report.from}`, action: `brought up to schema ${report.to}` });
    return report;
  });
}

async function migrateNow(place: Place, options: { backup: boolean }): Promise<MigrationReport> {
  const found = await readRaw(place);
  if (found === null || found.status === 'current')
    return { from: found?.from ?? null, to: STATE_SCHEMA_VERSION, migrated: false, backup: null };
  if (found.status === 'newer') throw newerState(place, found.from);
  if (found.status === 'invalid')
    throw usageError(
      `${place.documents.where('state')} is not a state document that this version knows.`,
      'Nothing was changed. Restore the file from a copy, or move it away to start over.',
    );
  return await migrate(place, found, options.backup);
}

/** At the start of a command that writes. */
export async function bringUpToDate(place: Place): Promise<void> {
  const found = await readRaw(place);
  const { on_older_state, on_newer_state, backup_before_migrate } = place.config.compatibility;
  if (found?.status === 'newer') {
    if (on_newer_state === 'abort') throw newerState(place, found.from);
    place.emit({
      type: 'warning',
      message: `the state was written by a newer harness (schema ${found.from}); continuing with schema ${STATE_SCHEMA_VERSION}, as compatibility.on_newer_state says. A copy is kept: ${await backUpState(place)}`,
    });
  }
  if (found?.status !== 'migrated') return;
  if (on_older_state === 'abort') {
    throw usageError(
      `${place.documents.where('state')} is of schema ${found.from}, and this harness writes schema ${STATE_SCHEMA_VERSION}.`,
      'Bring it up to date with: harness migrate',
      'Or let commands do it: compatibility.on_older_state: migrate',
    );
  }
  const report = await migrate(place, found, backup_before_migrate);
  place.emit({
    type: 'state.recovered',
    what: `state of schema ${report.from}`,
    action: `brought up to schema ${report.to}${report.backup === null ? '' : `; a copy is kept: ${report.backup}`}`,
  });
}

async function migrate(place: Place, found: Extract<Migration, { status: 'migrated' }>, backup: boolean): Promise<MigrationReport> {
  const checked = ProjectStateSchema.safeParse(found.value);
  if (!checked.success) {
    const problems = checked.error.issues.slice(0, 5).map((issue) => `${issue.path.join('.') || 'document'}: ${issue.message}`);
    throw usageError(
      `${place.documents.where('state')} cannot be brought up to schema ${STATE_SCHEMA_VERSION}.`,
      ...problems,
      'Nothing was changed. Correct these fields and run the command again.',
    );
  }
  const copy = backup ? await backUpState(place) : null;
  const steps = Array.from({ length: found.to - found.from }, (_, done) => ({ from: found.from + done, to: found.from + done + 1 }));
  for (const step of steps) place.emit({ type: 'migration_start', ...step });
  await place.documents.write('state', checked.data);
  for (const step of steps) place.emit({ type: 'migration_complete', ...step });
  return { from: found.from, to: found.to, migrated: true, backup: copy };
}

/** `null` where there is no document, or one that cannot be parsed: reading it properly says what is wrong. */
async function readRaw(place: Place): Promise<Migration | null> {
  const text = await place.documents.raw('state').catch(() => null);
  if (text === null) return null;
  try {
    return migrateState(JSON.parse(text));
  } catch {
    return null;
  }
}

function newerState(place: Place, from: number): Error {
  return usageError(
    `${place.documents.where('state')} was written by a newer harness (schema ${from}; this one writes ${STATE_SCHEMA_VERSION}).`,
    'Nothing was changed. Upgrade the harness, or set compatibility.on_newer_state: warn to continue at your own risk.',
  );
}
