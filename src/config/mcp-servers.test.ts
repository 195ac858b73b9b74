import { expect, test } from 'vitest';
import { resolveMcpServers } from './mcp-servers.ts';
import { variablesOf } from './project-consent.ts';

const server = (config: Record<string, unknown>, args: string[] = [], enabled = true) => ({ enabled, command: 'npx', args, config });

test('variables of the user stand in for their names, in arguments and at any depth of the config', () => {
  const servers = { db: server({ connection_string: '${URL}/x', pool: { user: '${WHO}', size: 3 } }, ['--as', '${WHO}']) };
  expect(resolveMcpServers(servers, { URL: 'postgres://h', WHO: 'ada' })).toEqual({
    db: {
      command: 'npx',
      args: ['--as', 'ada'],
      env: {
        CONNECTION_STRING: 'postgres://h/x',
        POOL: '{"user":"ada","size":3}',
        MCP_SERVER_CONFIG: '{"connection_string":"postgres://h/x","pool":{"user":"ada","size":3}}',
      },
    },
  });
});

test('what a variable holds is not expanded again', () => {
  expect(resolveMcpServers({ a: server({}, ['${ONE}']) }, { ONE: '${TWO}', TWO: 'secret' })['a']?.args).toEqual(['${TWO}']);
});

test('a variable that is not set is an error that names field and variable', () => {
  expect(() => resolveMcpServers({ db: server({ url: '${NOT_THERE}' }) }, {})).toThrow(/tools\.mcp_servers\.db\.config\.url .* NOT_THERE/);
});

test('a server that is switched off asks for nothing', () => {
  expect(resolveMcpServers({ db: server({ url: '${NOT_THERE}' }, [], false) }, {})).toEqual({});
});

test('the variables that a server would see are known before it gets them', () => {
  expect(variablesOf(server({ a: '${X} and ${Y}', b: ['${X}'] }, ['$Z', '${W}']))).toEqual(['W', 'X', 'Y']);
});
