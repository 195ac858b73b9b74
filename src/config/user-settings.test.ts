import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { nodePlatform } from '../platform/node-platform.ts';
import type { Consent } from './project-consent.ts';
import { ConfigSchema, type Config } from './schema.ts';
import { harnessHome, loadSettings, loadUserSettings, mergeUserSettings, type UserSettings } from './user-settings.ts';

const base = ConfigSchema.parse({ project: { name: 'shop' }, testing: { full: 'npm test' } });
/** Nothing of the user's is there to hand over. */
const TRUSTING: Consent = { unconfined: true, grant: {}, commands: [], isSet: () => false, hasLogins: false };
const MODES = ['off', 'auto', 'on'] as const;

test('a project cannot turn off what the user turned on', () => {
  const project: Config = { ...base, sandbox: { mode: 'off', network: true, allow: [] }, agent: { ...base.agent, env: ['A', 'SECRET'] } };
  const { config, notes } = mergeUserSettings(
    project,
    {
      sandbox: { mode: 'on', network: false },
      agent: { env: ['A'] },
      costs: { per_session_usd: 1 },
    },
    TRUSTING,
  );
  expect(config.sandbox).toEqual({ mode: 'on', network: false, allow: [] });
  expect(config.agent.env).toEqual(['A']);
  expect(config.costs).toEqual({ per_session_usd: 1, per_feature_usd: 25, total_project_usd: 200 });
  expect(notes).toHaveLength(4);
  expect(notes[0]).toContain('sandbox.mode');
});

test('a project switches the sandbox off only where the user has allowed that', () => {
  const project: Config = { ...base, sandbox: { ...base.sandbox, mode: 'off' } };
  const refused = mergeUserSettings(project, {}, { ...TRUSTING, unconfined: false });
  expect(refused.config.sandbox.mode).toBe('auto');
  expect(refused.notes).toEqual([expect.stringContaining('which you have not allowed')]);
  expect(mergeUserSettings(project, {}, TRUSTING)).toEqual({ config: project, notes: [] });
  expect(mergeUserSettings(project, { sandbox: { mode: 'off' } }, { ...TRUSTING, unconfined: false })).toEqual({
    config: project,
    notes: [],
  });
});

test('what the sandbox lets through is for the user to say, never for a project', () => {
  const project: Config = { ...base, sandbox: { ...base.sandbox, allow: ['/run/docker.sock', '~/.ssh'] } };
  const { config, notes } = mergeUserSettings(project, { sandbox: { allow: ['~/.npmrc'] } }, TRUSTING);
  expect(config.sandbox.allow).toEqual(['~/.npmrc']);
  expect(notes).toEqual([expect.stringContaining('sandbox.allow only takes effect in your own settings')]);
  expect(mergeUserSettings(project, {}, TRUSTING).config.sandbox.allow).toEqual([]);
  expect(mergeUserSettings(base, { sandbox: { allow: ['/run/postgresql'] } }, TRUSTING)).toMatchObject({ notes: [] });
});

test('which new dependencies need no person is for the user to say; a project that says something can only be stricter', () => {
  const effective = (project: 'ask' | 'listed' | 'allow' | null, own?: 'ask' | 'listed' | 'allow'): unknown => {
    const config: Config = { ...base, verification: { ...base.verification, new_dependencies: project, listed_dependencies: ['evil'] } };
    const user = own === undefined ? {} : { verification: { new_dependencies: own, listed_dependencies: ['zod'] } };
    const { verification } = mergeUserSettings(config, user, TRUSTING).config;
    expect(verification.listed_dependencies).toEqual(own === undefined ? [] : ['zod']);
    return verification.new_dependencies;
  };
  expect([effective(null), effective('listed'), effective(null, 'listed'), effective('ask', 'allow')]).toEqual([
    null,
    'listed',
    'listed',
    'ask',
  ]);
  expect([effective('allow', 'listed'), effective('allow', 'ask'), effective('listed', 'allow')]).toEqual(['listed', 'ask', 'listed']);
});

test('without settings of the user the project stands as it is', () => {
  expect(mergeUserSettings(base, {}, TRUSTING)).toEqual({ config: base, notes: [] });
});

test('the result is never looser than the project or the user, and touches nothing else', () => {
  fc.assert(
    fc.property(project(), user(), (config, settings) => {
      const { config: merged, notes } = mergeUserSettings(config, settings, TRUSTING);
      for (const bound of [config, settings] as UserSettings[]) {
        expect(MODES.indexOf(merged.sandbox.mode)).toBeGreaterThanOrEqual(MODES.indexOf(bound.sandbox?.mode ?? 'off'));
        expect(merged.sandbox.network && bound.sandbox?.network === false).toBe(false);
        expect(merged.verification.network === 'host' && bound.verification?.network === 'loopback').toBe(false);
        expect(merged.agent.env.filter((name) => !(bound.agent?.env ?? [name]).includes(name))).toEqual([]);
        for (const key of ['per_session_usd', 'per_feature_usd', 'total_project_usd'] as const)
          expect(merged.costs[key]).toBeLessThanOrEqual(bound.costs?.[key] ?? Infinity);
      }
      const { sandbox, verification, agent, costs, ...rest } = merged;
      expect({ ...rest, sandbox: config.sandbox, verification: config.verification, agent: config.agent, costs: config.costs }).toEqual(
        config,
      );
      expect({ ...verification, network: 0 }).toEqual({ ...config.verification, network: 0 });
      expect({ ...agent, env: 0 }).toEqual({ ...config.agent, env: 0 });
      const changed =
        JSON.stringify([sandbox, verification, agent, costs]) !==
        JSON.stringify([config.sandbox, config.verification, config.agent, config.costs]);
      expect(notes.length > 0).toBe(changed);
      expect(mergeUserSettings(merged, settings, TRUSTING)).toEqual({ config: merged, notes: [] });
    }),
  );
});

test('the home of the harness is HARNESS_HOME, else below HOME', () => {
  expect(harnessHome(nodePlatform({ HARNESS_HOME: '/data/h', HOME: '/home/u' }))).toBe('/data/h');
  expect(harnessHome(nodePlatform({ HOME: '/home/u' }))).toBe('/home/u/.harness');
  expect(() => harnessHome(nodePlatform({ HARNESS_HOME: 'relative' }))).toThrow('absolute');
  expect(() => harnessHome(nodePlatform({}))).toThrow('HARNESS_HOME');
});

test('the user settings are read from the home, and mistakes in them name the file', async () => {
  const home = await mkdtemp(join(tmpdir(), 'harness-user-'));
  const platform = nodePlatform({ HARNESS_HOME: home });
  expect(await loadUserSettings(platform)).toEqual({});
  await writeFile(join(home, 'config.yaml'), 'sandbox:\n  mode: on\n');
  await writeFile(join(home, '.harness.yaml'), 'project:\n  name: x\ntesting:\n  full: make test\nsandbox:\n  mode: off\n');
  const settings = await loadSettings(platform, home);
  expect(settings.config.sandbox.mode).toBe('on');
  expect(settings.notes).toHaveLength(1);
  await writeFile(join(home, 'config.yaml'), 'sandbox:\n  mdoe: on\n');
  await expect(loadUserSettings(platform)).rejects.toMatchObject({
    exitCode: 2,
    details: [`${join(home, 'config.yaml')}:2: sandbox.mdoe: there is no key "mdoe" in "sandbox"; did you mean "mode"?`],
  });
  await rm(home, { recursive: true });
});

function project(): fc.Arbitrary<Config> {
  return fc
    .record({
      mode: fc.constantFrom(...MODES),
      network: fc.boolean(),
      tests: fc.constantFrom('loopback' as const, 'host' as const),
      env: names(),
      costs: fc.tuple(fc.nat(50), fc.nat(50), fc.nat(50)),
    })
    .map(({ mode, network, tests, env, costs: [per_session_usd, per_feature_usd, total_project_usd] }) => ({
      ...base,
      sandbox: { mode, network, allow: [] },
      verification: { ...base.verification, network: tests },
      agent: { ...base.agent, env },
      costs: { per_session_usd, per_feature_usd, total_project_usd },
    }));
}

function user(): fc.Arbitrary<UserSettings> {
  const none = { requiredKeys: [] };
  return fc.record(
    {
      sandbox: fc.record({ mode: fc.constantFrom(...MODES), network: fc.boolean() }, none),
      verification: fc.record({ network: fc.constantFrom('loopback' as const, 'host' as const) }, none),
      agent: fc.record({ env: names() }, none),
      costs: fc.record({ per_session_usd: fc.nat(50), per_feature_usd: fc.nat(50), total_project_usd: fc.nat(50) }, none),
    },
    none,
  );
}

function names(): fc.Arbitrary<string[]> {
  return fc.uniqueArray(fc.constantFrom('A', 'B', 'C', 'D'));
}

describe('prices', () => {
  const free = { input: 0, output: 0, cache_read: 0, cache_write: 0 };
  const asked: Config = { ...base, prices: { 'claude-sonnet-4': free, mine: free, 'claude-haiku-4-5': { input: 7, output: 9 } } };

  test('of a project stand where the user has no budget', () => {
    expect(mergeUserSettings(asked, {}, TRUSTING).config.prices).toEqual(asked.prices);
  });

  test('count as the built-in ones at least under a budget of the user, in every component', () => {
    const { config: merged, notes } = mergeUserSettings(asked, { costs: { per_session_usd: 1 } }, TRUSTING);
    expect(merged.prices).toEqual({
      'claude-sonnet-4': { input: 3, output: 15, cache_read: 0.3, cache_write: 3.75 },
      mine: { input: 15, output: 75, cache_read: 1.5, cache_write: 18.75 },
      'claude-haiku-4-5': { input: 7, output: 9, cache_read: 0.7000000000000001, cache_write: 8.75 },
    });
    expect(notes.filter((note) => note.startsWith('prices.'))).toHaveLength(2);
  });

  test('of the user are taken as they are', () => {
    const user = { costs: { total_project_usd: 1 }, prices: { mine: { input: 0, output: 0 } } };
    expect(mergeUserSettings(asked, user, TRUSTING).config.prices['mine']).toEqual({ input: 0, output: 0 });
  });
});
