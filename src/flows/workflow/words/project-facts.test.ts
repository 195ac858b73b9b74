import { expect, test } from 'vitest';
import { commandsText, conventionsText } from './project-facts.ts';

test('each check is named with its command, or said not to be there', () => {
  expect(commandsText({ build_cmd: null, test_cmd: 'npm test', lint_cmd: 'npm run lint', type_check_cmd: null })).toBe(
    '- build: none is known; the harness runs none\n- tests: `npm test`\n- lint: `npm run lint`\n- type check: none is known; the harness runs none',
  );
});

test('a scan that a person skipped is said to be skipped, not to have found nothing', async () => {
  const place = {} as Parameters<typeof conventionsText>[0];
  expect(await conventionsText(place, { conventions: 'skipped' })).toContain('A person chose to skip the scan');
  expect(await conventionsText(place, { conventions: null })).toContain('No conventions were written down');
});
