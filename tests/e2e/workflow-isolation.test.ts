/** Who hears of what: proposals stand alone, the evaluator hears nothing of those who built, notes reach the planners only. */
import { expect, test } from 'vitest';
import { eventsOf, read, write } from './support.ts';
import {
  DOCS,
  GO,
  MEND,
  output,
  PASS,
  QUICK,
  say,
  TASK,
  withAgent,
  workflow,
  workflowScene,
  type WorkflowScene,
} from './workflow-scene.ts';

const heard = (scene: WorkflowScene, mark: string): string[] =>
  scene.asked.filter(({ text }) => text.includes(mark)).map(({ role }) => role);

test('proposals are independent; what builders say reaches no evaluator; notes reach only those who propose', async () => {
  const proposal = (mark: string): string => `${output(`idea ${mark}`)}; ${say(`proposal generated — ${mark}_REPLY`)}`;
  const scene = await workflowScene({
    architect: proposal('MARK_ARCHITECT'),
    'senior-developer': proposal('MARK_SENIOR'),
    'qa-specialist': proposal('MARK_QA'),
    'cross-critique': `${output('MARK_CRITIQUE')}; ${say('critique written — fine')}`,
    'lead-developer': `${output('MARK_PLAN')}; ${say('plan written — MARK_PLAN_REPLY')}`,
    'code-quality-advisor': `${output('MARK_REVIEW')}; ${say('review written — MARK_REVIEW_REPLY')}`,
    implementation: `${MEND}\n${output('- `src/add.js`: MARK_CHANGES', 'The generator thinks this is perfect.')}\n${say('changed 2 files — MARK_CODE_REPLY')}\n${say('MARK_CHATTER')}`,
    evaluator: `test ! -e '${DOCS}/changes.md'\n${PASS}`,
  });
  await write(scene, { [`${DOCS}/qa_notes.md`]: 'MARK_NOTES\n', [`${DOCS}/critic_findings.md`]: 'MARK_FINDINGS\n' });
  const run = await workflow(scene, [TASK, '--mode', 'multi', '--model-config', 'default'], GO);
  expect(run, run.stdout).toMatchObject({ code: 0, last: { outcome: 'verified' } });
  expect(heard(scene, 'MARK_ARCHITECT').toSorted()).toEqual(['cross-critique', 'cross-critique', 'synthesis']);
  expect(heard(scene, 'MARK_SENIOR').toSorted()).toEqual(['cross-critique', 'cross-critique', 'synthesis']);
  expect(heard(scene, 'MARK_CRITIQUE')).toEqual(['synthesis']);
  expect(heard(scene, 'MARK_NOTES').toSorted()).toEqual(['architect', 'qa-specialist', 'senior-developer']);
  expect(heard(scene, 'MARK_FINDINGS').toSorted()).toEqual(['architect', 'qa-specialist', 'senior-developer']);
  expect(heard(scene, 'MARK_PLAN').toSorted()).toEqual(['code-quality-advisor', 'implementation', 'test-stability-advisor']);
  expect(heard(scene, 'MARK_REVIEW')).toEqual(['implementation']);
  for (const mark of ['_REPLY', 'MARK_CHANGES', 'MARK_CHATTER', 'perfect']) expect(heard(scene, mark), mark).toEqual([]);
  const evaluator = scene.asked.at(-1)!;
  expect(evaluator.role).toBe('evaluator');
  expect(evaluator.text).not.toMatch(/MARK_|generator|\bagent\b|\bAI\b/i);
  expect(evaluator.text).toContain('src/add.js\ntest/add.test.js');
});

test('a role that breaks its line is told so and its file decides; one without its file is asked twice, then the flow stops', async () => {
  const scene = await workflowScene({
    evaluator: `${output('### Verdict: PASS')}; ${say('I am happy')}`,
    'planner-single': say('spec written — but it is not'),
  });
  const stopped = await workflow(scene, [TASK, ...QUICK], { 'workflow.conventions': 'Skip' });
  expect(stopped, stopped.stdout).toMatchObject({ code: 10, last: { reasons: ['agent.failed'] } });
  expect(scene.asked.map(({ role }) => role)).toEqual(['planner-single', 'planner-single']);
  const healed = await withAgent(scene, { evaluator: `${output('### Verdict: PASS')}; ${say('I am happy')}` });
  const run = await workflow(healed, [TASK, ...QUICK], { 'workflow.spec': 'Proceed', 'workflow.commit': 'Commit code only' });
  expect(run, run.stdout).toMatchObject({ code: 0, last: { outcome: 'verified' } });
  expect(run.stderr).toContain('has no line of the form');
});

test('a person who writes in German is answered in German, with English labels as keys and English file names', async () => {
  const scene = await workflowScene();
  const run = await workflow(scene, ['Behebe den Fehler in der Addition', ...QUICK], { 'workflow.conventions': 'Skip' });
  expect(run.code).toBe(8);
  expect(run.stderr).toContain('Phase: Planen');
  const gate = eventsOf(run, 'gate.asked').at(-1)!['gate'] as { header: string; options: { label: string; shown: string }[] };
  expect(gate.header).toBe('Spezifikation');
  expect(gate.options.map((option) => [option.label, option.shown])).toEqual([
    ['Proceed', 'Weiter'],
    ['Modify', 'Ändern'],
    ['Stop', 'Anhalten'],
  ]);
  expect(scene.asked.at(-1)!.text).toContain('Write in: de');
  expect(await read(scene, 'docs/harness/behebe-den-fehler-in-der-addition/spec.md')).toContain('add must add');
});
