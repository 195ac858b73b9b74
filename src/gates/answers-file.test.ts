import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { nodePlatform } from '../platform/node-platform.ts';
import { readAnswers } from './answers-file.ts';

const platform = nodePlatform({});
let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'harness-answers-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function read(content: string) {
  const file = join(folder, 'answers.json');
  await writeFile(file, content);
  return readAnswers(platform, file);
}

test('an option, an object and a list are all read as a list of answers', async () => {
  const given = { 'a.b': 'Skip', 'a.c': 2, 'a.d': { option: 'Retry', text: 'once more' }, 'a.e': ['Retry', { text: 'stop' }] };
  expect(await read(JSON.stringify(given))).toEqual({
    'a.b': [{ option: 'Skip', text: null }],
    'a.c': [{ option: '2', text: null }],
    'a.d': [{ option: 'Retry', text: 'once more' }],
    'a.e': [
      { option: 'Retry', text: null },
      { option: null, text: 'stop' },
    ],
  });
});

test.each([
  ['[]', 'the whole file'],
  ['{"a.b": true}', 'a.b'],
  ['{"a.b": {"opt": "x"}}', 'a.b'],
  ['{"a.b": ', 'not JSON'],
])('the wrong form %s is refused and the place named', async (content, place) => {
  await expect(read(content)).rejects.toMatchObject({ exitCode: 2, message: expect.stringContaining(place) });
});

test('a missing file is refused by name', async () => {
  await expect(readAnswers(platform, join(folder, 'none.json'))).rejects.toMatchObject({
    exitCode: 2,
    message: expect.stringContaining('none.json'),
  });
});
