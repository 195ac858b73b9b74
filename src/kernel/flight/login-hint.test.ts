import { expect, test } from 'vitest';
import { ConfigSchema } from '../../config/schema.ts';
import { loginHint } from './login-hint.ts';

const agent = (backend: string, env: string[] = []) =>
  ConfigSchema.parse({ project: { name: 'x' }, testing: { full: 'true' }, agent: { backend, env } }).agent;

test('a key that is set and not named is told, for the agent that would use it', () => {
  expect(loginHint(agent('claude-code'), { ANTHROPIC_API_KEY: 'key' })).toMatch(/^ANTHROPIC_API_KEY is set here.*agent\.env/);
  expect(loginHint(agent('codex'), { OPENAI_API_KEY: 'key', CODEX_API_KEY: 'key' })).toContain('CODEX_API_KEY, OPENAI_API_KEY');
});

test.each([
  ['it is named', agent('claude-code', ['ANTHROPIC_API_KEY']), { ANTHROPIC_API_KEY: 'key' }],
  ['it is not set', agent('claude-code'), { OPENAI_API_KEY: 'key' }],
  ['it is empty', agent('claude-code'), { ANTHROPIC_API_KEY: '' }],
  ['the backend takes it by itself', agent('anthropic'), { ANTHROPIC_API_KEY: 'key' }],
])('nothing is said where %s', (_, settings, environment) => {
  expect(loginHint(settings, environment)).toBeNull();
});
