import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseConfig } from './read-config.ts';
import { renderConfig } from './render-config.ts';

test('a fresh file names its schema and holds what matters', () => {
  const text = renderConfig({
    name: 'shop',
    testing: 'npm test',
    detected: { lint: 'pylint {scope}', type_check: null },
    agent: { backend: 'command', command: './agent.sh' },
  });
  expect(text.split('\n')[0]).toBe('# yaml-language-server: $schema=./node_modules/universal-agent-harness/schemas/harness.schema.json');
  expect(parseConfig(text).config).toMatchObject({
    project: { name: 'shop' },
    testing: { full: 'npm test', sanity: { lint: 'pylint .', type_check: null } },
    agent: { backend: 'command', command: './agent.sh' },
  });
});

test('whatever the names and commands are, the file reads back as they were', () => {
  const word = fc
    .oneof(
      fc.string({ minLength: 1 }),
      fc.string({ unit: 'grapheme', minLength: 1 }),
      fc.constantFrom('yes', 'null', '# x', 'a: b', '- x', '"', "'", '12', '{x}', '*a', ' a ', 'a\nb', '~', '\t'),
    )
    .filter((text) => !text.includes('\0'));
  fc.assert(
    fc.property(word, word, fc.option(word), (name, testing, command) => {
      const text = renderConfig({
        name,
        testing,
        detected: { lint: null, type_check: testing },
        agent: { backend: 'claude-code', command },
      });
      expect(parseConfig(text)).toMatchObject({
        errors: [],
        config: { project: { name }, testing: { full: testing, sanity: { type_check: testing } }, agent: { command } },
      });
    }),
    { numRuns: 500 },
  );
});
