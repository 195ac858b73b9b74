import { expect, test } from 'vitest';
import { nodePlatform } from './node-platform.ts';
import { chosenSandbox, noSandbox } from './sandbox.ts';
import { nodeProcesses } from './processes.ts';

const command = { file: '/bin/sh', args: ['-c', 'echo it ran'], cwd: '/' };
const spec = { writable: [], hidden: [], network: 'none' } as const;

test('none guarantees nothing, and what was to be confined does not run', async () => {
  const none = noSandbox('there is none here');
  expect([none.hides, none.diesTogether, none.noNetwork]).toEqual([false, false, false]);
  const processes = nodeProcesses(async () => none);
  await expect(processes.run({ ...command, env: {}, sandbox: spec })).rejects.toThrow('there is none here');
  expect(() => none.apart('echo it ran', '/')).toThrow('there is none here');
  const free = await processes.run({ ...command, env: {}, sandbox: null });
  expect([free.stdout.toString(), free.sandboxed]).toEqual(['it ran\n', false]);
});

test('a setting that switches it off chooses none, also where there is one; any other takes what is here', async () => {
  const platform = nodePlatform({});
  expect((await chosenSandbox(platform, 'off')).hides).toBe(false);
  const here = await platform.sandbox();
  expect(await chosenSandbox(platform, 'auto')).toBe(here);
  expect(await chosenSandbox(platform, 'on')).toBe(here);
});

test('where it can be made, every guarantee holds together with the others', async () => {
  const { hides, diesTogether, noNetwork, remedy } = await nodePlatform({}).sandbox();
  expect([diesTogether, noNetwork, remedy === null]).toEqual([hides, hides, hides]);
});
