/** `harness doctor --fix telemetry` and `--fix fleet`: optional parts, in pinned versions, in the user's cache. */
import { join } from 'node:path';
import { EXIT, type ExitCode } from '../domain/reasons.ts';
import { firstErrorLine } from '../domain/first-error.ts';
import type { RunResult } from '../platform/processes.ts';
import type { CommandContext } from './command.ts';

const INSTALL_MS = 5 * 60_000;

export interface OptionalPart {
  /** As it is called in the answer. */
  name: string;
  /** In a sentence. */
  title: string;
  folder: string;
  packages: Readonly<Record<string, string>>;
  find(): Promise<string | null>;
}

export async function fixPackages({ platform, output }: CommandContext, part: OptionalPart): Promise<{ exitCode: ExitCode }> {
  const { title } = part;
  const before = await part.find();
  if (before !== null) return tell(output, part, before, `${title} installed already: ${before}`);
  const { env } = platform;
  const cache = env['HARNESS_AGENT_CACHE'] || join(env['HOME'] ?? '/', '.cache', 'universal-agent-harness', 'agents');
  const folder = join(cache, part.folder);
  await platform.files.mkdir(folder);
  const packages = Object.entries(part.packages).map(([name, version]) => `${name}@${version}`);
  const args = ['install', '--prefix', folder, '--no-audit', '--no-fund', '--ignore-scripts', '--save-exact', ...packages];
  const own = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined)) as Record<string, string>;
  const ran = await platform.processes.run({ file: 'npm', args, cwd: folder, env: own, timeoutMs: INSTALL_MS }).catch(() => null);
  const after = await part.find();
  if (after !== null) return tell(output, part, after, `${title} installed: ${after}`);
  const why = ran === null ? 'npm could not be started' : whyNot(ran);
  return tell(output, part, null, `${title} not installed: ${why}. By hand: npm ${args.join(' ')}`);
}

function whyNot({ timedOut, stderr }: Pick<RunResult, 'timedOut' | 'stderr'>): string {
  const said = firstErrorLine(stderr.toString('utf8'));
  if (said !== '') return said;
  return timedOut
    ? `npm did not finish within ${INSTALL_MS / 60_000} minutes; can this machine reach the package registry?`
    : 'npm failed without a word';
}

function tell(output: CommandContext['output'], { name }: OptionalPart, folder: string | null, message: string): { exitCode: ExitCode } {
  output.object({ fixed: folder !== null, [name]: folder, message }, message);
  return { exitCode: folder !== null ? EXIT.done : EXIT.preflight };
}
