import { describe, expect, test } from 'vitest';
import { nodePlatform } from '../../platform/node-platform.ts';
import type { ExaminerAnswer } from './contract.ts';
import { MOST_TESTS, readReply } from './read-reply.ts';

const platform = nodePlatform({ PATH: process.env['PATH'] });
const read = (reply: string, path = 'test/it.test.js'): Promise<ExaminerAnswer> => readReply(platform, reply, path);

const code = (title: string): string => `import { test } from 'node:test';\ntest('${title}', () => { throw new Error('no'); });`;
const block = (heading: string, text: string): string => `## ${heading}\n\n\`\`\`js\n${text}\n\`\`\`\n`;

describe('a reply of the examiner', () => {
  test('gives each test with its sentence', async () => {
    expect(await read(`Here they are.\n\n${block('Zero stays zero', code('zero'))}\n${block('Signs are kept', code('signs'))}`)).toEqual({
      tests: [
        { behaviour: 'Zero stays zero', code: `${code('zero')}\n` },
        { behaviour: 'Signs are kept', code: `${code('signs')}\n` },
      ],
      leftOut: [],
    });
  });

  test('without headings is named by the line above, else by the title of the test', async () => {
    const answer = await read(`1. Zero stays zero\n\`\`\`\n${code('zero')}\n\`\`\`\n~~~js\n${code('signs are kept')}\n~~~\n`);
    expect(answer).toMatchObject({ tests: [{ behaviour: 'Zero stays zero' }, { behaviour: 'signs are kept' }] });
  });

  test('in Python is read by the path that its tests will have', async () => {
    const answer = await read('## It adds\n```python\ndef test_it():\n    assert 1 + 1 == 2\n```\n', 'tests/test_it.py');
    expect(answer).toMatchObject({ tests: [{ behaviour: 'It adds' }] });
  });

  test('with too many tests counts up to the twelfth', async () => {
    const answer = await read(Array.from({ length: 20 }, (_, index) => block(`Behaviour ${index}`, code(`t${index}`))).join('\n'));
    expect(answer).toMatchObject({ leftOut: ['8 tests beyond the first 12'] });
    expect('tests' in answer && answer.tests.map(({ behaviour }) => behaviour)).toEqual(
      Array.from({ length: MOST_TESTS }, (_, index) => `Behaviour ${index}`),
    );
  });

  test('with too many tests in one file loses that file', async () => {
    const many = Array.from({ length: 13 }, (_, index) => `test('t${index}', () => {});`).join('\n');
    expect(await read(block('Everything', `import { test } from 'node:test';\n${many}`) + block('Zero', code('zero')))).toEqual({
      tests: [{ behaviour: 'Zero', code: `${code('zero')}\n` }],
      leftOut: ['1 test beyond the first 12'],
    });
  });

  test('cannot say where its tests lie: paths are words', async () => {
    expect(await read(block('../../etc/passwd', code('zero')))).toEqual({
      tests: [{ behaviour: '../../etc/passwd', code: `${code('zero')}\n` }],
      leftOut: [],
    });
  });

  test('keeps what it says on one plain line of bounded length', async () => {
    const answer = await read(block(`\u001B[31mred\u001B[0m \u202Eback ${'x'.repeat(5_000)}`, code('zero')));
    const behaviour = 'tests' in answer ? answer.tests[0]!.behaviour : '';
    expect(behaviour.length).toBeLessThan(300);
    expect(behaviour).toMatch(/^red back x+…$/);
  });

  test.each<[string, string, RegExp]>([
    ['nothing', ' \n', /wrote nothing/],
    ['words alone', 'The work looks fine to me.\n', /wrote no test/],
    ['a block that is never closed', `## Zero\n\`\`\`js\n${code('zero')}\n`, /wrote no test/],
    [
      'blocks that are no tests',
      block('A script', '#!/bin/sh\nrm -rf /') + block('A value', 'export const a = 1;'),
      /no test that can be read/,
    ],
    ['a test that is a megabyte long', block('Long', `${code('long')}\n// ${'x'.repeat(100_000)}`), /no test that can be read/],
    ['a flood', 'x'.repeat(10_000_000), /too long/],
    ['a flood of fences', '```\n```\n'.repeat(15_000), /no test that can be read/],
  ])('with %s is none', async (_, reply, why) => {
    const answer = await read(reply);
    expect('why' in answer && answer.why).toMatch(why);
  });
});
