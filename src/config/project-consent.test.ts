import { describe, expect, test } from 'vitest';
import { ConfigSchema, type Config } from './schema.ts';
import { underConsent, wishesOf, type Consent } from './project-consent.ts';

const SERVER = { command: 'db-server', args: ['--url', '${DATABASE_URL}'] };
const config: Config = ConfigSchema.parse({
  project: { name: 'shop' },
  testing: { full: 'npm test' },
  agent: { backend: 'command', command: 'sh agent.sh', env: ['TOKEN', 'TERM', 'UNSET'] },
  tools: { mcp_servers: { db: SERVER, off: { ...SERVER, enabled: false } } },
});
const stranger: Consent = { unconfined: false, grant: {}, commands: [], isSet: (name) => name !== 'UNSET', hasLogins: true };

describe("what a project's settings ask for", () => {
  test('is withheld until the user allows it, and each part is reported', () => {
    const { config: held, notes } = underConsent(config, stranger, {});
    expect(held.agent).toMatchObject({ env: ['TERM', 'UNSET'], logins: false, command: 'sh agent.sh' });
    expect(held.tools.mcp_servers['db']!.enabled).toBe(false);
    expect(notes).toEqual([
      expect.stringContaining('Agents do not get TOKEN, which agent.env'),
      expect.stringContaining('MCP server db of this project (tools.mcp_servers) is switched off'),
      expect.stringContaining('cannot read the logins'),
    ]);
    expect(underConsent(held, stranger, {}).config).toEqual(held);
  });

  test('is all there once it is allowed, and whatever changes has to be allowed once more', () => {
    const wishes = wishesOf(config, stranger, {});
    expect(wishes).toEqual({
      env: ['TOKEN', 'DATABASE_URL'],
      command: 'sh agent.sh',
      mcp_servers: ['db: db-server --url ${DATABASE_URL}'],
      network: false,
    });
    const grant = { env: wishes.env, command: wishes.command!, mcp_servers: wishes.mcp_servers };
    const friend = { ...stranger, grant };
    expect(underConsent(config, friend, {})).toEqual({ config, notes: [] });
    const other = ConfigSchema.parse({
      ...config,
      agent: { ...config.agent, command: 'sh other.sh' },
      tools: { mcp_servers: { db: { ...SERVER, args: ['--url', '${OTHER}'] } } },
    });
    expect(wishesOf(other, friend, {})).toEqual({
      env: ['OTHER'],
      command: 'sh other.sh',
      mcp_servers: ['db: db-server --url ${OTHER}'],
      network: false,
    });
  });

  test('the names that the user lists for every project need no consent, and neither does a command that the user named', () => {
    const named = { ...stranger, commands: ['sh agent.sh'] };
    expect(wishesOf(config, named, { env: ['TOKEN', 'DATABASE_URL'] })).toMatchObject({ env: [], command: null });
    const known = ConfigSchema.parse({ ...config, agent: { backend: 'claude-code', env: ['ANTHROPIC_API_KEY'] }, tools: {} });
    expect(underConsent(known, stranger, {})).toEqual({ config: known, notes: [] });
  });

  test('tests reach the network once the user has allowed it, to this project or to all', () => {
    const open: Config = { ...config, verification: { ...config.verification, network: 'host' } };
    expect(underConsent(open, stranger, {})).toMatchObject({
      config: { verification: { network: 'loopback' } },
      notes: expect.arrayContaining([expect.stringContaining('Tests do not reach the network')]),
    });
    const granted = { ...stranger, grant: { network: true } };
    for (const { config: held } of [underConsent(open, granted, {}), underConsent(open, stranger, { network: 'host' })])
      expect(held.verification.network).toBe('host');
  });

  test('what could not be handed over anyway is not reported', () => {
    const { notes } = underConsent(
      { ...config, tools: { ...config.tools, mcp_servers: {} } },
      { ...stranger, isSet: () => false, hasLogins: false },
      {},
    );
    expect(notes).toEqual([]);
  });
});
