import { expect, test } from 'vitest';
import type { Feature } from '../../../domain/feature.ts';
import { checkWords, visualWords } from './orient.ts';

const FEATURE: Feature = { id: 1, description: 'A guest is greeted', test_file: 'test/greet.test.js', passes: false };
const STEPS = ['Click "Greet"', 'Expect "Hello"'];

test('an agent is asked for the steps and their pictures, and told that the harness looks for itself', () => {
  const visual_verification = { enabled: true, url: 'http://127.0.0.1:3000/', startup: 'npm start', steps: STEPS };
  const told = visualWords({ ...FEATURE, visual_verification }).join('\n');
  for (const words of [...STEPS, '[VISUAL:SCREENSHOT] path', '[VISUAL:VERIFY] what', 'url: http://127.0.0.1:3000/', 'startup: npm start'])
    expect(told).toContain(words);
  expect(told).toContain('does not take your word for it');
});

test('without an address only the agent looks, and switched off nobody does', () => {
  const told = visualWords({ ...FEATURE, visual_verification: { enabled: true, steps: STEPS } }).join('\n');
  expect(told).toContain('Expect "Hello"');
  expect(told).not.toContain('where the harness looks');
  expect(visualWords({ ...FEATURE, visual_verification: { enabled: false, steps: STEPS } })).toEqual([]);
  expect(visualWords(FEATURE)).toEqual([]);
});

test('automated checks are asked for by name', () => {
  const told = checkWords({ ...FEATURE, automated_checks: ['No console errors', { name: 'Links', command: 'sh links.sh' }] }).join('\n');
  expect(told).toContain('No console errors\nLinks: sh links.sh');
  expect(checkWords(FEATURE)).toEqual([]);
});
