import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { AgentEvent } from '../agents/contract.ts';
import { NO_USAGE } from '../domain/money.ts';
import type { Directive, WatchInput } from './monitor.ts';
import { progressMonitor, signature, type ProgressSettings } from './progress-monitor.ts';

const SETTINGS: ProgressSettings = {
  windowTokens: 10_000_000,
  intervalTokens: 1_000,
  stuckWarning: 'You appear stuck.',
  stopAfter: 2,
  maxRepeatedErrors: 3,
};

const write = tool('write_file', { path: 'src/a.js' });
const command = tool('bash', { command: 'ls' });

describe('an agent without progress', () => {
  test('gets a hint at the first look, is told to write down what blocks it at the second in a row, and is stopped a few requests later', () => {
    const said = run([
      usage(999),
      usage(1_000),
      usage(1_999),
      usage(2_000),
      usage(2_001),
      write,
      usage(9_000),
      usage(9_001),
      usage(9_002),
      usage(9_003),
    ]);
    expect(kinds(said)).toEqual(['', 'inject', '', 'wrap_up', '', '', '', '', 'stop', '']);
    expect(said[1]![0]).toMatchObject({ limit: 'progress', text: expect.stringContaining('You appear stuck.') });
    expect(said[3]![0]).toMatchObject({
      limit: 'progress',
      reason: 'stuck',
      text: expect.stringMatching(/claude-progress\.txt what blocks you/),
    });
    expect(said[8]![0]).toMatchObject({ limit: 'progress', reason: 'stuck' });
  });

  test('starts anew after a look with progress', () => {
    expect(kinds(run([usage(1_000), write, usage(2_000), usage(3_000), usage(4_000)]))).toEqual(['inject', '', '', 'inject', 'wrap_up']);
  });

  test.each<[string, WatchInput[]]>([
    ['a file that a tool wrote', [write]],
    ['a file that it says it wrote', [text('[FILE:WRITE] src/a.js')]],
    ['files that changed in the workspace', [{ kind: 'files', changed: 1, at: 0 }]],
    ['a test run', [tool('bash', { command: 'npx vitest run' })]],
    ['a test run that it says it made', [text('[CMD:RUN] npm test')]],
    ['the summary of a test run', [text('12 passed, 1 failed')]],
    ['the summary of node --test', [text('# pass 3')]],
    ['three commands', [command, command, command]],
  ])('is none that shows %s', (_, inputs) => {
    expect(run([...inputs, usage(1_000)]).flat()).toEqual([]);
  });

  test.each<[string, WatchInput[]]>([
    ['two commands', [command, command]],
    ['reading', [tool('read_file', { path: 'a' }), tool('read_file', { path: 'b' })]],
    ['talk about tests', [text('I should write tests and pass them.')]],
    ['files that did not change', [{ kind: 'files', changed: 0, at: 0 }]],
  ])('is one that shows only %s', (_, inputs) => {
    expect(kinds(run([...inputs, usage(1_000)])).at(-1)).toBe('inject');
  });

  test('is looked at once at half of the window, unless that was done just before', () => {
    expect(kinds(run([usage(600), usage(700), usage(1_599), usage(1_600)], { ...SETTINGS, windowTokens: 1_200, stopAfter: 9 }))).toEqual([
      'inject',
      '',
      '',
      'inject',
    ]);
    expect(
      kinds(run([usage(1_000), usage(1_100), usage(1_999), usage(2_000)], { ...SETTINGS, windowTokens: 2_200, stopAfter: 9 })),
    ).toEqual(['inject', '', 'inject', '']);
    expect(kinds(run([usage(1_000), usage(1_001), usage(1_499)], { ...SETTINGS, windowTokens: 2_000, stopAfter: 9 }))).toEqual([
      'inject',
      '',
      '',
    ]);
  });

  test('is looked at again after its context became smaller', () => {
    expect(kinds(run([usage(5_000), usage(100), usage(1_099), usage(1_100)], { ...SETTINGS, stopAfter: 9 }))).toEqual([
      'inject',
      '',
      '',
      'inject',
    ]);
    expect(kinds(run([usage(5_000), { kind: 'turn', fresh: true, at: 0 }, usage(1_000)], { ...SETTINGS, stopAfter: 9 }))).toEqual([
      'inject',
      '',
      'inject',
    ]);
  });

  test('wants the files looked at exactly when its next look is due', () => {
    const monitor = progressMonitor(SETTINGS);
    const wants = (tokens: number): boolean => monitor.wantsFiles!(monitor.initial, (usage(tokens) as { event: AgentEvent }).event);
    expect([wants(999), wants(1_000)]).toEqual([false, true]);
    expect(monitor.wantsFiles!(monitor.initial, { type: 'text', text: 'x' })).toBe(false);
  });

  test('is judged as a naive model judges it', () => {
    const anything = fc.oneof(
      fc.constantFrom(write, command, text('hm'), tool('bash', { command: 'pytest' })),
      fc.integer({ min: 0, max: 900 }),
    );
    fc.assert(
      fc.property(fc.array(anything, { maxLength: 60, size: 'max' }), fc.integer({ min: 1, max: 4 }), (steps, stopAfter) => {
        let tokens = 0;
        const inputs = steps.map((step) => (typeof step === 'number' ? usage((tokens += step)) : step));
        expect(kinds(run(inputs, { ...SETTINGS, stopAfter }))).toEqual(naive(inputs, stopAfter));
      }),
      { numRuns: 500 },
    );
  });
});

describe('the same error', () => {
  const failing = (output: string): WatchInput => event({ type: 'tool_result', id: '1', name: 'bash', ok: false, output });

  test('brings one hint at the limit and the end at twice the limit', () => {
    const said = run(Array.from({ length: 8 }, (_, index) => failing(`TypeError: x is not a function at line ${index}`)));
    expect(kinds(said)).toEqual(['', '', 'inject', '', '', 'stop', '', '']);
    expect(said[2]![0]).toMatchObject({ text: expect.stringContaining('3 times') });
    expect(said[5]![0]).toMatchObject({ reason: 'repeated_error', message: expect.stringContaining('6 times') });
  });

  test('that a program without results of tools reports as an error line counts too, other warnings do not', () => {
    const line = event({ type: 'warning', message: 'the agent reported an error: no such host', isError: true });
    const aside = event({ type: 'warning', message: 'the agent reported an error: no such host' });
    expect(kinds(run([line, aside, line, aside, line, line, line, line]))).toEqual(['', '', '', '', 'inject', '', '', 'stop']);
  });

  test('is not mixed up with others, and success is no error', () => {
    const fine = event({ type: 'tool_result', id: '1', name: 'bash', ok: true, output: 'Error: x' });
    expect(run([failing('Error: a'), failing('Error: b'), fine, failing('Error: a'), fine, failing('Error: b')]).flat()).toEqual([]);
  });

  test('is known by its last telling line, without numbers and addresses', () => {
    expect(signature('start\nError: at 0x7ffe12 in line 12\nnpm notice\n')).toBe('Error: at # in line #');
    expect(signature('one\ntwo 2\n\n')).toBe('two #');
    expect(signature('')).toBe('empty output');
    expect(signature('x'.repeat(10_000))).toHaveLength(200);
  });

  test('is counted exactly, each message once, whatever the errors are called', () => {
    const name = fc.oneof(fc.constantFrom('constructor', '__proto__', 'toString', 'hasOwnProperty', 'Error: x', ''), fc.string());
    fc.assert(
      fc.property(
        fc
          .array(name, { minLength: 1, maxLength: 3 })
          .chain((names) => fc.array(fc.constantFrom(...names), { maxLength: 30, size: 'max' })),
        fc.integer({ min: 1, max: 4 }),
        (outputs, maxRepeatedErrors) => {
          const counts = new Map<string, number>();
          let stopped = false;
          const expected = outputs.map((output) => {
            const times = (counts.get(signature(output)) ?? 0) + 1;
            counts.set(signature(output), times);
            if (stopped) return '';
            if (times === maxRepeatedErrors * 2) return ((stopped = true), 'stop');
            return times === maxRepeatedErrors ? 'inject' : '';
          });
          expect(kinds(run(outputs.map(failing), { ...SETTINGS, maxRepeatedErrors }))).toEqual(expected);
        },
      ),
      { numRuns: 500 },
    );
  });

  test('does not let a flood of different ones pile up', () => {
    const monitor = progressMonitor(SETTINGS);
    let state = monitor.initial;
    for (let index = 0; index < 1_000; index++)
      [state] = monitor.step(state, failing(`Error ${'abcdefghij'.charAt(index % 10)}${'x'.repeat(Math.floor(index / 10))}`));
    expect(Object.keys(state.errors).length).toBeLessThanOrEqual(200);
  });
});

/** Counts everything since the last look, over the whole history each time. */
function naive(inputs: readonly WatchInput[], stopAfter: number): string[] {
  let last = 0;
  let since = 0;
  let inRow = 0;
  let written = 0;
  return inputs.map((input, index) => {
    if (inRow >= stopAfter) return input.kind === 'event' && input.event.type === 'usage' && ++written === 4 ? 'stop' : '';
    if (input.kind !== 'event' || input.event.type !== 'usage' || input.event.context_tokens - last < SETTINGS.intervalTokens) return '';
    const seen = inputs.slice(since, index);
    const commands = seen.filter(
      (one) => one === command || (one.kind === 'event' && one.event.type === 'tool' && one.event.name === 'bash'),
    );
    const progress = seen.includes(write) || commands.length >= 3 || commands.some((one) => one !== command);
    last = input.event.context_tokens;
    since = index;
    inRow = progress ? 0 : inRow + 1;
    return progress ? '' : inRow >= stopAfter ? 'wrap_up' : 'inject';
  });
}

function event(given: AgentEvent): WatchInput {
  return { kind: 'event', at: 0, event: given };
}

function text(given: string): WatchInput {
  return event({ type: 'text', text: given });
}

function tool(name: string, input: Record<string, unknown>): WatchInput {
  return event({ type: 'tool', id: '1', name, input });
}

function usage(context_tokens: number): WatchInput {
  return event({ type: 'usage', usage: NO_USAGE, context_tokens, cost_usd: null, estimated: false });
}

function kinds(said: readonly (readonly Directive[])[]): string[] {
  return said.map((directives) => directives.map((directive) => directive.kind).join());
}

function run(inputs: readonly WatchInput[], settings: ProgressSettings = SETTINGS): (readonly Directive[])[] {
  const monitor = progressMonitor(settings);
  let state = monitor.initial;
  return inputs.map((input) => {
    const [next, directives] = monitor.step(state, input);
    state = next;
    return directives;
  });
}
