import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { HarnessEvent } from '../../domain/event.ts';
import { collectReply, firstLine, lastLine, parseContractLine, wantedLine } from './reply.ts';

const said = (text: string): HarnessEvent => ({ type: 'agent.text', session: 1, text });
const tool: HarnessEvent = { type: 'agent.tool', session: 1, name: 'Read', input: {} };

function replyTo(...events: HarnessEvent[]): string {
  const reply = collectReply();
  for (const event of events) reply.see(event);
  return reply.text();
}

describe('a reply', () => {
  test('is what came after the last tool call', () => {
    expect(replyTo(said('let me look'), tool, said('first'), said('second'))).toBe('first\nsecond');
    expect(replyTo(said('all of it'), said('counts'))).toBe('all of it\ncounts');
    expect(replyTo(said('before'), tool)).toBe('');
  });

  test('has nothing of what was printed beside it', () => {
    expect(replyTo(said('done'), { type: 'agent.text', session: 1, text: 'npm warn something', aside: true })).toBe('done');
  });

  test('begins anew when the agent is started again', () => {
    const again: HarnessEvent = { type: 'session.limit', session: 1, kind: 'silence', level: 'warn', message: 'once more' };
    expect(replyTo(said('half a'), again, said('whole'))).toBe('whole');
  });

  test('is free of control sequences', () => {
    expect(replyTo(said('\u001b[31mred\u001b[0m\u0007\r\nnext\u202e'))).toBe('red\nnext');
  });

  test('keeps its beginning and its end, however long it is', () => {
    const flood = Array.from({ length: 4_000 }, () => said('x'.repeat(1_000)));
    const reply = replyTo(said('FIRST'), ...flood, said('LAST'));
    expect(firstLine(reply)).toBe('FIRST');
    expect(lastLine(reply)).toBe('LAST');
    expect(reply.length).toBeLessThan(600_000);
  });
});

describe('the lines of a reply', () => {
  test('are the first and the last that are not blank', () => {
    expect([firstLine('\n \n one \n\ntwo\n\n'), lastLine('\n one\n\n two \n \n')]).toEqual(['one', 'two']);
    expect([firstLine(' \n'), lastLine('')]).toEqual([null, null]);
  });
});

describe('a contract line', () => {
  const pattern = /^critic findings written — (\d+) findings?$/;

  test.each([
    'critic findings written — 3 findings',
    'critic findings written - 3 findings',
    'critic findings written -- 3 findings',
    'critic  findings\twritten – 3   findings',
    '  critic findings written — 3 findings  ',
  ])('is recognised with other blanks and dashes: %s', (line) => {
    expect(parseContractLine(line, pattern)?.[1]).toBe('3');
  });

  test.each([
    null,
    '',
    'critic findings written—3 findings',
    'Critic findings written — 3 findings',
    'critic findings written — three findings',
    '**critic findings written — 3 findings**',
    'critic findings written — 3 findings.',
    `critic findings written — ${'3'.repeat(5_000)} findings`,
  ])('is never guessed at: %s', (line) => {
    expect(parseContractLine(line, pattern)).toBeNull();
  });

  test('can be written with a plain dash in the pattern too, and with flags that remember nothing', () => {
    const plain = /^ok - (.+)$/g;
    expect(parseContractLine('ok — fine', plain)?.[1]).toBe('fine');
    expect(parseContractLine('ok — fine', plain)?.[1]).toBe('fine');
  });

  test('keeps the dashes inside of words', () => {
    expect(parseContractLine('name: well-known', /^name: (.+)$/)?.[1]).toBe('well-known');
  });

  test('holds for whatever an agent says, without throwing', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const line = lastLine(text);
        const match = parseContractLine(line, pattern);
        expect(match === null || line !== null).toBe(true);
        if (line !== null) expect(line).toBe(line.trim());
      }),
    );
  });
});

test.each([
  [/^VERDICT: (?:pass|fail)$/, 'VERDICT: (pass|fail)'],
  [/^(PASS|FAIL( L[23])?)\b.* — \S.*$/, '(PASS|FAIL( L[23])?)… — …'],
  [/^PLAN: \d+ features?, \d+ claims?$/, 'PLAN: N features?, N claims?'],
])('the line that was wanted is named: %s', (pattern, shown) => {
  expect(wantedLine(pattern)).toBe(shown);
});
