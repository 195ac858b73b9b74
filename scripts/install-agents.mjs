// Installs agents, and the browser server that they are given, from npm into a cache outside the project, pinned, with install scripts off: node scripts/install-agents.mjs [--all | name …]
// The cache is $HARNESS_AGENT_CACHE, else ~/.cache/universal-agent-harness/agents. One folder for each agent, so that none sees another's packages.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** On Node 20 an unpinned install silently takes an older version. */
export const AGENTS = {
  'claude-code': { package: '@anthropic-ai/claude-agent-sdk', version: '0.3.325' },
  codex: { package: '@openai/codex', version: '0.166.0' },
  'claude-agent-acp': { package: '@agentclientprotocol/claude-agent-acp', version: '0.99.0' },
  'codex-acp': { package: '@agentclientprotocol/codex-acp', version: '2.6.0' },
  opencode: { package: 'opencode-ai', version: '1.18.33' },
  gemini: { package: '@google/gemini-cli', version: '0.61.0' },
  'playwright-mcp': { package: '@playwright/mcp', version: '0.0.82' },
};
const USUAL = ['claude-code', 'codex'];

export const cacheFolder = process.env.HARNESS_AGENT_CACHE || join(homedir(), '.cache', 'universal-agent-harness', 'agents');

export function isInstalled(name) {
  const manifest = join(cacheFolder, name, 'node_modules', AGENTS[name].package, 'package.json');
  return existsSync(manifest) && JSON.parse(readFileSync(manifest, 'utf8')).version === AGENTS[name].version;
}

/** Made beside the old one and put in its place at the end: a torn install is never taken for a whole one. */
export function install(name) {
  if (isInstalled(name)) return true;
  const target = join(cacheFolder, name);
  const next = join(cacheFolder, `.${name}.${process.pid}`);
  mkdirSync(next, { recursive: true });
  writeFileSync(join(next, 'package.json'), '{ "private": true }\n');
  const wanted = `${AGENTS[name].package}@${AGENTS[name].version}`;
  const args = ['install', '--save-exact', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error', wanted];
  const { status } = spawnSync('npm', args, { cwd: next, stdio: ['ignore', 'inherit', 'inherit'], timeout: 10 * 60_000 });
  if (status === 0) {
    rmSync(target, { recursive: true, force: true });
    renameSync(next, target);
  }
  rmSync(next, { recursive: true, force: true });
  return status === 0 && isInstalled(name);
}

function main(args) {
  const names = args.includes('--all') ? Object.keys(AGENTS) : args.length === 0 ? USUAL : args;
  const unknown = names.filter((name) => !Object.hasOwn(AGENTS, name));
  if (unknown.length > 0) {
    console.error(`There is no agent named ${unknown.join(', ')}. Known: ${Object.keys(AGENTS).join(', ')}`);
    return 2;
  }
  let failed = 0;
  for (const name of names) {
    const { package: packageName, version } = AGENTS[name];
    const there = install(name);
    if (!there) failed += 1;
    console.log(`${there ? 'installed' : 'NOT INSTALLED'}  ${name} (${packageName}@${version})`);
  }
  return failed === 0 ? 0 : 1;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) process.exitCode = main(process.argv.slice(2));
