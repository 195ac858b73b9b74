/**
 * The tool servers of `tools.mcp_servers` as an agent gets them.
 *
 * 1. A server's `config` reaches it as environment variables: `connection_string` as CONNECTION_STRING, what is no text as JSON.
 * 2. `${NAME}` stands for a variable of the user's environment, in arguments and settings; one that is not set is a mistake to be told.
 */
import type { McpServer } from '../../agents/contract.ts';
import { usageError } from '../../domain/errors.ts';

interface Configured {
  enabled: boolean;
  command: string;
  args: readonly string[];
  config: Readonly<Record<string, unknown>>;
}

export function mcpServers(configured: Readonly<Record<string, Configured>>, env: Readonly<Record<string, string | undefined>>): Record<string, McpServer> {
  const servers: Record<string, McpServer> = {};
  for (const [name, server] of Object.entries(configured)) {
    if (!server.enabled) continue;
    const expand = (text: string): string => expandVariables(text, env, `tools.mcp_servers.${name}`);
    servers[name] = {
      command: expand(server.command),
      args: server.args.map(expand),
      env: Object.fromEntries(Object.entries(server.config).map(([key, value]) => [variableName(key), expand(typeof value === 'string' ? value : JSON.stringify(value))])),
    };
  }
  return servers;
}

function variableName(key: string): string {
  return key.replace(/([a-z0-9])([A-Z])/g, '$1_$2').replace(/\W/g, '_').toUpperCase();
}

function expandVariables(text: string, env: Readonly<Record<string, string | undefined>>, field: string): string {
  return text.replace(/\$\{(\w+)\}/g, (_, name: string) => {
    const value = env[name];
    if (value === undefined) throw usageError(`${field} uses \${${name}}, and there is no such variable in the environment.`, 'file: .harness.yaml', `field: ${field}`, `fix: set ${name}, or set enabled: false`);
    return value;
  });
}
