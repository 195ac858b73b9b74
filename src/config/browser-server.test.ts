import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { BROWSER_SERVER, withBrowserServer } from './browser-server.ts';
import { resolveMcpServers } from './mcp-servers.ts';
import { ConfigSchema } from './schema.ts';

const SETTINGS = `# mine
project:
  name: shop # a shop
testing:
  full: npm test
`;

test.each([
  ['without tools', SETTINGS],
  ['with an empty section', `${SETTINGS}tools:\n`],
  [
    'with other servers',
    `${SETTINGS}tools:\n  shell:\n    timeout_seconds: 5\n  mcp_servers:\n    # data\n    db: { command: db-server }\n`,
  ],
])('the server is added to settings %s, and nothing else changes', (_what, text) => {
  const written = withBrowserServer(text, '/usr/bin/chromium')!;
  const { tools } = ConfigSchema.parse(parse(written));
  expect(tools.mcp_servers[BROWSER_SERVER]).toMatchObject({ enabled: true, command: 'npx' });
  expect(tools.mcp_servers[BROWSER_SERVER]!.args).toContain('/usr/bin/chromium');
  expect(resolveMcpServers(tools.mcp_servers, {})[BROWSER_SERVER]!.env).toMatchObject({ TMPDIR: '/tmp', XDG_CACHE_HOME: '/tmp/.cache' });
  for (const line of text.split('\n').filter((one) => !one.startsWith('tools') && one.trim() !== '')) expect(written).toContain(line);
  expect(withBrowserServer(written, '/usr/bin/chromium')).toBeNull();
});

test('settings that cannot be read are left alone', () => {
  expect(withBrowserServer('a: [', '/usr/bin/chromium')).toBeNull();
});
