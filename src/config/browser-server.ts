/** Playwright's MCP server with this machine's own browser, written into the settings; everything else of the file stays as it is. Pure. */
import { parseDocument } from 'yaml';

export const BROWSER_SERVER = 'playwright';

/** Null: the settings cannot be read, or the server is there already as it would be written. */
export function withBrowserServer(text: string, browser: string): string | null {
  const document = parseDocument(text);
  if (document.errors.length > 0) return null;
  const path = ['tools', 'mcp_servers', BROWSER_SERVER];
  const server = serverFor(browser);
  const there: unknown = (document.toJS() as { tools?: { mcp_servers?: Record<string, unknown> } | null } | null)?.tools?.mcp_servers?.[
    BROWSER_SERVER
  ];
  if (JSON.stringify(there) === JSON.stringify(server)) return null;
  if (document.getIn(['tools']) === null) document.setIn(['tools'], document.createNode({}));
  if (document.getIn(['tools', 'mcp_servers']) === null) document.setIn(['tools', 'mcp_servers'], document.createNode({}));
  document.setIn(path, document.createNode(server));
  return document.toString({ lineWidth: 0 });
}

/** Where server and browser may write: the agent's sandbox has a `/tmp` of its own, and the user's home cannot be written there. */
const PLACES = { tmpdir: '/tmp', xdg_cache_home: '/tmp/.cache', xdg_config_home: '/tmp/.config' };

/**
 * The browser's own sandbox cannot be made inside the agent's, which is the stricter one. Pictures lie where git does not look. The browser binds a
 * socket among its temporary files, whose path has to be short: an agent's own directory for them is not.
 */
function serverFor(browser: string): { enabled: true; command: string; args: string[]; config: Record<string, string> } {
  const options = ['--headless', '--isolated', '--no-sandbox', '--executable-path', browser, '--output-dir', '.harness/screenshots'];
  return { enabled: true, command: 'npx', args: ['-y', '@playwright/mcp@latest', ...options], config: PLACES };
}
