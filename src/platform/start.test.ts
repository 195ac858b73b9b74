import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
let place = '';
let bundle = '';

beforeAll(async () => {
  place = mkdtempSync(join(tmpdir(), 'start-'));
  bundle = join(place, 'main.cjs');
  await build({
    absWorkingDir: root,
    entryPoints: ['src/platform/start.ts'],
    outfile: join(place, 'start.cjs'),
    bundle: true,
    format: 'cjs',
    platform: 'node',
  });
});
beforeEach(() => rmSync(join(place, 'kept'), { recursive: true, force: true }));
afterAll(() => rmSync(place, { recursive: true, force: true }));

const program = (id: string, says: string): string =>
  `// ${id}\n(function (exports, require, module, __filename, __dirname) {\nexports.said = (() => '${says}')() + require('node:path').basename(__filename);\n})\n`;

/** What it said, and whether it was started with code that was kept. */
function started(...words: string[]): [said: string, wasKept: boolean] {
  const code = `
    const said = require(process.argv[1]).start(process.argv[2], process.argv.slice(3)).said;
    process.stdout.write(said + ' ' + (process.listenerCount('exit') === 0));`;
  const { stdout, stderr } = spawnSync(process.execPath, ['-e', code, join(place, 'start.cjs'), bundle, ...words], { encoding: 'utf8' });
  const [said = '', wasKept] = stdout.split(' ');
  if (stderr !== '') throw new Error(stderr);
  return [said, wasKept === 'true'];
}

const kept = (): string[] => readdirSync(join(place, 'kept'));

test('the second start of a command takes what the first one compiled, another command its own', () => {
  writeFileSync(bundle, program('01', 'one-'));
  expect(started('run')).toEqual(['one-main.cjs', false]);
  const first = readFileSync(join(place, 'kept', kept()[0]!));
  for (let time = 0; time < 2; time += 1) expect(started('--verbose', 'run', '--sessions', '1')).toEqual(['one-main.cjs', true]);
  expect(readFileSync(join(place, 'kept', kept()[0]!))).toEqual(first);
  expect(started('log')).toEqual(['one-main.cjs', false]);
  expect(kept()).toEqual(['log', 'run'].map((name) => `01-${process.version}-${process.arch}-${name}`));
});

test.runIf(process.version.startsWith('v20.'))('what is kept by a process that optimises late is taken by the next one', () => {
  writeFileSync(
    bundle,
    program('01', 'one-').replace('exports.said', "require('node:v8').setFlagsFromString('--interrupt-budget=675840');\nexports.said"),
  );
  expect([started('run'), started('run'), started('run')].map(([, wasKept]) => wasKept)).toEqual([false, true, true]);
});

test('what another bundle compiled is never run, also when it is as long', () => {
  writeFileSync(bundle, program('01', 'one-'));
  started('run');
  writeFileSync(bundle, program('02', 'two-'));
  expect(started('run')).toEqual(['two-main.cjs', false]);
});

test('what is no compiled code is made again', () => {
  writeFileSync(bundle, program('01', 'one-'));
  started('run');
  const [name] = kept();
  const whole = readFileSync(join(place, 'kept', name!));
  for (const broken of ['', 'nonsense', whole.subarray(0, whole.length / 2)]) {
    writeFileSync(join(place, 'kept', name!), broken);
    expect(started('run')).toEqual(['one-main.cjs', false]);
    expect(started('run')).toEqual(['one-main.cjs', true]);
  }
});

test('the files are bounded in number', () => {
  writeFileSync(bundle, program('01', 'one-'));
  for (const name of 'abcdefghijklmno') started(name);
  expect(kept()).toHaveLength(12);
  expect(started('o')[1]).toBe(true);
});

test.skipIf(process.getuid?.() === 0)('nothing is kept where the folder of the bundle cannot be written', () => {
  writeFileSync(bundle, program('01', 'one-'));
  chmodSync(place, 0o555);
  try {
    expect([started('run'), started('run')]).toEqual([
      ['one-main.cjs', false],
      ['one-main.cjs', false],
    ]);
  } finally {
    chmodSync(place, 0o755);
  }
});
