/** A lying worker for every rule: none of them is completed, and each finds the evidence against it in the answer. */
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import type { SelfReview } from './contract.ts';
import { openBench, PROJECT, sessionsIn, type Shift, type WorkerBench } from './test-support.ts';

const CLAIMS = `printf '{"summary":"all done","self_review":[{"rule":"dry-violation-none","evidence":"grep found nothing"},{"rule":"no-existing-test-regression","evidence":"all tests pass: 12 passed, 0 failed"},{"rule":"tdd-red-evidence-attached","evidence":"FAIL test/x (literal output)"}]}' > "$HARNESS_OUTPUT"`;

let bench: WorkerBench;
afterEach(() => bench.dispose());

async function caught(
  files: Readonly<Record<string, string>>,
  shift: Shift,
): Promise<{ value: Record<string, unknown>; exitCode: number; rule(name: string): SelfReview }> {
  bench = openBench({ ...PROJECT, ...files });
  const before = bench.git('rev-parse', 'HEAD');
  const { value, exitCode } = await bench.work({ ...shift, agent: `${shift.agent}\n${CLAIMS}` });
  expect(value['status'], JSON.stringify(value, null, 1)).not.toBe('completed');
  expect(bench.git('rev-parse', 'HEAD')).toBe(before);
  const rules = (value['self_review'] ?? []) as SelfReview[];
  return { value, exitCode, rule: (name) => rules.find((one) => one.rule === name)! };
}

const SHARED = `export function slug(text) {
  const parts = text.trim().toLowerCase().split(' ');
  return parts.filter((part) => part !== '').join('-');
}
`;

describe('code', () => {
  test('a copy under other names is no shared code; the work comes back twice, then it is escalated', async () => {
    const copy = SHARED.replace('slug(text)', 'dashed(words)')
      .replaceAll('text', 'words')
      .replaceAll('parts', 'list')
      .replaceAll('part', 'one');
    const { value, exitCode, rule } = await caught(
      { 'src/slug.js': SHARED },
      { agent: `cat > src/title.js <<'END'\n${copy}END\nprintf 'import { dashed } from "./title.js";\\ndashed("a");\\n' > src/use.js` },
    );
    expect(rule('dry-violation-none')).toMatchObject({
      verified: false,
      evidence: expect.stringContaining('src/title.js:1 repeats src/slug.js:1 (dashed does what slug does)'),
      claim: 'grep found nothing',
    });
    expect({ exitCode, status: value['status'] }).toEqual({ exitCode: 3, status: 'escalated' });
    expect(sessionsIn(bench.events)).toBe(3);
  });

  test('a copy of one line, under another name and written in another way, is found as well', async () => {
    const { rule } = await caught(
      { 'src/even.js': 'export function isEven(n) {\n  return n % 2 === 0;\n}\n' },
      {
        agent:
          "printf 'export const halves = (value) => value %% 2 === 0\\n' > src/half.js; printf 'import { halves } from \"./half.js\";\\nhalves(4);\\n' > src/use.js",
      },
    );
    expect(rule('dry-violation-none')).toMatchObject({
      verified: false,
      evidence: expect.stringContaining('src/half.js:1 repeats src/even.js:1 (halves does what isEven does)'),
    });
  });

  test('an export that nobody calls is found, also one that is imported and left, or only spoken of', async () => {
    const { rule } = await caught(
      {},
      {
        agent: `printf 'export function idle() { return 1; }\\n// idle() is called\\nexport const said = "idle";\\n' > src/idle.js; printf 'import { idle, said } from "./idle.js";\\nconsole.log("idle()", said);\\n' > src/use.js`,
      },
    );
    expect(rule('all-declared-symbols-called')).toMatchObject({ verified: false, evidence: 'no call site: idle (src/idle.js)' });
  });
});

describe('markers of the plan', () => {
  test('in breezing a changed one ends the task', async () => {
    const { value, exitCode, rule } = await caught(
      {},
      { task: { mode: 'breezing', files: ['Plans.md'] }, agent: "sed -i 's/cc:TODO/cc:done/' Plans.md" },
    );
    expect(exitCode).toBe(4);
    expect(value).toMatchObject({
      status: 'failed',
      escalation_reason: 'cc:* marker transitions are Lead-owned in Phase C (breezing mode)',
    });
    expect(rule('plans-cc-markers-untouched')).toMatchObject({ verified: false, evidence: expect.stringContaining('+| 1.1 | cc:done |') });
    expect(bench.git('branch', '--list', 'harness-work/*')).toBe('');
  });

  test('in solo the own one may be set, that of another task not', async () => {
    const { rule } = await caught({}, { task: { files: ['Plans.md', 'src'] }, agent: "sed -i 's/cc:WIP/cc:done/' Plans.md" });
    expect(rule('plans-cc-markers-untouched')).toMatchObject({ verified: false, evidence: expect.stringContaining('1.2') });
    bench.dispose();
    bench = openBench();
    const own = await bench.work({ task: { files: ['Plans.md'] }, agent: "sed -i 's/cc:TODO/cc:done/' Plans.md" });
    expect(own.value).toMatchObject({ status: 'completed' });
  });

  test('a plan elsewhere, behind a link, that is taken away counts as well', async () => {
    bench = openBench({
      ...PROJECT,
      '.harness.yaml': `${PROJECT['.harness.yaml']}worker:\n  plans_file: ./Board.md\n`,
      'plan/all.md': '- [ ] 1.1 cc:TODO\n',
    });
    symlinkSync('plan/all.md', join(bench.root, 'Board.md'));
    bench.commit({});
    expect(await bench.work({ task: { mode: 'breezing', files: ['plan'] }, agent: 'rm plan/all.md' })).toMatchObject({ exitCode: 4 });
  });
});

describe('runs', () => {
  test('pasted output proves nothing: a broken old test is found by the run, and the same failure twice asks the advisor', async () => {
    const { value, exitCode, rule } = await caught({}, { agent: 'echo "broken" > src/old.txt' });
    expect(rule('no-existing-test-regression')).toMatchObject({
      verified: false,
      claim: 'all tests pass: 12 passed, 0 failed',
      evidence: expect.stringContaining('rejected'),
    });
    expect(exitCode).toBe(8);
    expect(value).toMatchObject({ schema_version: 'advisor-request.v1', reason_code: 'retry-threshold', attempt: 2 });
    expect(sessionsIn(bench.events)).toBe(2);
  });

  test('a test that is changed to pass is not the test', async () => {
    const { rule } = await caught({}, { task: { files: ['src', 'test.sh'] }, agent: 'echo broken > src/old.txt; echo true > test.sh' });
    expect(rule('no-existing-test-regression')).toMatchObject({ verified: false });
  });

  test('a definition of done is proved by commands, and what has none is not proved by words', async () => {
    const dod = [{ item: '(a) says new', command: 'grep -q new src/new.txt' }, '(b) reads well'];
    const { value, rule } = await caught({}, { task: { dod }, agent: 'echo new > src/new.txt' });
    expect(rule('dod-items-verified-with-evidence')).toMatchObject({ verified: false });
    expect(rule('dod-items-verified-with-evidence').evidence).toMatch(
      /\(a\) says new: `grep -q new src\/new.txt` ended with 0\n\(b\) reads well: no command proves it/,
    );
    expect(value['status']).toBe('escalated');
    expect(sessionsIn(bench.events)).toBe(1);
  });

  test("a rule of the project's own, from the settings and from harness.toml", async () => {
    const { rule } = await caught(
      {
        '.harness.yaml': `${PROJECT['.harness.yaml']}worker:\n  self_review:\n    - rule: has-notes\n      command: test -s src/notes.txt\n`,
        'harness.toml': '[worker.self_review]\n# ours\nspelling = "test -d src" # fine\n',
      },
      { agent: 'echo new > src/new.txt' },
    );
    expect(rule('has-notes')).toMatchObject({ verified: false, evidence: expect.stringContaining('ended with 1') });
    expect(rule('spelling')).toMatchObject({ verified: true });
  });
});

describe('before anything is run', () => {
  test.each([
    ['files outside of files[]', 'echo x > README.md', 'files-in-bounds', 'outside of files[]: README.md'],
    ['a skipped test', 'printf \'it.skip("later", () => {});\\n\' > src/later.js', 'no-skip-markers', 'it.skip'],
    [
      'a tool that is switched off',
      "printf '/* eslint-disable */\\nlet unused;\\n' > src/quiet.js",
      'no-disable-markers',
      'eslint-disable',
    ],
    ['a placeholder', "printf 'export const later = () => {\\n  // TODO write it\\n};\\n' > src/later.js", 'nothing-unfinished', 'TODO'],
    ['a repository of its own', 'git init -q src/inner && echo x > src/inner/a.txt', 'no-embedded-repository', 'src/inner'],
    ['other agents', `echo '{"type":"tool","name":"Task","input":{}}'; echo new > src/new.txt`, 'no-other-agents', 'Task'],
    ['nothing at all', 'true', 'something-changed', 'no file was changed'],
    ['code in a task for documents', 'echo "x()" > src/x.js', 'spec-respected', 'docs-only'],
  ])('%s: back to the agent, then escalated, and nothing was run for it', async (_, agent, item, evidence) => {
    const { value, exitCode } = await caught(
      {},
      { agent, ...(item === 'spec-respected' ? { task: { spec_skip_reason: 'docs-only' } } : {}) },
    );
    expect(exitCode).toBe(3);
    const found = (value['preflight'] as { item: string; ok: boolean; evidence: string }[]).find((one) => one.item === item);
    expect(found).toMatchObject({ ok: false, evidence: expect.stringContaining(evidence) });
    expect(bench.events.some((event) => event.type === 'verify.start')).toBe(false);
    expect(sessionsIn(bench.events)).toBe(3);
  });
});
