/**
 * Tools of MCP servers for the built-in loop.
 *
 * A server that cannot be started is left out and told; the others, and the session, go on without it. All end with the conversation.
 */
import type { Platform } from '../../../platform/platform.ts';
import type { AgentTask } from '../../contract.ts';
import type { McpClient, McpTool } from '../../mcp/client.ts';
import { clip } from './clip.ts';
import type { Tool } from './tool.ts';

export interface McpTools {
  tools: Tool[];
  warnings: string[];
  close(): Promise<void>;
}

export async function openMcpTools(platform: Platform, task: AgentTask): Promise<McpTools> {
  const servers = Object.entries(task.mcpServers ?? {});
  if (servers.length === 0) return { tools: [], warnings: [], close: async () => {} };
  const { openMcpClient } = await import('../../mcp/client.ts');
  const opened = await Promise.all(
    servers.map(async ([name, server]) => {
      try {
        return { name, client: await openMcpClient(platform, task, server) };
      } catch (error) {
        return { name, why: error instanceof Error ? error.message : String(error) };
      }
    }),
  );
  const clients = opened.filter((one): one is { name: string; client: McpClient } => 'client' in one);
  return {
    tools: clients.flatMap(({ name, client }) => client.tools.map((tool) => toolOf(name, client, tool))),
    warnings: opened.flatMap((one) => ('why' in one ? [`the MCP server ${one.name} is left out: ${one.why}`] : [])),
    close: async () => void (await Promise.all(clients.map(({ client }) => client.close()))),
  };
}

/** Longer names are refused by the provider. */
const LONGEST_NAME = 128;

function toolOf(server: string, client: McpClient, { name, description, inputSchema }: McpTool): Tool {
  return {
    definition: {
      name: `mcp__${server}__${name}`.replaceAll(/[^\w-]/g, '_').slice(0, LONGEST_NAME),
      description: clip(description, 4_000),
      input_schema: { ...inputSchema, type: 'object' },
    },
    run: async ({ task, signal }, input) => {
      const { ok, text, pictures } = await client.call(name, input, task.tools.shell.timeout_seconds * 1_000, signal);
      return { ok, output: clip(text), pictures };
    },
  };
}
