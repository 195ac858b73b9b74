import assert from 'node:assert/strict';
import { test } from 'node:test';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const tally = (...args) => spawnSync(process.execPath, ['bin/tally.js', ...args], { encoding: 'utf8' });

test('prints words, lines, frequent words and the longest word', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tally-'));
  try {
    writeFileSync(join(folder, 'text.txt'), 'the cat and the hat\n');
    assert.equal(tally(join(folder, 'text.txt')).stdout, 'words    5\nlines    1\nfrequent the (2), and (1), cat (1)\nlongest  the (3)\n');
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('says that a file is missing and ends with status 1', () => {
  const result = tally('no-such-file.txt');
  assert.equal(result.status, 1);
  assert.match(result.stderr, /cannot read no-such-file\.txt/);
});
