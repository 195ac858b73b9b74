/** `harness fleet run`: a drive is sent; with `--wait` it is followed until it rests. */
import { EXIT, OUTCOMES, REASONS, type ExitCode, type Outcome, type Reason } from '../../domain/reasons.ts';
import { connected } from '../../fleet/connect.ts';
import { openEngine } from '../../fleet/engine.ts';
import { sendDrive, waitForRest } from '../../fleet/send.ts';
import type { Command } from '../command.ts';
import { fleetAddress, projectOption } from '../fleet-address.ts';
import { flagOption, lanesOption, textOption } from '../options.ts';

export const run: Command = async (context) => {
  const { platform, options, output, signal } = context;
  const project = projectOption(options);
  const lanes = lanesOption(options);
  const spec = textOption(options, 'spec');
  const mission = flagOption(options, 'mission') || spec !== null ? { mission: { spec } } : {};
  const wish = { sessions: flagOption(options, 'untilDone') ? null : (lanes ?? 1), lanes, ...mission };
  return await connected(platform, fleetAddress(context), async ({ packages, url, pool }) => {
    const warn = (message: string): void => output.emit({ type: 'warning', message });
    const engine = await openEngine(packages, { url, pool, me: null, slots: 0, labels: [], warn });
    try {
      const id = await sendDrive(pool, engine, project, wish);
      if (!flagOption(options, 'wait')) return { exitCode: EXIT.done, message: `Sent ${project}. Follow it with: harness fleet status` };
      const rest = await waitForRest(platform, pool, { project, id }, signal);
      return {
        exitCode: (rest.exit_code ?? EXIT.done) as ExitCode,
        ...(OUTCOMES.some((known) => known === rest.outcome) ? { outcome: rest.outcome as Outcome } : {}),
        reasons: rest.reasons.filter((reason): reason is Reason => REASONS.some((known) => known === reason)),
        message: rest.message ?? '',
      };
    } finally {
      await engine.close();
    }
  });
};
