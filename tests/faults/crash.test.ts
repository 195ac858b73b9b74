/** A representative part of `npm run crash`: sparse points of quick commands under rotating faults, and a handful of real kills. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { SUBJECTS } from './crash/commands.ts';
import { drive } from './crash/drive.ts';
import { killRandomly } from './crash/kills.ts';

const scratch = mkdtempSync(join(tmpdir(), 'harness-crash-test-'));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

test.each([
  ['init --features', 13],
  ['migrate', 4],
  ['rollback', 17],
  ['takeback', 17],
  ['run verified', 41],
])('%s comes to the same end whatever is cut off in it', async (name, every) => {
  const subject = SUBJECTS.find((one) => one.name === name)!;
  const driven = await drive(subject, { scratch: join(scratch, name.replaceAll(' ', '-')), every, allFaults: false, offset: 2 });
  expect(driven.losses).toEqual([]);
  expect(driven.faults).toBeGreaterThanOrEqual(2);
});

test('ten kills at random instants lose nothing and commit nothing twice', async () => {
  const program = fileURLToPath(new URL('../../bin/harness.js', import.meta.url));
  const result = await killRandomly({ program, scratch, kills: 10, seed: 7 });
  expect(result.losses).toEqual([]);
  expect(result.kills).toBe(10);
});
