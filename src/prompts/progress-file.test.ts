import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseProgress } from './progress-file.ts';

const TEXT = `================
PROGRESS LOG - shop
================

SESSION 1 - set up
FEATURE: none
DONE:
- not lost

SESSION 2 | 2026-01-02
FEATURE: #4 Remove from cart
WHAT I DID:
- wrote the model
* wrote the view

DECISIONS: prices are integers
- no framework

TEST OUTPUT:
- this is no note
WHAT'S LEFT:
  • the button
`;

describe('the progress file', () => {
  test('gives its entries, newest first', () => {
    expect(parseProgress(TEXT)).toEqual([
      {
        session: 2,
        feature: 4,
        did: ['wrote the model', 'wrote the view'],
        decisions: ['prices are integers', 'no framework'],
        left: ['the button'],
      },
      { session: 1, feature: null, did: ['not lost'], decisions: [], left: [] },
    ]);
  });

  test('may be written in Markdown', () => {
    const text = `## Session 5 - feature #5
parseAmount accepts thousands. Decision: separators must not be mixed.
 Test Files  1 passed (1)
\`\`\`
Decision: this is output
\`\`\`
Full suite and type check passed.

### Session 6 (feature #6)
**Done:**
- totals take an option
### Decisions
- equal totals are listed alphabetically
**Next steps:** rounding
#### Test output
- this is no note
`;
    expect(parseProgress(text)).toEqual([
      {
        session: 6,
        feature: 6,
        did: ['totals take an option'],
        decisions: ['equal totals are listed alphabetically'],
        left: ['rounding'],
      },
      {
        session: 5,
        feature: 5,
        did: ['parseAmount accepts thousands.', 'Full suite and type check passed.'],
        decisions: ['separators must not be mixed.'],
        left: [],
      },
    ]);
  });

  test('may come with the line ends of Windows', () => {
    expect(parseProgress(TEXT.replaceAll('\n', '\r\n'))).toEqual(parseProgress(TEXT));
  });

  test('is nothing when there is no entry', () => {
    expect(parseProgress('')).toEqual([]);
    expect(parseProgress('- a note\nDONE:\n- another')).toEqual([]);
  });

  test('is bounded in each section, whichever way the notes are written', () => {
    for (const note of ['- item\n', 'DONE: item\n']) {
      const [entry] = parseProgress(`SESSION 1\nDONE:\n${note.repeat(1_000)}`);
      expect(entry!.did).toHaveLength(20);
    }
  });

  test('of any size is read at its end only', () => {
    const entries = parseProgress(`SESSION 1\nDONE:\n- old\n${'x'.repeat(300_000)}\nSESSION 2\nDONE:\n- new\n`);
    expect(entries.map((entry) => entry.session)).toEqual([2]);
  });

  test('is read in a moment, even when it was written to be slow', () => {
    const before = performance.now();
    for (const hostile of [
      `- ${' '.repeat(250_000)}`,
      ' '.repeat(250_000),
      `${'A '.repeat(125_000)}`,
      `FEATURE:${' '.repeat(250_000)}`,
      `SESSION ${' '.repeat(250_000)}`,
    ])
      parseProgress(`SESSION 1\nDONE:\n${hostile}\n`);
    expect(performance.now() - before).toBeLessThan(2_000);
  });

  test('never throws, and every entry has its shape', () => {
    const line = fc.oneof(
      fc.string({ unit: 'grapheme' }),
      fc.constantFrom('SESSION 3', 'DONE: x', 'FEATURE: #2', '- a', 'NEXT:', 'CONSTRUCTOR: x', "WHAT'S LEFT:"),
    );
    fc.assert(
      fc.property(fc.array(line), (lines) => {
        for (const entry of parseProgress(lines.join('\n'))) {
          expect(Number.isInteger(entry.session)).toBe(true);
          expect([...entry.did, ...entry.decisions, ...entry.left].every((note) => note.trim() === note && note !== '')).toBe(true);
        }
      }),
    );
  });
});

test('a line that only underlines a heading is no note', () => {
  expect(parseProgress('SESSION 1\n=========\nFEATURE: #1\nWHAT I DID:\n- the sum\n---\n')).toMatchObject([
    { did: ['the sum'], feature: 1 },
  ]);
});
