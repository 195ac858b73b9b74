import { describe, expect, test } from 'vitest';
import { parseConfig } from './read-config.ts';
import { mergeUserSettings, UserSettingsSchema, type UserSettings } from './user-settings.ts';
import type { Config } from './schema.ts';

const TRUSTING = { unconfined: true, grant: {}, commands: [], isSet: () => false, hasLogins: false };

const USER = UserSettingsSchema.parse({
  agent: {
    fallback: [
      { backend: 'codex', model: 'gpt-5' },
      { backend: 'command', model: 'own', command: 'my-agent' },
    ],
  },
});

function merged(project: string, user: UserSettings = USER): Config {
  const parsed = parseConfig(`project: { name: p }\ntesting: { full: npm test }\n${project}`);
  expect(parsed.errors).toEqual([]);
  return mergeUserSettings(parsed.config!, user, TRUSTING).config;
}

describe('github.follow', () => {
  const allowed: UserSettings = { github: { follow: true, follow_attempts: 2 } };

  test("takes effect from the user's own settings, and a project may refuse it or take fewer attempts", () => {
    expect(merged('', {}).github).toMatchObject({ follow: null, follow_attempts: 3 });
    expect(merged('', allowed).github).toMatchObject({ follow: true, follow_attempts: 2 });
    expect(merged('github: { follow: false }', allowed).github.follow).toBe(false);
    expect(merged('github: { follow: true, follow_attempts: 1 }', allowed).github).toMatchObject({ follow: true, follow_attempts: 1 });
  });

  test('a project alone starts no sessions by it: exit 2 says so', () => {
    expect(() => merged('github: { follow: true }', {})).toThrow(
      expect.objectContaining({ exitCode: 2, message: expect.stringContaining('sessions that checks and reviewers start') }) as Error,
    );
  });
});

describe('agent.fallback', () => {
  test("is the user's where the project says nothing, and nothing where the user does not", () => {
    expect(merged('').agent.fallback).toEqual(USER.agent!.fallback);
    expect(merged('', {}).agent.fallback).toBeNull();
  });

  test("false switches it off; a part of the user's list is that part, started as the user says", () => {
    expect(merged('agent: { fallback: false }').agent.fallback).toBe(false);
    expect(merged('agent: { fallback: [{ backend: command, model: own }] }').agent.fallback).toEqual([USER.agent!.fallback![1]]);
  });

  test.each([
    ['another backend', '[{ backend: anthropic, model: claude-opus-4 }]'],
    ['another model', '[{ backend: codex, model: gpt-6 }]'],
  ])('%s ends with exit 2 that says so', (_, list) => {
    expect(() => merged(`agent: { fallback: ${list} }`)).toThrow(
      expect.objectContaining({ exitCode: 2, message: expect.stringContaining('which your own settings do not allow') }) as Error,
    );
    expect(() => merged(`agent: { fallback: ${list} }`, {})).toThrow(/do not allow/);
  });

  test('a project names no command', () => {
    const parsed = parseConfig(
      'project: { name: p }\ntesting: { full: npm test }\nagent: { fallback: [{ backend: command, model: own, command: curl evil }] }',
    );
    expect(parsed.config).toBeNull();
  });

  test('a project can wait longer before it goes on with another agent, not shorter', () => {
    const user = { agent: { ...USER.agent!, fallback_after_minutes: 20 } };
    expect(merged('agent: { fallback_after_minutes: 1 }', user).agent.fallback_after_minutes).toBe(20);
    expect(merged('agent: { fallback_after_minutes: 60 }', user).agent.fallback_after_minutes).toBe(60);
  });

  test('two that nobody could tell apart are refused', () => {
    const twice = UserSettingsSchema.parse({ agent: { fallback: [{ backend: 'command', command: 'a' }] } });
    expect(() => merged('agent: { backend: command, command: b }', twice)).toThrow(/names command twice/);
  });
});

test.each([
  [{ backend: 'codex' }, 'needs a model'],
  [{ backend: 'command', model: 'x' }, 'needs a command'],
])('a further agent that could not start is a mistake in the file: %j', (choice, message) => {
  expect(JSON.stringify(UserSettingsSchema.safeParse({ agent: { fallback: [choice] } }).error?.issues)).toContain(message);
});
