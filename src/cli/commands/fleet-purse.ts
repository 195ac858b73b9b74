/** `harness fleet purse`: what an account's projects may spend together. */
import { usageError } from '../../domain/errors.ts';
import { EXIT } from '../../domain/reasons.ts';
import { connected } from '../../fleet/connect.ts';
import { openEngine } from '../../fleet/engine.ts';
import { describePurses } from '../../fleet/fleet-status.ts';
import { readPurses, setPurse, waitingForPurse, type PurseLimits } from '../../fleet/purse.ts';
import { sendAgain } from '../../fleet/wheel.ts';
import type { Command } from '../command.ts';
import { fleetAddress } from '../fleet-address.ts';
import { textOption } from '../options.ts';

export const run: Command = async (context) => {
  const { platform, options, output } = context;
  const account = textOption(options, 'account') ?? 'default';
  const limits: PurseLimits = {
    usd: limit('--usd', textOption(options, 'usd')),
    sessions: limit('--sessions', textOption(options, 'sessions'), true),
    at_once: limit('--at-once', textOption(options, 'atOnce'), true),
  };
  const purses = await connected(platform, fleetAddress(context), async ({ packages, url, pool }) => {
    if (Object.values(limits).every((one) => one === undefined)) return await readPurses(pool);
    await setPurse(pool, account, limits);
    const waiting = await waitingForPurse(pool, account);
    if (waiting.length > 0) {
      const warn = (message: string): void => output.emit({ type: 'warning', message });
      const engine = await openEngine(packages, { url, pool, me: null, slots: 0, labels: [], warn });
      try {
        for (const project of waiting) await sendAgain(pool, engine, project);
      } finally {
        await engine.close();
      }
    }
    return await readPurses(pool);
  });
  output.object({ purses }, describePurses(purses));
  return { exitCode: EXIT.done };
};

/** `none` takes a limit away. */
function limit(option: string, text: string | null, whole = false): number | null | undefined {
  if (text === null) return undefined;
  if (text === 'none') return null;
  const value = Number(text);
  if (text.trim() !== '' && Number.isFinite(value) && value >= 0 && (!whole || Number.isInteger(value))) return value;
  throw usageError(
    `${option} ${text} is no ${whole ? 'number of sessions' : 'amount in dollars'}.`,
    `Give a number, or none: ${option} ${whole ? '4' : '20'}`,
  );
}
