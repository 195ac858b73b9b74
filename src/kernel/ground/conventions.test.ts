import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { candidateRank, CANDIDATE_PATHS, decideWorkflowScan, isExcluded, isRich, rankCandidates } from './conventions.ts';
import { countLines } from '../roles/guidance-file.ts';
import { CONVENTIONS_FILE } from '../session-schema.ts';

describe('the workflow decides', () => {
  test.each([
    // recorded, live, persisted, lines of CLAUDE.md → reset, next
    [CONVENTIONS_FILE, true, true, 80, false, 'keep'],
    [CONVENTIONS_FILE, true, false, null, false, 'keep'],
    [CONVENTIONS_FILE, false, true, 80, false, 'copy-persisted'],
    [CONVENTIONS_FILE, false, false, 80, true, 'copy-claude'],
    [CONVENTIONS_FILE, false, false, 10, true, 'ask'],
    ['file:/etc/passwd', true, false, null, true, 'ask'],
    [null, true, true, 80, false, 'copy-persisted'],
    [null, false, false, 50, false, 'copy-claude'],
    [null, false, false, 49, false, 'ask'],
    [null, false, false, null, false, 'ask'],
    ['skipped', false, true, null, false, 'copy-persisted'],
    ['skipped', false, false, null, false, 'ask'],
  ] as const)(
    'recorded %s, live %j, persisted %j, CLAUDE.md %j: reset %j, then %s',
    (recorded, live, persisted, claudeLines, reset, next) => {
      expect(decideWorkflowScan({ recorded, live, persisted, claudeLines })).toEqual({ reset, next });
    },
  );
});

test('a file is rich from fifty lines on, a last line without newline counted', () => {
  expect([null, 0, 49, 50, 5000].map(isRich)).toEqual([false, false, false, true, true]);
  expect([countLines(''), countLines('a'), countLines('a\n'), countLines('a\nb')]).toEqual([0, 1, 1, 2]);
});

test.each([
  ['STYLE_GUIDE.md', 0],
  ['style_guide.MD', 0],
  ['docs/Conventions.md', 6],
  ['Docs/conventions.md', null],
  ['docs/CONTRIBUTING.md', null],
  ['sub/conventions.md', null],
  ['README.md', null],
])('%s has the rank %j among the candidates', (path, rank) => expect(candidateRank(path)).toBe(rank));

test.each(['/x/node_modules/p/CONTRIBUTING.md', '/x/target/a.md', '/x/.venv/a', '/x/__pycache__/a'])('%s is excluded', (path) =>
  expect(isExcluded(path)).toBe(true),
);
test.each(['/x/targets/a.md', '/x/my-build/a.md', '/x/a.md'])('%s is not', (path) => expect(isExcluded(path)).toBe(false));

describe('candidates', () => {
  test('are ranked by length, then by the order of their paths, and three remain', () => {
    const given = [
      { path: 'docs/conventions.md', lines: 100 },
      { path: 'policy.md', lines: 100 },
      { path: 'CONTRIBUTING.md', lines: 60 },
      { path: 'guidelines.md', lines: 300 },
      { path: 'STYLE_GUIDE.md', lines: 49 },
      { path: 'conventions.md', lines: 5001 },
    ];
    expect(rankCandidates(given).map(({ path }) => path)).toEqual(['guidelines.md', 'policy.md', 'docs/conventions.md']);
  });
  test('that remain are always of a useful size, sorted, and no more than three', () => {
    const candidate = fc.record({ path: fc.constantFrom<string>(...CANDIDATE_PATHS), lines: fc.integer({ min: 0, max: 6000 }) });
    fc.assert(
      fc.property(fc.uniqueArray(candidate, { selector: ({ path }) => path }), (given) => {
        const ranked = rankCandidates(given);
        const useful = given.filter(({ lines }) => lines >= 50 && lines <= 5000);
        return (
          ranked.length === Math.min(3, useful.length) &&
          ranked.every((entry, index) => useful.includes(entry) && (index === 0 || ranked[index - 1]!.lines >= entry.lines))
        );
      }),
    );
  });
});
