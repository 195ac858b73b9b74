import { afterEach, beforeEach, expect, test } from 'vitest';
import { openFlightBench, type FlightBench } from '../../kernel/flight/test-support.ts';
import { removeStaleGates } from './cleanup.ts';
import { readGate, writeGate } from '../../gates/gate-files.ts';

let bench: FlightBench;
beforeEach(async () => void (bench = await openFlightBench()));
afterEach(() => bench.close());

const waiting = async (): Promise<string[]> => {
  const found: string[] = [];
  for (const id of ['workflow.session', 'workflow.spec', 'workflow.verify', 'project.stuck'])
    if ((await readGate(bench.place.documents.folder('gates'), id)) !== null) found.push(id);
  return found;
};

test.each([
  ['goes on where it was', false, ['workflow.spec', 'workflow.verify', 'project.stuck']],
  ['goes on elsewhere', true, ['project.stuck']],
])('a session that %s leaves no question behind that has lost its point', async (_, moved, left) => {
  const gates = bench.place.documents.folder('gates');
  for (const id of ['workflow.session', 'workflow.spec', 'workflow.verify', 'project.stuck'])
    await writeGate(gates, {
      id,
      asked_at: '2026-01-01T00:00:00Z',
      header: 'H',
      question: 'Q?',
      options: [],
      non_negotiable: false,
      context: [],
    });
  await removeStaleGates(bench.place, moved);
  expect(await waiting()).toEqual(left);
});
