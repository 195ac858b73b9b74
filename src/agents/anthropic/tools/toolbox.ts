/** The tools of a task, in an order that never changes, so that the cached prefix holds across sessions. */
import type { ToolPolicy } from '../../contract.ts';
import type { ToolDefinition, ToolUse } from '../wire.ts';
import { wellFormed } from './clip.ts';
import { editFileTool, readFileTool, writeFileTool } from './files.ts';
import { listFilesTool, searchTool } from './look.ts';
import { shellTool } from './shell.ts';
import { refused, type Tool, type ToolContext, type ToolOutcome } from './tool.ts';

export interface Toolbox {
  definitions: ToolDefinition[];
  run(context: ToolContext, use: ToolUse): Promise<ToolOutcome>;
}

/** `further`: beside the built-in ones. */
export function toolbox(policy: ToolPolicy, further: readonly Tool[] = []): Toolbox {
  const tools: Tool[] = [
    ...(policy.shell.enabled ? [shellTool] : []),
    ...(policy.filesystem.enabled ? [readFileTool, writeFileTool, editFileTool, searchTool, listFilesTool] : []),
    ...further,
  ];
  return {
    definitions: tools.map((tool) => tool.definition),
    run: async (context, use) => {
      const tool = tools.find((candidate) => candidate.definition.name === use.name);
      if (tool === undefined) return refused(`there is no tool named ${use.name}`);
      try {
        const outcome = await tool.run(context, use.input as Record<string, unknown>);
        return { ...outcome, output: wellFormed(outcome.output) };
      } catch (error) {
        return refused(`${use.name} failed: ${error instanceof Error ? error.message : String(error)}`);
      }
    },
  };
}
