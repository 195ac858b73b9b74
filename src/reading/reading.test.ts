import { describe, expect, test } from 'vitest';
import type { HarnessEvent } from '../domain/event.ts';
import { cleanValue } from './clean-value.ts';
import { nightLines, nightNext } from './night.ts';
import { redactor, redactValue } from './report-data.ts';
import { reportIn, reportScript } from './report-file.ts';
import { stepOf } from './step.ts';
import { storyOf } from './story.ts';
import type { ReportData } from './views.ts';
import { foldWatch, NOTHING } from './watch.ts';

const start = (session: number, lane?: string): HarnessEvent => ({
  type: 'session.start',
  session,
  feature: session,
  prompt: 'coding',
  backend: 'b',
  model: 'm',
  workspace: '',
  ...(lane === undefined ? {} : { lane }),
});

describe('what runs now', () => {
  const fold = (...events: HarnessEvent[]) => events.reduce((watch, event, at) => foldWatch(watch, event, at * 1_000), NOTHING);

  test('lanes stand side by side, a session without a lane stands alone', () => {
    expect(fold(start(1, 'lane-1'), start(2, 'lane-2')).lanes.map(({ session }) => session)).toEqual([1, 2]);
    expect(fold(start(1, 'lane-1'), start(2)).lanes.map(({ session }) => session)).toEqual([2]);
  });

  test('a check belongs to the session that is judged, whoever else speaks meanwhile', () => {
    const check: HarnessEvent = { type: 'verify.check', name: 'red', title: 'red first', state: 'passed', detail: 'd', duration_ms: 1 };
    const watch = fold(
      start(1, 'lane-1'),
      start(2, 'lane-2'),
      { type: 'verify.start', session: 1, feature: 1, tree: 't' },
      { type: 'agent.text', session: 2, text: 'I go on' },
      check,
    );
    expect(watch.lanes.map(({ stage, detail }) => [stage, detail])).toEqual([
      ['verifying', 'red first passed'],
      ['working', ''],
    ]);
  });

  test('money and tokens add up; unknown money stays unknown', () => {
    const usage = { input_tokens: 1, output_tokens: 2, cache_read_input_tokens: 3, cache_creation_input_tokens: 4 };
    const used = (cost_usd: number | null): HarnessEvent => ({
      type: 'agent.usage',
      session: 1,
      usage,
      context_tokens: 10,
      context_window: 100,
      cost_usd,
    });
    expect(fold(start(1), used(null)).lanes[0]).toMatchObject({ cost_usd: null });
    expect(fold(start(1), used(0.25), used(null), used(0.5)).lanes[0]).toMatchObject({
      cost_usd: 0.75,
      tokens: { input: 15, output: 6, cached: 9 },
    });
  });

  test('the end of a command leaves no lane', () => {
    expect(fold(start(1), { type: 'end', outcome: 'error', reasons: [], exit_code: 130 }).lanes).toEqual([]);
  });
});

test('a step is one clean line, whatever an agent wrote', () => {
  const text = `<script>alert(1)</script>\u202e\u001b[2J\n${'x'.repeat(5_000)}`;
  const step = stepOf({ type: 'agent.text', session: 1, text });
  expect(step?.text).toMatch(/^<script>alert\(1\)<\/script> x+…$/);
  expect(step?.text.length).toBeLessThanOrEqual(240);
});

test('a story keeps what tools answered, and the middle goes first', () => {
  const said = Array.from({ length: 4_000 }, (_, at) => ({
    ts: '2026-01-01T00:00:00Z',
    type: 'agent.text',
    seq: at + 2,
    session: 1,
    text: `line ${at}`,
  }));
  const result = { ts: '2026-01-01T00:00:00Z', type: 'agent.result', seq: 1, session: 1, name: 'Bash', ok: true, output: 'one\ntwo' };
  const { steps, left_out } = storyOf([], [result, ...said]);
  expect(steps[0]).toMatchObject({ kind: 'result', text: 'one', body: 'one\ntwo' });
  expect(steps).toHaveLength(1_500);
  expect(left_out).toBe(2_501);
  expect(steps.at(-1)?.text).toBe('line 3999');
});

test('values are cleaned and cut wherever they stand', () => {
  const value = cleanValue({ ['\u001b[31mkey']: ['a\u202eb', { deep: 'y'.repeat(20_000) }], number: 3, nothing: null });
  expect(value).toEqual({
    key: ['ab', { deep: expect.stringMatching(/^y{16384} \[\.\.\. 3616 characters cut\]$/) }],
    number: 3,
    nothing: null,
  });
});

describe('what leaves this machine', () => {
  const env = { HOME: '/home/ada', HARNESS_HOME: '/srv/harness', MY_API_KEY: 'correct-horse-battery', PATH: '/usr/bin' };
  const redact = redactor({ env }, '/home/ada/work/shop', ['f'.repeat(64)]);

  test.each([
    ['the key is correct-horse-battery.', 'the key is [hidden].'],
    ['ANTHROPIC sk-ant-REDACTED', 'ANTHROPIC [hidden]'],
    ['/home/ada/work/shop/src/a.js', './src/a.js'],
    ['/home/ada/.npmrc and /srv/harness/ui.json', '~/.npmrc and ~/ui.json'],
    ['/home/grace/x /Users/bob/y', '~/x ~/y'],
    [`at ${'f'.repeat(64)} once`, 'at [hidden] once'],
    ['git@github.com:a/b.git stays', 'git@github.com:a/b.git stays'],
  ])('%s', (text, clean) => expect(redact(text)).toBe(clean));

  test('keys of objects too', () => {
    expect(redactValue({ '/home/ada/work/shop/a.js': ['/home/ada'] }, redact)).toEqual({ './a.js': ['~'] });
  });
});

test('the data of a report file are text that closes nothing, and are read back whole', () => {
  const data = { schema: 'harness-report.v1', now: { name: '</script><img src=x onerror=alert(1)>\u2028' } } as unknown as ReportData;
  const html = `<p>${reportScript(data)}</p>`;
  expect(html.match(/<\/script>/g)).toHaveLength(1);
  expect(html).not.toContain('<img');
  expect(reportIn(html)).toEqual(data);
  expect(reportIn('<p>nothing</p>')).toBeNull();
});

test('a night is at most ten lines and one thing to do', () => {
  const told = (count: number) =>
    Array.from({ length: count }, (_, at) => ({ feature: at + 1, description: 'd', session: at, commit: null, note: 'why' }));
  const project = {
    project: 'p',
    since: null,
    until: null,
    features: { passing: 1, total: 2 },
    verified: told(9),
    refused: told(5),
    parked: told(4),
    answered: told(2),
    set_aside: told(2),
    blocked: [],
    commits: [],
    by_feature: [],
    by_role: [],
    by_agent: [],
    questions: [],
    next: 'harness run --until-done',
    sessions: 3,
    seconds: 60,
    cost_usd: 1,
    sessions_without_cost: 0,
  };
  const lines = nightLines({ project, mission: null, workflow: null });
  expect(lines).toHaveLength(10);
  expect(lines.filter(({ kind }) => kind === 'waits').map(({ text }) => text)).toEqual(['#1 d: why', '#2 d: why', '2 more: #3, #4']);
  const parts = { project, mission: null, workflow: null };
  expect(nightNext(parts, [])).toMatchObject({ command: 'harness run --until-done', view: 'now' });
  const gate = { id: 'a.b', question: 'Accept?', asked_at: '', header: '', options: [], non_negotiable: false, context: [] };
  expect(nightNext(parts, [gate])).toMatchObject({ text: 'Answer the question that waits: Accept?', view: 'questions' });
});
