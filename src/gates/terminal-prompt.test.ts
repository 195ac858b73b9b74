import { expect, test } from 'vitest';
import { projectGate } from './project-gates.ts';
import { wordsIn } from '../domain/words.ts';
import { joinAnswers, shownLabel, startingOption } from './terminal-prompt.ts';

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

test('a person reads the label in their own language, and which one is recommended', () => {
  const option = { label: 'Scan', shown: '조사', description: '', recommended: true };
  expect(shownLabel(option, wordsIn('ko').prompt.recommended)).toBe('조사 (추천)');
  expect(shownLabel({ ...option, shown: undefined, recommended: false }, wordsIn('en').prompt.recommended)).toBe('Scan');
  expect(shownLabel({ ...option, shown: '\u001b[31mx', recommended: false }, '')).toBe('x');
});

test('the words of the prompt are there in six languages, and English elsewhere', () => {
  const languages = ['en', 'ko', 'ja', 'zh', 'es', 'de'];
  expect(new Set(languages.map((language) => wordsIn(language).prompt.other)).size).toBe(6);
  expect(wordsIn('fr').prompt).toBe(wordsIn('en').prompt);
  expect(wordsIn('zh-TW').prompt).toBe(wordsIn('zh').prompt);
});

test('answers to several questions are told apart by their numbers', () => {
  expect(joinAnswers([])).toBeNull();
  expect(joinAnswers([' as typed '])).toBe(' as typed ');
  expect(joinAnswers(['staff ', '', 'CSV'])).toBe('1. staff\n2. \n3. CSV');
});
