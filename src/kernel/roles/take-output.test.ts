import { execFileSync } from 'node:child_process';
import { linkSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { nodePlatform } from '../../platform/node-platform.ts';
import { takeOutput, type TakenOutput } from './take-output.ts';

const platform = nodePlatform({});
let copy = '';
let folder = '';

beforeEach(() => {
  copy = mkdtempSync(join(tmpdir(), 'harness-output-'));
  folder = join(copy, '.harness/output');
  mkdirSync(folder, { recursive: true });
});
afterEach(() => rmSync(copy, { recursive: true, force: true }));

const take = (): Promise<TakenOutput> => takeOutput(platform, copy, 'report.md');
const put = (content: string | Uint8Array): void => writeFileSync(join(folder, 'report.md'), content);

test('a plain text file is taken as it is', async () => {
  put('# Bericht\n\n\tüber 한국어 👍🏽\n');
  expect(await take()).toEqual({ output: '# Bericht\n\n\tüber 한국어 👍🏽\n', refused: null });
});

test('an empty file is an output, a missing one is none, and neither is refused', async () => {
  expect(await take()).toEqual({ output: null, refused: null });
  put('');
  expect(await take()).toEqual({ output: '', refused: null });
  rmSync(join(copy, '.harness'), { recursive: true });
  expect(await take()).toEqual({ output: null, refused: null });
});

test('control sequences and hidden characters are removed', async () => {
  put('a\u001b]0;title\u0007b\u001b[2Jc\u200b\r\nd\u202e\n');
  expect((await take()).output).toBe('abc\nd\n');
});

test.each<[string, RegExp, () => void]>([
  ['a link to another file', /is a link/, () => symlinkSync('/etc/hostname', join(folder, 'report.md'))],
  ['a link that leads nowhere', /is a link/, () => symlinkSync('nowhere', join(folder, 'report.md'))],
  ['a directory', /is a directory/, () => mkdirSync(join(folder, 'report.md'))],
  ['a pipe', /not a plain file/, () => void execFileSync('mkfifo', [join(folder, 'report.md')])],
  ['ten megabytes', /10485760 bytes/, () => put(Buffer.alloc(10 * 1024 * 1024, 'x'))],
  ['bytes that are no text', /UTF-8/, () => put(Buffer.from([0xff, 0xfe, 0x41, 0x42]))],
  ['null bytes', /null bytes/, () => put(Buffer.from('a\0b'))],
  [
    'a second name for another file',
    /hard link/,
    () => {
      writeFileSync(join(copy, 'other'), 'secret');
      linkSync(join(copy, 'other'), join(folder, 'report.md'));
    },
  ],
  [
    'a linked folder on the way',
    /no longer a directory/,
    () => {
      rmSync(join(copy, '.harness'), { recursive: true });
      mkdirSync(join(copy, 'elsewhere/output'), { recursive: true });
      writeFileSync(join(copy, 'elsewhere/output/report.md'), 'not here');
      symlinkSync('elsewhere', join(copy, '.harness'));
    },
  ],
])('%s is refused with the reason', async (_, reason, plant) => {
  plant();
  const taken = await take();
  expect(taken.output).toBeNull();
  expect(taken.refused).toMatch(reason);
});
