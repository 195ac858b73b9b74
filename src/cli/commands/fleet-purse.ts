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
    usd: dollars('--usd', textOption(options, 'usd')),
    sessions: sessions('--sessions', textOption(options, 'sessions'), 0),
    at_once: sessions('--at-once', textOption(options, 'atOnce'), 1),
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

const MOST = 1_000_000;

/** `none` takes a limit away. */
function dollars(option: string, text: string | null): number | null | undefined {
  return limit(text, (value) => value >= 0, `${option} takes an amount in dollars, or none. Example: ${option} 20`);
}

function sessions(option: string, text: string | null, least: number): number | null | undefined {
  const isCount = (value: number): boolean => Number.isInteger(value) && value >= least;
  return limit(text, isCount, `${option} takes a whole number of at least ${least}, or none. Example: ${option} 4`);
}

function limit(text: string | null, fits: (value: number) => boolean, help: string): number | null | undefined {
  if (text === null) return undefined;
  if (text === 'none') return null;
  const value = Number(text);
  if (text.trim() !== '' && value <= MOST && fits(value)) return value;
  throw usageError(`"${text}" is not a limit.`, help);
}
