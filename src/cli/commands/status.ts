/** `harness status`: where the project stands. */
import { join } from 'node:path';
import { loadConfig } from '../../config/read-config.ts';
import { EXIT } from '../../domain/reasons.ts';
import { projectStatus, type StatusReport } from '../../flows/project/status.ts';
import type { Command } from '../command.ts';

export const run: Command = async ({ platform, root, output }) => {
  const { config } = await loadConfig(platform, root);
  const status = await projectStatus({ platform, root, config, stateDir: join(root, config.paths.state_dir) });
  output.object(status, describe(status));
  return { exitCode: EXIT.done };
};

function describe(status: StatusReport): string {
  const { passing, total, skipped } = status.features;
  const percent = total === 0 ? 0 : Math.floor((100 * passing) / total);
  const rows: [string, string][] = [
    ['Project', status.project],
    ['Session', `${status.session} (${status.status}${status.last_outcome === null ? '' : `, ${status.last_outcome}`})`],
    ['Features', `${passing}/${total} passing (${percent}%)${skipped > 0 ? `, ${skipped} set aside` : ''}`],
    ['Tests', status.tests === null ? 'no baseline yet' : `${status.tests.passing}/${status.tests.total} passing in the baseline`],
    ['Now', status.current],
    ['Next prompt', status.next_prompt],
    ['Stuck count', String(status.stuck_count)],
    [
      'Costs',
      `$${status.costs.total_usd.toFixed(2)} of $${status.costs.budget_usd.toFixed(2)}${status.costs.last_session_usd === null ? '' : `, $${status.costs.last_session_usd.toFixed(2)} in the last session`}`,
    ],
  ];
  return rows.map(([name, value]) => `${`${name}:`.padEnd(13)}${value}`).join('\n');
}
