/** `harness ui`: the page over every project of this user, on 127.0.0.1, until it is interrupted. */
import { join, resolve } from 'node:path';
import { loadSettings, loadUserSettings } from '../../config/user-settings.ts';
import { usageError } from '../../domain/errors.ts';
import { EXIT } from '../../domain/reasons.ts';
import { readAssets } from '../../page/server/assets.ts';
import { servePage } from '../../page/server/serve.ts';
import { readToken, tokenFile } from '../../page/server/token.ts';
import type { Platform } from '../../platform/platform.ts';
import { reportIn } from '../../reading/report-file.ts';
import { knownProjects, rememberProject } from '../../reading/known-projects.ts';
import type { Command, CommandContext } from '../command.ts';
import { flagOption, numberOption } from '../options.ts';

const USUAL_PORT = 4747;
const TRIES = 50;

export const run: Command = async (context) => {
  const { platform, root, cwd, args, options, output, signal } = context;
  const report = args[0] === undefined ? null : await readReport(platform, resolve(cwd, args[0]));
  if (report === null && (await platform.files.exists(join(root, '.harness.yaml')))) await rememberProject(platform, root);
  const port = numberOption(options, 'port');
  if (port !== null && (!Number.isInteger(port) || port < 0 || port > 65_535)) throw usageError(`--port takes a port, not ${port}.`);
  const settings = await loadUserSettings(platform);
  const served = await servePage({
    platform,
    token: await readToken(platform, { renew: flagOption(options, 'newToken') }),
    port: port ?? USUAL_PORT,
    tries: port === null ? TRIES : 0,
    proxy: settings.ui?.url === undefined ? null : new URL(settings.ui.url),
    readonly: flagOption(options, 'readonly'),
    assets: await readAssets(platform),
    report,
    signal,
  });
  output.line({ type: 'ui.ready', url: served.url, port: served.port }, served.url);
  await tellWhoGetsIn(context);
  if (options['open'] !== false && context.interactive) await openBrowser(platform, served.url, cwd);
  await new Promise<void>((done) => (signal.aborted ? done() : signal.addEventListener('abort', () => done(), { once: true })));
  await served.close();
  return { exitCode: EXIT.interrupted };
};

async function readReport(platform: Platform, file: string): Promise<unknown> {
  const text = await platform.files.readTextIfExists(file);
  if (text === null) throw usageError(`There is no file ${file}.`);
  const report = reportIn(text);
  if (report === null) throw usageError(`${file} is not a report of the harness.`, 'Make one with: harness report --html FILE');
  return report;
}

/** Inside a sandbox an agent cannot read the token; outside of one it may. */
async function tellWhoGetsIn({ platform, output }: CommandContext): Promise<void> {
  const { hides } = await platform.sandbox();
  const open = hides ? await unconfinedProjects(platform) : ['any project'];
  if (open.length === 0) return;
  output.aside(
    `Agents of ${open.join(', ')} run without a sandbox: one of them can read the access token in ${tokenFile(platform)} and answer questions. Use --readonly, or turn the sandbox on (harness doctor).`,
  );
}

async function unconfinedProjects(platform: Platform): Promise<string[]> {
  const known = await knownProjects(platform);
  const modes = await Promise.all(known.map(({ root }) => loadSettings(platform, root).catch(() => null)));
  return modes.flatMap((settings) => (settings?.config.sandbox.mode === 'off' ? [settings.config.project.name] : []));
}

async function openBrowser(platform: Platform, url: string, cwd: string): Promise<void> {
  const env = Object.fromEntries(Object.entries(platform.env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));
  const file = env['BROWSER'] ?? 'xdg-open';
  await platform.processes.run({ file, args: [url], cwd, env, timeoutMs: 5_000, graceMs: 500, maxOutputBytes: 1_000 }).catch(() => null);
}
