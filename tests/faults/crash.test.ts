/** A representative part of `npm run crash`: sparse points of each command under rotating faults, and a handful of real kills. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { isLong } from '../../src/domain/test-support-long.ts';
import { SUBJECTS } from './crash/commands.ts';
import { drive } from './crash/drive.ts';
import { CRASHES, REFUSALS, type Fault } from './crash/faults.ts';
import { killRandomly } from './crash/kills.ts';
import { closeShell } from './crash/small-shell.ts';

const scratch = mkdtempSync(join(tmpdir(), 'harness crash-test-'));
afterAll(() => {
  closeShell();
  rmSync(scratch, { recursive: true, force: true });
});

const FAULTS: readonly Fault[] = [...CRASHES, ...REFUSALS];

test.each([
  ['init --features', 9],
  ['run verified', 31],
  ['run rejected', 47],
  ['run accepted by a person', 7],
  ['worker', 47],
  ['rollback', 11],
  ['migrate', 5],
  ['takeback', 17],
])('%s comes to the same end whatever is cut off in it', async (name, every) => {
  const subject = SUBJECTS.find((one) => one.name === name)!;
  const takes = (point: number, fault: Fault): boolean =>
    point % every === 2 && FAULTS[Math.floor(point / every) % FAULTS.length] === fault;
  const driven = await drive(subject, { scratch: join(scratch, name.replaceAll(' ', '-')), takes });
  expect(driven.losses).toEqual([]);
  expect(driven.points).toBeGreaterThanOrEqual(2);
});

test.runIf(isLong)("the record of a mission's session stands once, wherever its writing is cut off", async () => {
  const subject = SUBJECTS.find((one) => one.name === 'mission run')!;
  const driven = await drive(subject, {
    scratch: join(scratch, 'mission-records'),
    takes: (_, fault, operation) => fault === 'after' && operation.target.endsWith('/logs/sessions.jsonl'),
  });
  expect(driven.losses).toEqual([]);
  expect(driven.points).toBeGreaterThanOrEqual(5);
});

test.runIf(process.platform === 'linux')(
  'five kills at random instants lose nothing, leave nothing running and commit nothing twice',
  async () => {
    const program = fileURLToPath(new URL('../../bin/harness.js', import.meta.url));
    const result = await killRandomly({ program, scratch, kills: 5, seed: 7, sandboxes: ['off'] });
    expect(result.losses).toEqual([]);
    expect(result.kills).toBe(5);
    expect(result.acknowledged).toBeGreaterThan(20);
  },
);
