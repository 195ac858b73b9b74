/** `harness doctor --fix telemetry`: the OpenTelemetry SDK, beside the other optional parts in the user's cache. */
import { join } from 'node:path';
import { EXIT, type ExitCode } from '../domain/reasons.ts';
import { firstErrorLine } from '../domain/first-error.ts';
import { findTelemetry, TELEMETRY_FOLDER, TELEMETRY_PACKAGES } from '../kernel/telemetry/sdk.ts';
import type { CommandContext } from './command.ts';

const INSTALL_MS = 5 * 60_000;

export async function fixTelemetry({ platform, output }: CommandContext): Promise<{ exitCode: ExitCode }> {
  const before = await findTelemetry(platform);
  if (before !== null) return tell(output, true, before, `The OpenTelemetry SDK is installed already: ${before}`);
  const { env } = platform;
  const cache = env['HARNESS_AGENT_CACHE'] || join(env['HOME'] ?? '/', '.cache', 'universal-agent-harness', 'agents');
  const folder = join(cache, TELEMETRY_FOLDER);
  await platform.files.mkdir(folder);
  const packages = Object.entries(TELEMETRY_PACKAGES).map(([name, version]) => `${name}@${version}`);
  const args = ['install', '--prefix', folder, '--no-audit', '--no-fund', '--ignore-scripts', '--save-exact', ...packages];
  const own = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined)) as Record<string, string>;
  const ran = await platform.processes.run({ file: 'npm', args, cwd: folder, env: own, timeoutMs: INSTALL_MS }).catch(() => null);
  const after = await findTelemetry(platform);
  if (after !== null) return tell(output, true, after, `The OpenTelemetry SDK is installed: ${after}`);
  const why = ran === null ? 'npm could not be started' : (firstErrorLine(ran.stderr.toString('utf8')) ?? 'npm failed');
  return tell(output, false, null, `The OpenTelemetry SDK could not be installed: ${why}. By hand: npm ${args.join(' ')}`);
}

function tell(output: CommandContext['output'], fixed: boolean, folder: string | null, message: string): { exitCode: ExitCode } {
  output.object({ fixed, telemetry: folder, message }, message);
  return { exitCode: fixed ? EXIT.done : EXIT.preflight };
}
