/**
 * Runs a package manager for the harness, in a sandbox where the machine can make one.
 *
 * 1. First without any script: the user's caches and logins are there, as the package manager needs them, unless the project's own files
 *    say what it starts.
 * 2. Scripts, where the user allows them, run in a second pass: without logins, on caches that are thrown away.
 * 3. Neither pass can write anything but the folder it installs into.
 */
import { join } from 'node:path';
import { loadUserSettings } from '../config/user-settings.ts';
import type { Platform } from '../platform/platform.ts';
import type { RunResult } from '../platform/processes.ts';
import { chosenSandbox, type SandboxSpec } from '../platform/sandbox.ts';
import { credentialPaths, CREDENTIAL_PATHS } from './credential-paths.ts';
import { hiddenOfHarness } from './harness-home.ts';
import type { InstallPlan } from './install-plan.ts';
import { privateCaches } from './package-caches.ts';
import { isInside } from './paths.ts';
import { CONTROL_PATHS } from './sandbox-policy.ts';

export interface InstallPlace {
  /** Holds the package files; `node_modules` appears in it. */
  building: string;
  /** A folder beside it, for what is thrown away. */
  aside: string;
  harnessHome: string;
}

const INSTALL_TIMEOUT_MS = 15 * 60_000;
/** Where package managers keep what they load, relative to the home directory. */
const STORES = ['.npm', '.yarn', '.cache/yarn', '.local/share/pnpm', '.local/state/pnpm', '.cache/pnpm', '.cache/node', '.bun'];

/** The reason why it failed; null: it did not. */
export async function runInstall(platform: Platform, plan: InstallPlan, place: InstallPlace): Promise<string | null> {
  const { hides } = await chosenSandbox(platform, (await loadUserSettings(platform)).sandbox?.mode ?? 'auto');
  if (!hides) return whyFailed(plan, await pass(platform, plan.command, place, null));
  const first = await pass(platform, plan.quiet, place, await installSandbox(platform, place, !plan.takesCode));
  // A store at a place that nobody can guess: nothing of the project's runs in this pass, so it may as well run outside.
  const stuck = typeof first !== 'string' && first.code !== 0 && /EROFS|[Rr]ead-only file system/.test(first.stderr.toString('utf8'));
  const failure = whyFailed(plan, stuck && !plan.takesCode ? await pass(platform, plan.quiet, place, null) : first);
  if (failure !== null || !plan.scripts) return failure;
  await platform.files.remove(join(place.building, 'node_modules'));
  return whyFailed(plan, await pass(platform, plan.command, place, await installSandbox(platform, place, false)));
}

async function installSandbox(platform: Platform, place: InstallPlace, trusted: boolean): Promise<SandboxSpec> {
  const home = platform.env['HOME'];
  const logins = trusted && home !== undefined ? CREDENTIAL_PATHS['package managers and registries'].map((path) => join(home, path)) : [];
  const needed = [...logins, ...['.netrc', '.git-credentials', '.config/git/credentials'].map((path) => join(home ?? '/', path))];
  const hidden = [...credentialPaths(platform.env), ...CONTROL_PATHS].filter((path) => !trusted || !needed.includes(path));
  const stores = trusted ? await userStores(platform, place) : [];
  const caches = trusted ? null : await privateCaches(platform, { folder: join(place.aside, 'caches'), workspace: place.building, home });
  await caches?.filling.done();
  return {
    ...(caches === null ? {} : { writableAt: caches.writableAt, readOnlyAt: caches.readOnlyAt }),
    writable: [place.building, join(place.aside, 'tmp'), ...stores],
    hidden: [...hidden, ...hiddenOfHarness(platform, place.harnessHome)],
    shown: home === undefined ? [] : [home],
    programs: (platform.env['PATH'] ?? '').split(':').filter((path) => path.startsWith('/')),
    network: 'host',
  };
}

/** Those that are there, and npm's, which it cannot do without. */
async function userStores(platform: Platform, place: InstallPlace): Promise<string[]> {
  const home = platform.env['HOME'];
  const named = ['npm_config_cache', 'NPM_CONFIG_CACHE', 'YARN_CACHE_FOLDER', 'PNPM_HOME', 'COREPACK_HOME'].map(
    (name) => platform.env[name],
  );
  const usual = home === undefined ? [] : STORES.map((path) => join(home, path));
  if (home !== undefined) await platform.files.mkdir(join(home, '.npm')).catch(() => {});
  const found: string[] = [];
  for (const path of [...usual, ...named]) {
    if (path === undefined || !path.startsWith('/') || isInside(path, place.harnessHome)) continue;
    const stat = await platform.files.lstat(path).catch(() => null);
    if (stat?.isDirectory() === true) found.push(path);
  }
  return found;
}

/** A manager that only corepack has is started by corepack, which brings the version that the project pins. */
async function pass(
  platform: Platform,
  command: readonly string[],
  place: InstallPlace,
  sandbox: SandboxSpec | null,
): Promise<RunResult | string> {
  const found = await start(platform, command, place, sandbox);
  if (!isMissing(found) || !/^(?:pnpm|yarn)$/.test(command[0]!)) return found;
  const other = await start(platform, ['corepack', ...command], place, sandbox);
  return isMissing(other) ? found : other;
}

function isMissing(run: RunResult | string): boolean {
  if (typeof run === 'string') return /\bENOENT\b/.test(run);
  return run.code === 127 || NO_PROGRAM.test(run.stderr.toString('utf8'));
}

async function start(
  platform: Platform,
  command: readonly string[],
  place: InstallPlace,
  sandbox: SandboxSpec | null,
): Promise<RunResult | string> {
  const temporary = join(place.aside, 'tmp');
  await platform.files.mkdir(temporary);
  return platform.processes
    .run({
      file: command[0]!,
      args: command.slice(1),
      cwd: place.building,
      env: { ...installEnvironment(platform), TMPDIR: temporary },
      sandbox,
      timeoutMs: INSTALL_TIMEOUT_MS,
    })
    .catch((error: unknown) => (error instanceof Error ? error.message : String(error)));
}

function whyFailed({ command, lockfile, manager }: InstallPlan, run: RunResult | string): string | null {
  const told = typeof run === 'string' ? run : run.stderr.toString('utf8');
  if (isMissing(run)) return `${command[0]!} is not installed on this machine, and ${lockfile} is for it alone. Install ${manager}`;
  if (typeof run === 'string') return run;
  if (run.code === 0) return null;
  return run.timedOut ? 'it took too long' : whatFailed(told, run.stdout.toString('utf8'));
}

const NO_PROGRAM = /^(?:bwrap: )?execvp \S+: No such file or directory/m;

/** The lines of a package manager that say what is wrong; they come before its usage text. Some managers say it where others tell of progress. */
function whatFailed(stderr: string, stdout: string): string {
  const linesOf = (text: string): string[] =>
    text
      .split('\n')
      .map((line) => line.replace(/^npm (?:error|ERR!)\s*/, '').trim())
      .filter((line) => line !== '' && !/^(?:npm (?:warn|notice)|warning)\b/i.test(line));
  const printed = linesOf(stdout);
  const said = printed.filter((line) => /\berr(?:or)?\b|ERR_|YN0*[1-9]\d*/i.test(line));
  return [...linesOf(stderr).slice(0, 5), ...(said.length > 0 ? said.slice(0, 5) : printed.slice(-3))].join(' ').slice(0, 800);
}

function installEnvironment(platform: Platform): Record<string, string> {
  const env: Record<string, string> = {
    CI: '1',
    YARN_NODE_LINKER: 'node-modules',
    YARN_ENABLE_TELEMETRY: '0',
    COREPACK_ENABLE_DOWNLOAD_PROMPT: '0',
  };
  for (const [name, value] of Object.entries(platform.env)) {
    const kept =
      /^(PATH|HOME|LANG|LC_.*|XDG_.*|NODE_EXTRA_CA_CERTS|SSL_CERT_FILE|SSL_CERT_DIR|COREPACK_HOME|COREPACK_NPM_REGISTRY)$/.test(name) ||
      /^(npm_config_|npm_package_config_|https?_proxy$|no_proxy$)/i.test(name);
    if (kept && value !== undefined) env[name] = value;
  }
  return env;
}
