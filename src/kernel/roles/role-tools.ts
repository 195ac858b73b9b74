/**
 * The tools of a role. Pure.
 *
 * 1. A role can ask for fewer tools than the settings give, never for more.
 * 2. Its own file is open to it: rules that would close the folder of outputs do not count. In a role's copy nothing else lies there.
 */
import type { ToolPolicy } from '../../agents/contract.ts';
import type { Config } from '../../config/schema.ts';
import type { RoleTool } from '../../prompts/role.ts';
import { OUTPUT_FOLDER } from './take-output.ts';

export function roleTools(
  { filesystem, shell }: Pick<Config['tools'], 'filesystem' | 'shell'>,
  wanted: readonly RoleTool[] | null,
): ToolPolicy & { mcp: boolean } {
  const allows = (tool: RoleTool): boolean => wanted === null || wanted.includes(tool);
  return {
    filesystem: {
      ...filesystem,
      enabled: filesystem.enabled && allows('files'),
      denied_paths: filesystem.denied_paths.filter((rule) => !coversOutput(rule)),
    },
    shell: { ...shell, enabled: shell.enabled && allows('shell') },
    mcp: allows('mcp'),
  };
}

function coversOutput(rule: string): boolean {
  const plain = rule.replace(/^\.\//, '').replace(/(\/\*\*)?\/*$/, '');
  return OUTPUT_FOLDER === plain || OUTPUT_FOLDER.startsWith(`${plain}/`);
}
