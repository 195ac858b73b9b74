// What the tests need and the checkout does not bring: agents, and Debian packages such as bubblewrap and chromium.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const INSTALL_AGENTS = fileURLToPath(new URL('install-agents.mjs', import.meta.url));
const BROWSERS = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome', 'microsoft-edge', 'brave-browser'];

/** In CI as root, what is missing is installed, one by one where not all of it can be had; elsewhere the reader is told what will be skipped. */
export function prepareMachine() {
  if (process.env.CI !== undefined) installAgents();
  const missing = missingPackages();
  const mayInstall = process.env.CI !== undefined && process.getuid?.() === 0 && succeeds('apt-get', '--version');
  const here = mayInstall ? installed(missing.map((entry) => entry.name)) : [];
  if (here.length > 0) console.log(`Installed ${here.join(', ')} for the tests.`);
  for (const { name, skipped } of missing.filter((entry) => !here.includes(entry.name)))
    console.log(`Without ${name}, ${skipped} are skipped. To get it: sudo apt-get install ${name}`);
}

function installed(names) {
  if (names.length === 0 || install(names)) return names;
  succeeds('apt-get', 'update', '-qq');
  return install(names) ? names : names.filter((name) => install([name]));
}

/** Claude Code and Codex are no dependencies; in CI the tests with them run against the cache that this fills. */
function installAgents() {
  if (spawnSync(process.execPath, [INSTALL_AGENTS], { stdio: 'inherit' }).status === 0) return;
  console.log('The agents could not be installed: the tests with those that are missing are left out.');
}

/** What some tests need and a fresh Debian has not. */
function missingPackages() {
  return [
    { name: 'bubblewrap', skipped: 'the tests of the sandbox', there: succeeds('bwrap', '--version') },
    { name: 'python3-pytest', skipped: 'the tests with pytest', there: succeeds('python3', '-c', 'import pytest') },
    { name: 'python3-venv', skipped: 'the tests with environments of Python', there: succeeds('python3', '-c', 'import ensurepip, venv') },
    { name: 'chromium', skipped: 'the tests that visit a page', there: BROWSERS.some((browser) => succeeds(browser, '--version')) },
    {
      name: 'postgresql',
      skipped: 'the tests with a database',
      there: existsSync('/usr/lib/postgresql') || succeeds('postgres', '--version'),
    },
  ].filter((entry) => !entry.there);
}

function install(names) {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  return spawnSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...names], { stdio: 'ignore', env }).status === 0;
}

function succeeds(program, ...args) {
  return spawnSync(program, args, { stdio: 'ignore' }).status === 0;
}
