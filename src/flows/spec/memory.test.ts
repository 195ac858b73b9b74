/** The same flow with documents and journal in memory: a spec comes out, and nothing is left on the disk but what is the person's. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { memoryJournal } from '../../journal/memory-journal.ts';
import { memoryStore } from '../../store/memory-store.ts';
import { openStage, SCRIPT, type Stage } from './test-support.ts';

let [stage, other]: Stage[] = [];
beforeEach(() => {
  [stage, other] = [openStage({ git: false }), openStage({ git: false })];
});
afterEach(() => {
  stage!.dispose();
  other!.dispose();
});

test('in memory the flow goes the same way as in files, waits at the same question and ends with the same spec', async () => {
  const kept = new Map<string, string>();
  const at = { store: memoryStore(stage!.platform.clock, kept), logs: memoryJournal() };
  const { approval: _later, ...untilApproval } = SCRIPT;
  const [waits, waitsInFiles] = [await stage!.play({ script: untilApproval, at }), await other!.play({ script: untilApproval })];
  expect(waits.report).toEqual(waitsInFiles.report);
  expect(waits.report.exitCode).toBe(8);
  expect(JSON.parse(kept.get('state.json')!)).toMatchObject({ phase: 'spec_ready', harness: other!.state()!['harness'] });
  expect([...kept.keys()].filter((name) => name.startsWith('spec/')).toSorted()).toEqual(
    Object.keys(other!.leftovers())
      .filter((path) => path.startsWith('.harness/spec/'))
      .map((path) => path.slice('.harness/'.length))
      .toSorted(),
  );
  const [ends, endsInFiles] = [await stage!.play({ script: SCRIPT, at }), await other!.play({ script: SCRIPT })];
  expect(ends.report).toEqual(endsInFiles.report);
  expect(ends.gates.map(({ id }) => id)).toEqual(endsInFiles.gates.map(({ id }) => id));
  expect(stage!.leftovers()).toEqual(other!.leftovers());
  expect([...kept.keys()]).toEqual([]);
  expect(existsSync(join(stage!.root, '.harness'))).toBe(false);
  const phases = at.logs.events.flatMap((event) => (event.type === 'flow.phase' ? [event.phase] : []));
  expect(phases).toEqual(
    [...waitsInFiles.events, ...endsInFiles.events].flatMap((event) => (event.type === 'flow.phase' ? [event.phase] : [])),
  );
  expect(at.logs.events.map(({ seq }) => seq)).toEqual(at.logs.events.map((_, index) => index + 1));
});
