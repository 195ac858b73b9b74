import { expect, test } from 'vitest';
import { ConfigSchema } from './schema.ts';

test('only the name of the project and the test command are required', () => {
  const config = ConfigSchema.parse({ project: { name: 'shop' }, testing: { full: 'npm test' } });
  expect(config.context.on_limit.commit_message_prefix).toBe('WIP: Context limit - ');
  expect(config.preflight.on_failure.max_reset_attempts).toBe(2);
  expect(config.testing.sanity.lint).toBeNull();
  expect(config.tools.filesystem.denied_paths).toEqual(['.harness/', '.git/', '../']);
});

test('a missing project name is refused', () => {
  expect(ConfigSchema.safeParse({ testing: { full: 'npm test' } }).success).toBe(false);
  expect(ConfigSchema.safeParse({ project: { name: 'shop' } }).success).toBe(false);
});
