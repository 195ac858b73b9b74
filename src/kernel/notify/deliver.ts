/**
 * Brings one notification to a person: by a command, a webhook or the bell.
 *
 * 1. Each way is tried three times, with a pause between; whatever becomes of it, nobody is kept waiting for long and nothing is thrown.
 * 2. The address of a webhook is a secret of the user's: it stands in no message.
 */
import type { Platform } from '../../platform/platform.ts';
import type { NotificationBody } from './body.ts';

export interface Ways {
  command: string | null;
  webhook: string | null;
  bell: boolean;
}

export interface DeliveryGround {
  platform: Platform;
  cwd: string;
  ring(): void;
  signal: AbortSignal;
}

const TRIES = 3;
const TRY_MS = 5_000;
const FIRST_PAUSE_MS = 500;

/** What did not get through, in words; empty: all of it did. */
export async function deliver(ground: DeliveryGround, ways: Ways, body: NotificationBody): Promise<string[]> {
  if (ways.bell) ground.ring();
  const { command, webhook } = ways;
  const tried = await Promise.all([
    command === null ? null : insist(ground, 'notify.command', () => runCommand(ground, command, body)),
    webhook === null ? null : insist(ground, 'notify.webhook', () => post(webhook, body, ground.signal)),
  ]);
  return tried.filter((problem) => problem !== null);
}

/** Null: it got through. */
async function insist({ platform, signal }: DeliveryGround, name: string, once: () => Promise<string | null>): Promise<string | null> {
  let problem: string | null = null;
  for (let attempt = 0; attempt < TRIES && !signal.aborted; attempt += 1) {
    if (attempt > 0) await platform.clock.sleep(FIRST_PAUSE_MS * 2 ** (attempt - 1), signal).catch(() => {});
    problem = await once();
    if (problem === null) return null;
  }
  return `${name} did not get through: ${problem ?? 'there was not enough time left'}`;
}

async function runCommand({ platform, cwd, signal }: DeliveryGround, command: string, body: NotificationBody): Promise<string | null> {
  const env = Object.fromEntries(Object.entries(platform.env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));
  const result = await platform.processes
    .run({
      file: '/bin/sh',
      args: ['-c', command],
      cwd,
      env: { ...env, HARNESS_NOTIFY_TYPE: body.type, HARNESS_NOTIFY_MESSAGE: body.message },
      stdin: `${JSON.stringify(body)}\n`,
      timeoutMs: TRY_MS,
      graceMs: 500,
      maxOutputBytes: 10_000,
      signal,
    })
    .catch(() => null);
  if (result === null) return 'it could not be started';
  if (result.timedOut) return `it took longer than ${TRY_MS / 1000} seconds`;
  return result.code === 0 ? null : `it ended with ${result.code ?? result.signal ?? 'no status'}`;
}

async function post(address: string, body: NotificationBody, signal: AbortSignal): Promise<string | null> {
  try {
    const response = await fetch(address, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
      redirect: 'error',
      signal: AbortSignal.any([signal, AbortSignal.timeout(TRY_MS)]),
    });
    await response.body?.cancel();
    return response.ok ? null : `the server answered ${response.status}`;
  } catch {
    return 'the server could not be reached';
  }
}
