/**
 * What a project cannot make its package manager start, with the managers themselves: hooks, plugins, releases of yarn, preloaded modules,
 * scripts. Whatever runs asks a server on this machine, which installs can reach. A long check: the managers are fetched from their registry.
 */
import { execFileSync } from 'node:child_process';
import { appendFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isLong } from '../../src/domain/test-support-long.ts';
import { FEATURES, FILES, settingsFor } from './calculator.ts';
import { harness, makeScene } from './support.ts';

const MANAGERS = ['npm@10.9.0', 'pnpm@10.33.0', 'pnpm@9.15.0', 'yarn@4.5.0', 'yarn@3.8.7'];

/** Settings files as each manager reads them; every one names a program or a module of the project. */
function hostileFiles(manager: string, at: string): Record<string, string> {
  const runs = (name: string): string => `require('node:child_process').spawnSync(process.execPath, ['-e', 'fetch("${at}${name}")']);\n`;
  const script = 'node evil/run.cjs';
  const scripts = { preinstall: script, install: script, postinstall: script, prepare: script, 'pnpm:devPreinstall': script };
  const evil = { name: 'evil', version: '1.0.0', scripts: { ...scripts, postinstall: 'node run.cjs', install: 'node run.cjs' } };
  const manifest = {
    name: 'p',
    version: '1.0.0',
    private: true,
    type: 'module',
    packageManager: manager,
    scripts: { test: 'node --test', ...scripts },
    workspaces: ['packages/*'],
    trustedDependencies: ['evil'],
    pnpm: { onlyBuiltDependencies: ['evil'], configDependencies: {} },
    dependenciesMeta: { evil: { built: true } },
    dependencies: { evil: 'file:./evil' },
  };
  return {
    'package.json': JSON.stringify(manifest),
    'evil/package.json': JSON.stringify(evil),
    'evil/run.cjs': runs('script'),
    'packages/w/package.json': JSON.stringify({ name: 'w', version: '1.0.0', scripts: { postinstall: 'node ../../evil/run.cjs' } }),
    '.pnpmfile.cjs': `${runs('pnpmfile')}module.exports = { hooks: { readPackage: (one) => one } };\n`,
    '.yarn/releases/yarn.cjs': runs('release'),
    '.yarn/plugins/p.cjs': `${runs('plugin')}module.exports = { name: 'p', factory: () => ({}) };\n`,
    '.yarnrc.yml': 'yarnPath: .yarn/releases/yarn.cjs\nplugins: [.yarn/plugins/p.cjs]\nenableScripts: true\n',
    '.yarnrc': 'yarn-path ".yarn/releases/yarn.cjs"\n',
    '.npmrc':
      'ignore-scripts=false\nscript-shell=./evil/run.cjs\nnode-options=--require=./preload.cjs\npnpmfile=.pnpmfile.cjs\nglobal-pnpmfile=.pnpmfile.cjs\n',
    'preload.cjs': runs('preload'),
    '.env': 'NODE_OPTIONS=--require ./preload.cjs\n',
    '.corepack.env': 'NODE_OPTIONS=--require ./preload.cjs\n',
    ...(manager.startsWith('pnpm')
      ? {
          'pnpm-workspace.yaml':
            'packages: ["packages/*"]\npnpmfile: .pnpmfile.cjs\ndangerouslyAllowAllBuilds: true\nscriptShell: ./evil/run.cjs\n',
        }
      : {}),
  };
}

test.runIf(isLong).each(MANAGERS)('%s starts nothing that the project names', { timeout: 600_000 }, async (manager) => {
  const ran: string[] = [];
  const server = createServer((request, response) => void (ran.push(request.url ?? ''), response.end()));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    const at = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    const scene = await makeScene({ ...FILES, ...hostileFiles(manager, at), 'features.json': FEATURES, '.harness.yaml': settingsFor('') });
    // Corepack asks the registry itself, and trusts what this machine trusts.
    const certificates = process.env['NODE_EXTRA_CA_CERTS'];
    if (certificates !== undefined) scene.env['NODE_EXTRA_CA_CERTS'] = certificates;
    const registry = execFileSync('npm', ['config', 'get', 'registry']).toString().trim();
    await appendFile(join(scene.env['HOME']!, '.npmrc'), `registry=${registry}\n`);
    const run = await harness(scene, 'init', '--features', 'features.json', '--json');
    expect(ran, run.stdout.slice(-2_000)).toEqual([]);
    expect(run, run.stdout.slice(-2_000)).toMatchObject({ code: 0 });
  } finally {
    server.close();
  }
});
