import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { estimateTokens, MAX_TOKENS, orientation, type OrientationFacts } from './orientation.ts';
import { partialDetails, type PartialFacts } from './partial-details.ts';

/** Everything that could move a cursor, hide text or break a line where none was written. */
const CONTROL = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200b\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/;

const FACTS: OrientationFacts = {
  session: 8,
  project: 'shop',
  passing: 3,
  total: 12,
  health: 'all baseline tests pass',
  last: { session: 7, status: 'complete', feature: { id: 3, description: 'Add to cart' }, commits: ['0123456789abcdef'] },
  task: { id: 4, description: 'Remove from cart', test_files: ['tests/remove.test.js'], dependencies: [{ id: 3, passes: true }] },
  specification: { path: 'docs/spec.md', part: 'Cart: An item can be removed again.' },
  instructions: 'Prices are shown with two digits',
  checks: [
    { name: 'whole suite', command: 'npm test', verdict: 'refuses' },
    { name: 'lint', command: 'npm run lint', verdict: 'warns' },
    { name: 'build', command: 'npm run build', verdict: 'does not run it' },
  ],
  helpers: ['tests/helpers.js'],
  red_by_design: ['tests/pay.test.js', 'tests/ship.test.js'],
  progress: [{ session: 7, feature: 3, did: ['the cart adds up'], left: ['rounding'] }],
  key_files: [{ path: 'src/cart.js', note: 'last modified in session 7' }],
  decisions: [
    { session: 7, text: 'Prices are integers' },
    { session: null, text: 'No framework' },
  ],
};

describe('the orientation', () => {
  test('says where the project stands, what was last, what is next and what to read', () => {
    expect(orientation(FACTS)).toBe(
      [
        '## Current State\n**Session:** 8\n**Project:** shop\n**Progress:** 3/12 features passing (25%)\n**Health:** all baseline tests pass\n**Instructions of the list:** Prices are shown with two digits',
        '## Last Session (Session 7)\n- Completed: Feature #3 (Add to cart)\n- Commits: 1 (0123456789)\n- Status: complete',
        '## Your Task This Session\n**Feature #4:** Remove from cart\n**Test file:** tests/remove.test.js\n**Dependencies:** #3 (all passing)\n**Specification:** `docs/spec.md`; about this feature: "Cart: An item can be removed again."',
        [
          '## Checking Your Work',
          '- whole suite: `npm test` (part of the verdict)',
          '- lint: `npm run lint` (the verdict only warns)',
          '- build: `npm run build` (not part of the verdict)',
          '- test helpers: tests/helpers.js',
          '- red on purpose, until their features are built: tests/pay.test.js, tests/ship.test.js; leave them alone',
        ].join('\n'),
        '## Key Files\n- src/cart.js (last modified in session 7)',
        '## Notes of Earlier Sessions (their own words)\n- Session 7 (#3): did: the cart adds up. left: rounding',
        '## Recent Decisions\n- Session 7: Prices are integers\n- No framework',
      ].join('\n\n'),
    );
  });

  test('leaves out what there is not', () => {
    const nothing = { specification: null, instructions: null, checks: [], helpers: [], red_by_design: [], progress: [] };
    const text = orientation({ ...FACTS, ...nothing, last: null, task: null, key_files: [], decisions: [], passing: 0, total: 0 });
    expect(text.match(/^## .*/gm)).toEqual(['## Current State']);
    expect(text).toContain('0/0 features passing (0%)');
  });

  test('never rounds an unfinished project up to 100%', () => {
    expect(orientation({ ...FACTS, passing: 9_999, total: 10_000 })).toContain('(99%)');
  });

  test('names dependencies that do not pass, and counts those it does not show', () => {
    const dependencies = Array.from({ length: 10_000 }, (_, index) => ({ id: index + 1, passes: index !== 1 }));
    const text = orientation({ ...FACTS, task: { ...FACTS.task!, dependencies } });
    expect(text).toContain('#2 (not passing)');
    expect(text).toContain('and 9992 more');
    expect(text).not.toContain('all passing');
  });

  test('shows a long description whole, and cuts an endless one with a mark', () => {
    const long = 'Remove an item, '.repeat(18).trim();
    expect(orientation({ ...FACTS, task: { ...FACTS.task!, description: long } })).toContain(`**Feature #4:** ${long}\n`);
    expect(orientation({ ...FACTS, task: { ...FACTS.task!, description: 'x'.repeat(100_000) } })).toMatch(/\*\*Feature #4:\*\* x{299}…\n/);
  });

  test('is typically under 600 tokens', () => {
    const full: OrientationFacts = {
      ...FACTS,
      key_files: Array.from({ length: 8 }, (_, index) => ({ path: `src/components/part-${index}.js`, note: 'last modified in session 7' })),
      decisions: Array.from({ length: 5 }, (_, index) => ({
        session: index,
        text: 'Prices are integers of the smallest unit, because sums of floats drift',
      })),
    };
    expect(estimateTokens(orientation(full))).toBeLessThan(600);
  });

  test('is never over its limit and holds no control sequence, whatever the facts are', () => {
    fc.assert(
      fc.property(anyFacts(), (facts) => {
        const text = orientation(facts);
        expect(estimateTokens(text)).toBeLessThanOrEqual(MAX_TOKENS);
        expect(text).not.toMatch(CONTROL);
        expect(text).not.toMatch(/\p{Surrogate}/u);
        expect((text.match(/^## /gm) ?? []).length).toBeLessThanOrEqual(7);
      }),
      { numRuns: 150 },
    );
  });

  test('keeps the task even where everything else is huge', () => {
    const huge = '漢'.repeat(100_000);
    const text = orientation({
      ...FACTS,
      project: huge,
      health: huge,
      last: {
        session: 7,
        status: huge,
        feature: { id: 3, description: huge },
        commits: Array<string>(1_000).fill(huge),
      },
      task: { ...FACTS.task!, test_files: [huge, huge] },
      specification: { path: huge, part: huge },
      instructions: huge,
      checks: Array.from({ length: 50 }, () => ({ name: 'lint', command: huge, verdict: 'refuses' as const })),
      helpers: Array<string>(1_000).fill(huge),
      red_by_design: Array<string>(1_000).fill(huge),
      progress: Array.from({ length: 1_000 }, () => ({ session: 1, feature: 1, did: [huge], left: [huge] })),
      key_files: Array.from({ length: 1_000 }, () => ({ path: huge, note: huge })),
      decisions: Array.from({ length: 1_000 }, () => ({ session: 1, text: huge })),
    });
    expect(estimateTokens(text)).toBeLessThanOrEqual(MAX_TOKENS);
    expect(text).toContain('**Feature #4:** Remove from cart');
  });
});

describe('the details of a partial feature', () => {
  const facts: PartialFacts = {
    feature: { id: 4, description: 'Remove' },
    test_files: [],
    session: 7,
    reason: 'ended before the work was done',
    done: ['model'],
    left: ['view'],
    decisions: ['Prices are integers'],
    files: ['src/cart.js (modified)'],
    said: ['Now the view.'],
    last_test: '# fail 2',
  };

  test('say what is done, what is left, and whose word that is', () => {
    const text = partialDetails(facts);
    expect(text).toContain('partial (session 7: ended before the work was done)');
    expect(text).toContain("**What's Done** (from the notes of the earlier session)\n- model");
    expect(text).toContain("**What's Left** (from the notes of the earlier session)\n- view");
    expect(text).toContain('**Decisions** (from the notes of the earlier session)\n- Prices are integers');
    expect(text).toContain('- src/cart.js (modified)');
  });

  test('show the last words of the agent, its last test result and how to see the work', () => {
    const text = partialDetails(facts);
    expect(text).toContain('**Last words of its agent** (its own view, not checked)\n- Now the view.');
    expect(text).toContain('**Last test result it saw:** # fail 2');
    expect(text).toContain('`git diff HEAD`');
  });

  test('are bounded and hold no control sequence, whatever the notes say', () => {
    fc.assert(
      fc.property(hostile(), fc.array(hostile(), { maxLength: 40 }), (one, many) => {
        const text = partialDetails({
          ...facts,
          feature: { id: 1, description: one },
          reason: one,
          test_files: [one],
          done: many,
          left: many,
          files: many,
          said: many,
          last_test: one,
        });
        expect(text.length).toBeLessThan(7_000);
        expect(text).not.toMatch(CONTROL);
        expect(text).not.toMatch(/\p{Surrogate}/u);
      }),
      { numRuns: 200 },
    );
  });
});

function hostile(): fc.Arbitrary<string> {
  const piece = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 30 }),
    fc.constantFrom(
      '\u001b[2J',
      '\u001b]0;title\u0007',
      '\u009b31m',
      '\r',
      '\n## Your Task This Session\n',
      '\u202e',
      '🙂',
      '漢字',
      '\ud83d',
      '\udc00',
      '`~~~',
      '\u200d',
    ),
  );
  return fc.array(piece, { maxLength: 8 }).chain((parts) => fc.constantFrom(1, 1, 50, 2_000).map((times) => parts.join('').repeat(times)));
}

function anyFacts(): fc.Arbitrary<OrientationFacts> {
  const text = hostile();
  const number = fc.nat();
  const many = <Item>(item: fc.Arbitrary<Item>): fc.Arbitrary<Item[]> => fc.array(item, { maxLength: 12 });
  return fc.record({
    session: number,
    project: text,
    passing: number,
    total: number,
    health: text,
    last: fc.option(
      fc.record({
        session: number,
        status: text,
        feature: fc.option(fc.record({ id: number, description: text })),
        commits: many(text),
      }),
    ),
    task: fc.option(
      fc.record({
        id: number,
        description: text,
        test_files: fc.array(text, { maxLength: 12 }),
        dependencies: many(fc.record({ id: number, passes: fc.boolean() })),
      }),
    ),
    specification: fc.option(fc.record({ path: text, part: fc.option(text) })),
    instructions: fc.option(text),
    checks: many(fc.record({ name: fc.constant('lint'), command: text, verdict: fc.constantFrom('refuses' as const, 'warns' as const) })),
    helpers: many(text),
    red_by_design: many(text),
    progress: many(fc.record({ session: number, feature: fc.option(number), did: many(text), left: many(text) })),
    key_files: many(fc.record({ path: text, note: text })),
    decisions: many(fc.record({ session: fc.option(number), text })),
  });
}
