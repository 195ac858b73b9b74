/** Sessions of the built-in loop driven to each limit: what the model was told on the wire, how the session ended, what was kept. */
import { describe, expect, test } from 'vitest';
import { eventsOf, git, harness, read, type Run } from './support.ts';
import { HONEST_STEPS, projectOnWire, saidTo, shell, type Steps } from './wire.ts';

function filled(tokens: number): { usage: { input_tokens: number; output_tokens: number } } {
  return { usage: { input_tokens: tokens, output_tokens: 0 } };
}

function limitsOf(run: Run): unknown[] {
  return eventsOf(run, 'session.limit').map((event) => [event['kind'], event['level']]);
}

describe('the context window', () => {
  test('is noted at half, warned about at 75%, closed at 90% and full at 100%; the next session continues', async () => {
    const steps = [
      shell('echo part > src/part.txt', filled(520)),
      shell('true', filled(760)),
      shell('true', filled(910)),
      shell('true', filled(1_010)),
      { text: 'never asked for' },
    ];
    const { scene, server } = await projectOnWire(steps, 'context:\n  window_tokens: 1000\n');
    const run = await harness(scene, 'run', '--json');
    expect(run, run.stderr).toMatchObject({ code: 10, last: { outcome: 'partial', reasons: ['context_limit'] } });
    expect(limitsOf(run)).toEqual([
      ['context', 'info'],
      ['context', 'stop'],
    ]);
    expect(server.requests).toHaveLength(4);
    expect(
      server.requests.map((request) =>
        saidTo(request)
          .slice(1)
          .map((text) => /\d+%/.exec(text)?.[0]),
      ),
    ).toEqual([[], [], ['75%'], ['75%', '90%']]);
    expect(await git(scene, 'show', 'refs/harness/wip/2:src/part.txt')).toBe('part');
    expect(await git(scene, 'show', 'refs/harness/wip/2:claude-progress.txt')).toContain('SESSION TERMINATED');
    expect(JSON.parse((await harness(scene, 'status', '--json')).stdout)).toMatchObject({ next_prompt: 'continuation', next_feature: 2 });
  });

  test('that the provider finds too small ends the session in the same way', async () => {
    const { scene } = await projectOnWire([
      shell('echo part > src/part.txt'),
      { text: 'x', fault: { kind: 'context_too_long', times: 9 } },
    ]);
    const run = await harness(scene, 'run', '--json');
    expect(run, run.stderr).toMatchObject({ code: 10, last: { outcome: 'partial', reasons: ['context_limit'] } });
    expect(await git(scene, 'show', 'refs/harness/wip/2:src/part.txt')).toBe('part');
  });
});

test('the time limit warns the agent with the minutes left, then ends it', async () => {
  const steps: Steps = [shell('echo part > src/part.txt'), ...Array.from({ length: 40 }, () => shell('sleep 0.3'))];
  const { scene, server } = await projectOnWire(steps, 'session:\n  timeout_minutes: 0.06\n  timeout_warning_minutes: 0.02\n');
  const run = await harness(scene, 'run', '--json');
  expect(run, run.stderr).toMatchObject({ code: 10, last: { outcome: 'partial', reasons: ['timeout'] } });
  expect(saidTo(server.requests.at(-1)).slice(1)).toEqual([expect.stringContaining('minute')]);
  expect(limitsOf(run)).toEqual([['time', 'stop']]);
  expect(await git(scene, 'log', '-1', '--format=%s', 'refs/harness/wip/2')).toMatch(/^WIP: Session timeout - /);
});

test('an agent that reads and reads is told so, writes down what blocks it, and is stopped as stuck', async () => {
  const reading = (tokens: number) => ({ tools: [{ name: 'read_file', input: { path: 'package.json' } }], ...filled(tokens) });
  const { scene, server } = await projectOnWire(
    [
      reading(120),
      reading(240),
      shell('printf "SESSION 1\nBLOCKED: the service answers nobody\n" >> claude-progress.txt'),
      ...[480, 600, 720, 840].map(reading),
    ],
    'progress:\n  check_interval_tokens: 100\n',
  );
  const run = await harness(scene, 'run', '--json');
  expect(run, run.stderr).toMatchObject({ code: 10, last: { outcome: 'partial', reasons: ['stuck'] } });
  expect(server.requests).toHaveLength(6);
  expect(saidTo(server.requests.at(-1)).slice(1)).toEqual([
    expect.stringContaining('You appear stuck'),
    expect.stringContaining('what blocks you'),
  ]);
  expect(await git(scene, 'show', 'refs/harness/wip/2:claude-progress.txt')).toContain('BLOCKED: the service answers nobody');
});

test('the same error again and again brings a hint that names it, then the end', async () => {
  const failing = Array.from({ length: 8 }, () => shell('echo work >> src/part.txt; echo "TypeError: x is not a function" >&2; exit 1'));
  const { scene, server } = await projectOnWire(failing, 'progress:\n  max_repeated_errors: 2\n');
  const run = await harness(scene, 'run', '--json');
  expect(run, run.stderr).toMatchObject({ code: 10, last: { outcome: 'partial', reasons: ['repeated_error'] } });
  expect(server.requests).toHaveLength(4);
  expect(saidTo(server.requests.at(-1)).slice(1)).toEqual([expect.stringContaining('TypeError: x is not a function')]);
  expect(await git(scene, 'show', 'refs/harness/wip/2:src/part.txt')).toContain('work');
});

describe('budgets', () => {
  const costly = { usage: { input_tokens: 1_000, output_tokens: 800 } };
  const steps: Steps = [shell('echo part > src/part.txt', costly), shell('true', costly), shell('true', costly)];

  test.each([
    ['budget.session', 'per_session_usd: 0.025'],
    ['budget.feature', 'per_feature_usd: 0.025'],
    ['budget.project', 'total_project_usd: 0.025'],
  ])('%s: a request that would go over it is not sent, the work is kept and the exit code is 5', async (reason, setting) => {
    const { scene, server } = await projectOnWire(steps, `costs:\n  ${setting}\n`);
    const run = await harness(scene, 'run', '--json');
    expect(run, run.stderr).toMatchObject({ code: 5, last: { outcome: 'partial', reasons: [reason] } });
    expect(server.requests).toHaveLength(1);
    expect(eventsOf(run, 'session.end')).toMatchObject([{ cost_usd: 0.015 }]);
    expect(await git(scene, 'show', 'refs/harness/wip/2:src/part.txt')).toBe('part');
    expect(await read(scene, '.harness/escalation.md')).toContain('budget');
  });

  test('a feature that has used up its budget over several sessions gets no further request', async () => {
    const half = { usage: { input_tokens: 1_000, output_tokens: 500 } };
    const { scene, server } = await projectOnWire(
      [shell('true', half), { text: 'not yet', ...half }],
      'costs:\n  per_feature_usd: 0.045\n',
    );
    for (const session of [1, 2])
      expect(await harness(scene, 'run', '--json')).toMatchObject({ code: 10, last: { reasons: ['claim.none'], session } });
    expect(server.requests).toHaveLength(4);
    expect(await harness(scene, 'run', '--json')).toMatchObject({ code: 5, last: { reasons: ['budget.feature'] } });
    expect(server.requests).toHaveLength(4);
  });

  test('a model without a price is refused before anything runs, and priced by the user it works', async () => {
    const { scene, server } = await projectOnWire(HONEST_STEPS, 'models:\n  coding: house-model\n');
    const refused = await harness(scene, 'run', '--json');
    expect(refused).toMatchObject({ code: 2, last: { exit_code: 2 } });
    expect(refused.stderr).toContain('prices');
    expect(server.requests).toEqual([]);
    const settings = (await read(scene, '.harness.yaml')) + 'prices:\n  house-model: { input: 1, output: 2 }\n';
    const priced = await projectOnWire(HONEST_STEPS, settings.split('backend: anthropic\n')[1]);
    const run = await harness(priced.scene, 'run', '--json');
    expect(run, run.stderr).toMatchObject({ code: 0, last: { outcome: 'verified' } });
    expect(eventsOf(run, 'session.end')[0]?.['cost_usd']).toBeGreaterThan(0);
  });
});

test('a claim that was made before the time ran out is judged: refused, with the limit named after it, and the work is kept', async () => {
  const claim = `node -e 'const fs = require("fs"); fs.writeFileSync("features.json", fs.readFileSync("features.json", "utf8").replace(/"passes" : false/, "\\"passes\\" : true"))'`;
  const steps: Steps = [
    shell(`echo 'export const subtract = () => 0;' > src/subtract.js; ${claim}`),
    ...Array.from({ length: 40 }, () => shell('sleep 0.3')),
  ];
  const { scene } = await projectOnWire(steps, 'session:\n  timeout_minutes: 0.06\n  timeout_warning_minutes: 0.02\n');
  const run = await harness(scene, 'run', '--json');
  expect(run, run.stderr).toMatchObject({ code: 4, last: { outcome: 'rejected' } });
  const reasons = run.last?.['reasons'] as string[];
  expect(reasons.at(-1)).toBe('timeout');
  expect(reasons.length).toBeGreaterThan(1);
  expect(await git(scene, 'show', 'refs/harness/wip/2:src/subtract.js')).toContain('subtract');
});
