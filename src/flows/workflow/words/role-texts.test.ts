/** What the roles of the workflow are told, where the rest of the flow relies on it. */
import { describe, expect, test } from 'vitest';
import { SHIPPED_ROLES } from '../../../prompts/shipped.ts';
import { parseRole } from '../../../prompts/role.ts';
import { clipped, LONGEST } from './project-facts.ts';

const toldTo = (role: string): string => parseRole(SHIPPED_ROLES[`workflow/${role}`]!, role).system.replace(/\s+/g, ' ');
const figure = (most: number): string => `${most.toLocaleString('en-US')} characters is cut off`;

test('a text that is too long is cut, and how much of it is told', () => {
  expect(clipped('short', LONGEST.review)).toBe('short');
  const long = clipped(`${'x'.repeat(LONGEST.review)}the end`, LONGEST.review);
  expect(long).toBe(`${'x'.repeat(LONGEST.review)}\n[the rest, 7 characters, is left out]`);
});

test.each([
  ...['architect', 'senior-developer', 'qa-specialist', 'cross-critique'].map((role) => [role, LONGEST.proposal] as const),
  ...['combined-advisor', 'code-quality-advisor', 'test-stability-advisor'].map((role) => [role, LONGEST.review] as const),
])('%s knows how long its text may be, in words and in the figure that cuts it off', (role, most) => {
  expect(toldTo(role)).toContain(figure(most));
  expect(toldTo(role)).toMatch(/at most [\d,]+ words/i);
});

describe.each(['planner-single', 'synthesis-standard', 'synthesis'])('%s', (role) => {
  test('knows that a changed old test, a new dependency and settings of tools stop for a person', () => {
    expect(toldTo(role)).toMatch(/A change to one is judged against the old version and stops for a person\./);
    expect(toldTo(role)).toMatch(/So does a new dependency, and a change to the settings of a tool/);
    expect(toldTo(role)).toContain('`- May change: path/to/the.test (why)`');
  });

  test('keeps acceptance criteria of a spec that was handed over', () =>
    expect(toldTo(role)).toMatch(/Acceptance criteria.*word for word/));
});

test.each(['generator-single', 'implementation-standard', 'implementation'])('%s knows it as well', (role) => {
  expect(toldTo(role)).toMatch(/Changing one stops for a person, unless the spec that they approved names it/);
  expect(toldTo(role)).toMatch(/add no dependency that the spec does not name/);
});

test('the evaluator has examples on both sides of the border between the layers, and knows tasks without code', () => {
  const told = toldTo('evaluator');
  expect(told).toMatch(/- Layer 2: [^-]*;[^-]*;/);
  expect(told).toMatch(/- Layer 3: [^-]*;[^-]*;/);
  expect(told).toMatch(/- Both: .*`FAIL L2`/);
  expect(told).toMatch(/A task may need no code/);
});

test('the auto-fix proposer is told the scope and the number of files, and to check its patch', () => {
  const { prompt, system } = parseRole(SHIPPED_ROLES['workflow/auto-fix-proposer']!, 'proposer');
  expect(prompt).toContain('{{scope}}');
  expect(prompt).toContain('{{max_files}}');
  expect(system).toMatch(/`git apply --check` takes it/);
});
