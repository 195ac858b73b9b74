import { expect, test } from 'vitest';
import { mcpServers } from './mcp-servers.ts';

const server = { enabled: true, command: 'npx', args: ['-y', 'postgres-mcp', '--url=${DATABASE_URL}'], config: { connection_string: '${DATABASE_URL}', readOnly: true, viewport: { width: 10 } } };

test('settings of a tool server become environment variables, with the variables of the user in place', () => {
  expect(mcpServers({ postgres: server }, { DATABASE_URL: 'pg://local' })).toEqual({
    postgres: { command: 'npx', args: ['-y', 'postgres-mcp', '--url=pg://local'], env: { CONNECTION_STRING: 'pg://local', READ_ONLY: 'true', VIEWPORT: '{"width":10}' } },
  });
});

test('a server that is switched off is left out, whatever it names', () => {
  expect(mcpServers({ postgres: { ...server, enabled: false } }, {})).toEqual({});
});

test('a variable that is not set is named with the field that uses it', () => {
  expect(() => mcpServers({ postgres: server }, {})).toThrow(expect.objectContaining({ exitCode: 2, message: expect.stringContaining('DATABASE_URL') }));
});
