/** What a tool of the built-in loop is: a definition for the model and a function that carries it out. */
import type { Platform } from '../../../platform/platform.ts';
import type { AgentTask } from '../../contract.ts';
import type { McpPicture } from '../../mcp/client.ts';
import type { ToolDefinition } from '../wire.ts';

export interface ToolContext {
  platform: Platform;
  task: AgentTask;
  signal: AbortSignal;
}

export interface ToolOutcome {
  ok: boolean;
  output: string;
  /** For the model to look at. */
  pictures?: readonly McpPicture[];
}

export interface Tool {
  definition: ToolDefinition;
  run(context: ToolContext, input: Record<string, unknown>): Promise<ToolOutcome>;
}

export const done = (output: string): ToolOutcome => ({ ok: true, output });
export const refused = (output: string): ToolOutcome => ({ ok: false, output });
