import { expect, test } from 'vitest';
import { createActionParser, parseActions, toolAction } from './actions.ts';

const SAMPLE = `Let me look.
[FILE:READ] src/api/routes.py
[FILE:WRITE] src/api/profile.py
[CMD:RUN] pytest tests/e2e/test_profile.py -v
[CMD:OUTPUT]
== 3 passed ==
in 0.2s
[CMD:EXIT] 0
[VERIFY:START] Feature #12
[VERIFY:PASS] #12
[VERIFY:FAIL] 13 because of a timeout
[DECISION] Using PATCH for partial updates
[VISUAL:SCREENSHOT] shots/a.png
[VISUAL:VERIFY] Avatar visible
`;

const ACTIONS = [
  { kind: 'file_read', path: 'src/api/routes.py' },
  { kind: 'file_write', path: 'src/api/profile.py' },
  { kind: 'cmd_run', cmd: 'pytest tests/e2e/test_profile.py -v' },
  { kind: 'cmd_output', text: '== 3 passed ==\nin 0.2s' },
  { kind: 'cmd_exit', code: 0 },
  { kind: 'verify_start', feature: 12, text: 'Feature #12' },
  { kind: 'verify_pass', feature: 12, text: '#12' },
  { kind: 'verify_fail', feature: 13, text: '13 because of a timeout' },
  { kind: 'decision', text: 'Using PATCH for partial updates' },
  { kind: 'visual_screenshot', path: 'shots/a.png' },
  { kind: 'visual_verify', text: 'Avatar visible' },
];

test('every prefix becomes its action', () => expect(parseActions(SAMPLE)).toEqual(ACTIONS));

test('text that arrives in pieces gives the same actions', () => {
  for (const size of [1, 3, 17]) {
    const parser = createActionParser();
    const actions = [];
    for (let index = 0; index < SAMPLE.length; index += size) actions.push(...parser.push(SAMPLE.slice(index, index + size)));
    expect([...actions, ...parser.end()]).toEqual(ACTIONS);
  }
});

test('prefixes count at the start of a line only, and empty or unknown ones not at all', () => {
  expect(parseActions('I would write [FILE:READ] x\n[FILE:READ]\n[OTHER:THING] x\n[CMD:EXIT] soon')).toEqual([
    { kind: 'cmd_exit', code: null },
  ]);
});

test('output of any length stays bounded', () => {
  const [action] = parseActions(`[CMD:OUTPUT]\n${'x\n'.repeat(100_000)}`);
  expect(JSON.stringify(action).length).toBeLessThan(10_000);
});

test.each([
  ['shell', { command: 'npm test' }, { kind: 'cmd_run', cmd: 'npm test' }],
  ['Bash', { command: 'ls' }, { kind: 'cmd_run', cmd: 'ls' }],
  ['exec_command', { cmd: ['ls', '-l'] }, { kind: 'cmd_run', cmd: 'ls -l' }],
  ['write_file', { path: 'a.js' }, { kind: 'file_write', path: 'a.js' }],
  ['Edit', { file_path: 'a.js' }, { kind: 'file_write', path: 'a.js' }],
  ['MultiEdit', { file_path: 'a.js' }, { kind: 'file_write', path: 'a.js' }],
  ['Read', { file_path: 'a.js' }, { kind: 'file_read', path: 'a.js' }],
  ['mcp__fs__read_file', { path: 'a.js' }, { kind: 'file_read', path: 'a.js' }],
  ['shell', {}, null],
  ['WebSearch', { query: 'x' }, null],
])('the tool %s with %j means %j', (name, input, action) => expect(toolAction(name, input)).toEqual(action));
