/** What a person meets at single questions: rounds that end, a collision that names its directory, an approval that shows everything. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openStage, SCRIPT, specText, TASK, type Played, type Stage } from './test-support.ts';

let stage: Stage;
beforeEach(() => {
  stage = openStage();
});
afterEach(() => stage.dispose());

const QUICK = { ...SCRIPT, mode: 'quick' };
const asked = (played: Played): string[] => played.gates.map((gate) => gate.id).filter((id) => id.startsWith('spec.questions'));

test('an analyst that has no questions is answered by none, not by general ones', async () => {
  const played = await stage.play({
    task: TASK,
    script: QUICK,
    cast: { 'spec/discovery-analyst': () => ({ output: '{"questions": []}' }) },
  });
  expect(asked(played)).toEqual([]);
  expect(played.report.exitCode).toBe(0);
});

test('an analyst that always has more is asked three times and not a fourth', async () => {
  const more = (_: unknown, times: number) => ({ output: `{"questions": [{ "question": "And then, ${times}?", "why": "to know" }]}` });
  const answers = { 'questions-1': { option: 'Answer inline', text: '1. a' }, 'questions-2': { option: 'Answer inline', text: '1. b' } };
  const script = { ...QUICK, ...answers, 'questions-3': { option: 'Answer inline', text: '1. c' } };
  const played = await stage.play({ task: TASK, script, cast: { 'spec/discovery-analyst': more } });
  expect(asked(played)).toEqual(['spec.questions-1', 'spec.questions-2', 'spec.questions-3']);
  expect(played.calls.filter(({ role }) => role === 'spec/discovery-analyst')).toHaveLength(3);
});

test('the question about a directory that is taken names the one that will be written, and that one is written', async () => {
  stage.write({ 'docs/harness/order-export-as-csv-for-the-back-office/spec.md': 'an earlier one\n' });
  const played = await stage.play({ task: TASK, script: { ...QUICK, 'slug-collision': 'Append timestamp' } });
  const gate = played.gates.find(({ id }) => id === 'spec.slug-collision')!;
  const named = /docs\/harness\/\S+\//.exec(gate.options[0]!.description)![0];
  expect(stage.read(`${named}spec.md`)).not.toBeNull();
  expect(stage.read('docs/harness/order-export-as-csv-for-the-back-office/spec.md')).toBe('an earlier one\n');
});

test('another mode for a spec that is under way is refused, never left out silently', async () => {
  const script = { ...QUICK, approval: [] };
  await stage.play({ task: TASK, script });
  await expect(stage.play({ task: TASK, script: { ...script, session: 'Resume' }, mode: 'deep' })).rejects.toThrow(
    /under way with other settings: --mode is quick, not deep/,
  );
  const same = await stage.play({ task: TASK, script: { ...QUICK, session: 'Resume' }, mode: 'quick' });
  expect(same.report.exitCode).toBe(0);
});

test('the approval shows the whole spec and counts what is unconfirmed', async () => {
  const lines = Array.from({ length: 700 }, (_, index) => `- statement ${index}`).join('\n');
  const spec = `${specText('Draft')}\n${lines}\n- one [unconfirmed]\n- two [unconfirmed]\n`;
  const played = await stage.play({
    task: TASK,
    script: { ...QUICK, approval: [] },
    cast: { 'spec/synthesis': () => ({ output: spec, reply: 'spec written — draft' }) },
  });
  const { context } = played.gates.at(-1)!;
  expect(context.join('\n')).toContain(lines);
  expect(context).toContainEqual(expect.stringMatching(/^2 statements are marked \[unconfirmed\]/));
});
