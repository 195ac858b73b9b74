import { expect, test } from 'vitest';
import { objectionTo, outside } from './bounds.ts';
import { readClaim } from '../steps/work.ts';
import { redRule, regressionRule, type RunFacts } from './evidence.ts';
import { enforcesTdd, rulesInToml } from './origin-rules.ts';
import { changedMarkers } from './plan-markers.ts';
import { contractFacts, NO_FRAMEWORK, tddFor } from './sprint-contract.ts';
import type { TaskInput } from '../contract.ts';
import { AdvisorRequestSchema, FailureSchema, ReportSchema, TaskInputSchema } from '../contract.ts';

test('files[]: a file, a folder, a pattern; a name alone means the one at the top', () => {
  expect(outside(['src/a.js', 'src/deep/b.js', 'README.md', 'docs/README.md'], ['./src/', 'README.md'])).toEqual(['docs/README.md']);
  expect(outside(['src/a.js', 'src/a.ts', 'srcs/a.js'], ['src/*.js'])).toEqual(['src/a.ts', 'srcs/a.js']);
  expect(outside(['src/a.js.bak', 'src'], ['src/a.js'])).toEqual(['src/a.js.bak', 'src']);
  expect(outside(['app/[id]/page.js', 'app/i/page.js'], ['app/[id]/page.js'])).toEqual([]);
  for (const path of ['../x', '/x', 'a/../../x', '.git/config', 'src/.git/x', '.harness/state', '~/x', '-rf', '', 'C:\\x', 'a\u0000b'])
    expect(objectionTo(path), path).not.toBeNull();
  for (const path of ['src', 'src/**', 'memory/x', 'docs/harness/x', '.github/workflows/x.yml']) expect(objectionTo(path), path).toBeNull();
});

test('markers: added, changed, gone, moved; prose about them is a marker line too, other lines are not', () => {
  const plan = '| 1 | cc:TODO |\n| 2 | cc:WIP |\ntext\n';
  expect(changedMarkers(plan, plan.replace('text', 'other'), '1')).toEqual([]);
  expect(changedMarkers(plan, plan.replace('TODO', 'done'), '1')).toEqual([
    { line: '-| 1 | cc:TODO |', isOwn: true },
    { line: '+| 1 | cc:done |', isOwn: true },
  ]);
  expect(changedMarkers(plan, null, '9')).toHaveLength(2);
  expect(changedMarkers(plan, '| 2 | cc:WIP |\n| 1 | cc:TODO |\ntext\n', '9').length).toBeGreaterThan(0);
  expect(changedMarkers(plan, `${plan}| 3 | cc:TODO |\n`, '3.1')).toEqual([{ line: '+| 3 | cc:TODO |', isOwn: false }]);
  expect(changedMarkers('| 11 | cc:TODO |', '| 11 | cc:done |', '1').some((one) => one.isOwn)).toBe(false);
});

const INPUT: TaskInput = { task: 'x', task_id: '1', files: ['a'], mode: 'solo' };
const REQUIRED = { tddRequired: true, skipTddReason: null };
const ON = { enforced: true, hasTests: true };

test.each([
  ['not enforced', INPUT, REQUIRED, { enforced: false, hasTests: true }, { required: false, skipped: null }],
  ['not asked for', INPUT, { ...REQUIRED, tddRequired: false }, ON, { required: false, skipped: null }],
  ['mandatory', INPUT, REQUIRED, ON, { required: true, skipped: null }],
  ['a reason in the task', { ...INPUT, task: 'x [tdd:skip:pure docs]' }, REQUIRED, ON, { required: false, skipped: 'pure docs' }],
  ['a mark without a reason', { ...INPUT, task: 'x [tdd:skip: ]' }, REQUIRED, ON, { required: true, skipped: null }],
  ['the field', { ...INPUT, skip_tdd_reason: 'spike' }, REQUIRED, ON, { required: false, skipped: 'spike' }],
  ['the contract', INPUT, { ...REQUIRED, skipTddReason: 'config only' }, ON, { required: false, skipped: 'config only' }],
  [
    'the old mark alone',
    { ...INPUT, context: '[skip:tdd]' },
    REQUIRED,
    ON,
    { required: true, skipped: null, note: expect.stringContaining('[skip:tdd]') },
  ],
  [
    'the old mark with a reason',
    { ...INPUT, context: '[skip:tdd]', skip_tdd_reason: 'docs' },
    REQUIRED,
    ON,
    { required: false, skipped: 'docs' },
  ],
  ['no framework, by the harness', INPUT, REQUIRED, { enforced: true, hasTests: false }, { required: false, skipped: NO_FRAMEWORK }],
  ['no framework, by somebody else', { ...INPUT, skip_tdd_reason: NO_FRAMEWORK }, REQUIRED, ON, { required: true, skipped: null }],
])('tests first: %s', (_, input, contract, facts, expected) => {
  expect(tddFor(input, contract, facts)).toMatchObject(expected);
});

test('a contract, as such documents are written', () => {
  const contract = {
    schema_version: 'sprint-contract.v1',
    task: { id: '1', definition_of_done: 'tests pass' },
    contract: {
      checks: [{ id: 'a', description: 'builds', command: 'make' }],
      runtime_validation: [{ label: 'lint', command: 'make lint' }],
      tdd_required: true,
    },
  };
  expect(contractFacts(contract)).toEqual({
    tddRequired: true,
    skipTddReason: null,
    dod: [
      { item: 'tests pass', command: null },
      { item: 'builds', command: 'make' },
      { item: 'lint', command: 'make lint' },
    ],
  });
  expect(contractFacts('nonsense')).toEqual({ tddRequired: false, skipTddReason: null, dod: [] });
});

test('rules of a harness.toml', () => {
  expect(enforcesTdd('[tdd.enforce]\nenabled = true # yes\n')).toBe(true);
  expect(enforcesTdd('[tdd]\nenforce.enabled = true\n')).toBe(true);
  expect(enforcesTdd('[tdd.enforce]\nenabled = false\n[other]\nenabled = true\n')).toBe(false);
  const text =
    '[other]\nx = "y"\n[worker.self_review]\n# a comment\nrules = [\n  "spelling", # why\n  \'tone\',\n]\nsize = "make size # not a comment"\n[[worker.self_review.rules]]\nrule = "links"\ncommand = "make links"\n[end]\nz = "w"\n';
  expect(rulesInToml(text)).toEqual([
    { rule: 'spelling', command: null },
    { rule: 'tone', command: null },
    { rule: 'size', command: 'make size # not a comment' },
    { rule: 'links', command: 'make links' },
  ]);
});

test.each([
  [
    '[worker]\nself_review = ["tone", "size"]\n',
    [
      { rule: 'tone', command: null },
      { rule: 'size', command: null },
    ],
  ],
  ['worker.self_review.size = "make size"\n', [{ rule: 'size', command: 'make size' }]],
  [
    '[worker]\nself_review = { size = "make size", tone = true }\n',
    [
      { rule: 'size', command: 'make size' },
      { rule: 'tone', command: null },
    ],
  ],
  [
    '[worker]\nself_review = [\n  { rule = "size", command = "make size" },\n  { rule = "tone" },\n]\n',
    [
      { rule: 'size', command: 'make size' },
      { rule: 'tone', command: null },
    ],
  ],
  ['[worker]\nself_reviewers = ["nobody"]\n', []],
])('the key worker.self_review counts in every spelling of TOML: %j', (text, rules) => {
  expect(rulesInToml(text)).toEqual(rules);
  expect(enforcesTdd(`${text}[tdd]\nenforce = { enabled = true }\n`)).toBe(true);
});

test('what an agent says is taken in small pieces, and nothing else of it', () => {
  expect(readClaim('no json', 'first\nlast line')).toEqual({ summary: 'last line', memory_updates: [], note: '', rules: {} });
  const long = JSON.stringify({
    summary: 's\n2',
    memory_updates: ['a', 3, ''],
    self_review: [{ rule: 'r', evidence: 'e'.repeat(900) }, 'x', { evidence: 'y' }],
  });
  expect(readClaim(long, '')).toEqual({ summary: 's 2', memory_updates: ['a'], note: '', rules: { r: 'e'.repeat(500) } });
});

const GROUND = {
  validation: [],
  test: 'npm test',
  tdd: { enforced: true, required: true, skipped: null, note: null },
  dod: [],
  plans: 'Plans.md',
};
const FACTS = {
  verdict: { id: 'v1', decision: 'rejected', keptGreen: 1, total: 2, runner: 'vitest' },
  baseline: 1,
  mayChange: [],
  findings: [],
  redToGreen: [],
  red: [],
};
const finding = (
  reason: 'test.not_red' | 'dependencies.changed' | 'tamper.tests',
  weight: 'reject' | 'ask',
): RunFacts['findings'][number] => ({
  check: 'red',
  reason,
  weight,
  message: 'm',
  subjects: [],
  line: `${reason}: m`,
});

test('a test that was never red, a changed test and a new dependency', () => {
  expect(redRule(GROUND, { ...FACTS, findings: [finding('test.not_red', 'reject')], redToGreen: ['a'] }, ['a.test.js'])).toMatchObject({
    verified: false,
    evidence: 'test.not_red: m',
  });
  expect(redRule(GROUND, FACTS, ['a.test.js'])).toMatchObject({ verified: false });
  expect(regressionRule(GROUND, { ...FACTS, findings: [finding('tamper.tests', 'ask')] })).toMatchObject({
    verified: false,
    mendable: true,
  });
  expect(regressionRule(GROUND, { ...FACTS, findings: [finding('dependencies.changed', 'ask')] })).toMatchObject({
    verified: false,
    mendable: false,
  });
});

test("the origin's own example objects are understood", () => {
  const example = {
    task: 'Task description',
    task_id: '43.3.1',
    context: 'Project context',
    files: ['files that may be modified'],
    mode: 'breezing',
  };
  const more = {
    contract_path: '.claude/state/contracts/<task>.sprint-contract.json',
    spec_path: 'docs/spec/00-project-spec.md',
    spec_skip_reason: null,
    validation_commands: ['npm test', 'npm run build'],
  };
  expect(TaskInputSchema.parse({ ...example, ...more })).toEqual({ ...example, ...more });
  const request = {
    schema_version: 'advisor-request.v1',
    task_id: '43.3.1',
    reason_code: 'retry-threshold',
    trigger_hash: '43.3.1:retry-threshold:abc123',
    question: 'The same failure occurred twice. What should be changed next?',
    attempt: 2,
    last_error: 'status JSON does not match expected',
    context_summary: ['advisor state already added'],
  };
  expect(AdvisorRequestSchema.parse(request)).toEqual(request);
  const failure = {
    status: 'escalated',
    task: 'Failed task',
    files_changed: ['changed files'],
    commit: null,
    memory_updates: [],
    escalation_reason: 'Did not converge after maximum 3 automatic fix attempts',
  };
  expect(FailureSchema.parse(failure)).toEqual(failure);
  const report = {
    schema_version: 'worker-report.v1',
    status: 'completed',
    task: 'Completed task',
    files_changed: ['changed files'],
    commit: 'commit hash',
    branch: 'harness-work/<task-id>',
    worktreePath: 'worktree path',
    summary: 'One-line summary',
    memory_updates: ['candidates to record'],
    effort_applied: 'medium | high',
    effort_sufficient: true,
    turns_used: 12,
    task_complexity_note: 'Note for next time',
    self_review: [{ rule: 'dry-violation-none', verified: true, evidence: 'zero duplicate definitions' }],
  };
  expect(ReportSchema.parse(report)).toEqual(report);
});

test('the evidence on existing tests says what became of them', () => {
  const evidence = (verdict: object, baseline: number, mayChange: string[]): string =>
    regressionRule(GROUND, { ...FACTS, verdict: { ...FACTS.verdict, decision: 'accepted', ...verdict }, baseline, mayChange }).evidence;
  expect(evidence({ keptGreen: 0 }, 1, ['test/add.test.js'])).toBe(
    'verdict v1: the test that passed before was changed, and the task allows it to change tests (may_change: test/add.test.js); 2 tests ran (vitest: npm test)',
  );
  expect(evidence({ keptGreen: 3 }, 3, [])).toContain('all 3 tests that passed before still pass; 2 tests ran');
  expect(evidence({ keptGreen: 0 }, 0, [])).toContain('no test passed before; ');
});
