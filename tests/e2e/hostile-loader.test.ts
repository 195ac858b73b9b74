/** Variables that a repository sets for its tests: what they make a program load is loaded inside the sandbox and nowhere else. */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { bubblewrapHere } from '../../src/platform/bubblewrap.ts';
import { nodePlatform } from '../../src/platform/node-platform.ts';
import { FEATURES, FILES } from './calculator.ts';
import { commitAll, exists, harness, makeScene } from './support.ts';

const { hides } = await bubblewrapHere();
const hasCompiler = spawnSync('cc', ['--version']).status === 0;

/** Leaves a mark in the home directory, which is read-only in a sandbox, from every program that loads it. */
const library = (mark: string): string => `
#include <fcntl.h>
__attribute__((constructor)) static void begin(void) { open(${JSON.stringify(mark)}, O_CREAT | O_WRONLY, 0600); }
unsigned int la_version(unsigned int version) { return version; }
`;

const SETTINGS: readonly (readonly [string, string])[] = [
  ['testing.env with LD_PRELOAD', 'testing: { full: npm test, env: { LD_PRELOAD: ./evil.so } }'],
  ['testing.env with LD_AUDIT', 'testing: { full: npm test, env: { LD_AUDIT: ./evil.so } }'],
  ['a test command that sets LD_PRELOAD', 'testing: { full: LD_PRELOAD=./evil.so npm test }'],
  ['a linter that sets LD_PRELOAD', 'testing: { full: npm test, sanity: { lint: "LD_PRELOAD=./evil.so true" } }'],
];

describe.runIf(hides)('variables of the dynamic loader', () => {
  test.runIf(hasCompiler).each(SETTINGS)('%s: nothing is loaded outside the sandbox', { timeout: 300_000 }, async (_name, testing) => {
    const scene = await makeScene({ ...FILES, 'features.json': FEATURES });
    await mkdir(scene.env['HOME']!, { recursive: true });
    const mark = join(scene.env['HOME']!, 'ran');
    await writeFile(join(scene.folder, 'evil.c'), library(mark));
    execFileSync('cc', ['-shared', '-fPIC', '-o', join(scene.project, 'evil.so'), join(scene.folder, 'evil.c')]);
    await writeFile(
      join(scene.project, '.harness.yaml'),
      `project: { name: p }\n${testing}\nagent: { backend: command, command: 'true' }\n`,
    );
    await commitAll(scene, 'Bring a library');
    for (const command of [
      ['init', '--features', 'features.json'],
      ['judge', '--base', 'HEAD~1'],
    ]) {
      const run = await harness(scene, ...command);
      expect(await exists(mark), `${command.join(' ')}\n${run.stdout}${run.stderr}`).toBe(false);
    }
  });

  test('the command has them, and the program around it has not', async () => {
    const run = await nodePlatform().processes.run({
      file: '/bin/sh',
      args: ['-c', 'echo "inside $LD_BIND_NOW $KEPT"; tr "\\0" "\\n" < /proc/1/environ | grep -c LD_BIND_NOW'],
      cwd: '/',
      env: { PATH: process.env['PATH']!, LD_BIND_NOW: 'yes', KEPT: 'kept' },
      sandbox: { writable: [], hidden: [], network: 'none' },
      timeoutMs: 60_000,
    });
    expect(run.stdout.toString('utf8')).toBe('inside yes kept\n0\n');
  });
});
