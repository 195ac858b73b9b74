import { expect, test } from 'vitest';
import { DEEP_RUNNERS, RUNNER_NAMES, RUNNERS, REPORTS, usualCommand } from './registry.ts';

test('each runner stands under its own name', () => {
  for (const name of RUNNER_NAMES) expect(RUNNERS[name].name).toBe(name);
});

test('a setting can ask for every runner but the one that is always recognised', () => {
  expect(REPORTS).toEqual(['auto', ...RUNNER_NAMES.filter((name) => name !== 'node:test')]);
});

test('the command of a runner is recognised by that runner, and by no other', () => {
  for (const runner of DEEP_RUNNERS) {
    const words = runner.single.command.replace(/^npx /, '').split(' ');
    expect(DEEP_RUNNERS.filter((other) => other.detect(words, new Set()) !== null)).toEqual([runner]);
  }
});

test('an installed runner comes before what the language has without one', () => {
  expect(usualCommand('javascript', () => false)).toBe('node --test');
  expect(usualCommand('javascript', (name) => name === 'jest')).toBe('npx jest');
  expect(usualCommand('python', () => true)).toBe('pytest');
});
