/**
 * MCP servers as they are started.
 *
 * 1. `${NAME}` in arguments and in `config` stands for a variable of the user's environment; nothing else is looked at. One that is not
 *    set is an error that names it.
 * 2. A server gets its `config` in its environment: each key as a variable in capitals (`read_only` → `READ_ONLY`), and all of it as JSON
 *    in `MCP_SERVER_CONFIG`.
 */
import { usageError } from '../domain/errors.ts';
import { VARIABLE } from './project-consent.ts';
import type { Config } from './schema.ts';

type Servers = Config['tools']['mcp_servers'];

export interface ResolvedServer {
  command: string;
  args: string[];
  env: Record<string, string>;
}

export function resolveMcpServers(servers: Servers, env: Readonly<Record<string, string | undefined>>): Record<string, ResolvedServer> {
  const enabled = Object.entries(servers).filter(([, server]) => server.enabled);
  return Object.fromEntries(
    enabled.map(([name, server]) => {
      const field = `tools.mcp_servers.${name}`;
      const config = expand(server.config, env, `${field}.config`) as Record<string, unknown>;
      return [name, { command: server.command, args: expand(server.args, env, `${field}.args`) as string[], env: asVariables(config) }];
    }),
  );
}

function expand(value: unknown, env: Readonly<Record<string, string | undefined>>, field: string): unknown {
  if (typeof value === 'string') {
    return value.replace(VARIABLE, (_, name: string) => {
      const found = env[name];
      if (found === undefined)
        throw usageError(
          `.harness.yaml: ${field} asks for the environment variable ${name}, which is not set.`,
          `fix: export ${name}=…, or switch the server off with enabled: false`,
        );
      return found;
    });
  }
  if (Array.isArray(value)) return value.map((entry, index) => expand(entry, env, `${field}.${index}`));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, expand(entry, env, `${field}.${key}`)]));
}

function asVariables(config: Readonly<Record<string, unknown>>): Record<string, string> {
  const entries = Object.entries(config);
  if (entries.length === 0) return {};
  const own = entries.map(([key, value]) => [
    key.replace(/\W/g, '_').toUpperCase(),
    typeof value === 'string' ? value : JSON.stringify(value),
  ]);
  return { ...Object.fromEntries(own), MCP_SERVER_CONFIG: JSON.stringify(config) };
}
