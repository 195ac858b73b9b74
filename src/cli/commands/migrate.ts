/** `harness migrate`: brings state of an older version up to date. */
import { EXIT } from '../../domain/reasons.ts';
import { migrateOnly, type MigrationReport } from '../../kernel/documents/migrate.ts';
import type { Command } from '../command.ts';

export const run: Command = async ({ platform, root, options, output }) => {
  const backup = options['backup'] !== false;
  if (!backup) output.note('Continuing without a copy of the old state.');
  const report = await migrateOnly(platform, root, { backup, emit: output.emit });
  output.object(report, describe(report));
  return { exitCode: EXIT.done };
};

function describe(report: MigrationReport): string {
  if (report.from === null) return 'There is no state here yet.';
  if (!report.migrated) return `The state is up to date (schema ${report.to}).`;
  return [...(report.backup === null ? [] : [`Kept a copy: ${report.backup}`]), `Brought from schema ${report.from} to ${report.to}.`].join(
    '\n',
  );
}
