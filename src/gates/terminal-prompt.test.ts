import { expect, test } from 'vitest';
import { projectGate } from './project-gates.ts';
import { startingOption } from './terminal-prompt.ts';

test('a prompt starts at the recommended option', () => {
  expect(startingOption(projectGate('project.budget', { scope: 'project', spent: 2, budget: 1 }))).toBe(1);
});

test('where only a person may decide it starts at the option that changes nothing, so that Enter alone is never a yes', () => {
  for (const question of [projectGate('project.override', { feature: 1, passes: true }), projectGate('project.abort', { project: 'p' })]) {
    expect(question.options[startingOption(question)]!.label).toBe('No');
  }
});

test('else it starts at the first', () => {
  expect(startingOption(projectGate('project.stuck', { feature: 1, sessions: 3 }))).toBe(0);
});
