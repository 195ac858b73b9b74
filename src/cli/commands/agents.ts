/** `harness agents`: the backends and whether each can start here. */
import { checkBackends, type BackendOptions } from '../../agents/registry.ts';
import { readConfig } from '../../config/read-config.ts';
import { EXIT } from '../../domain/reasons.ts';
import type { Command, CommandContext } from '../command.ts';

export const run: Command = async ({ platform, root, output }) => {
  const settings = await agentSettings(platform, root);
  const agents = await checkBackends(platform, settings.options);
  const lines = agents.map((agent) => {
    const mark = agent.can_start ? '✓' : '-';
    const chosen = agent.name === settings.backend ? ' (chosen in .harness.yaml)' : '';
    const fix = agent.install === null ? '' : `\n    ${agent.install}`;
    return `${mark} ${agent.name}${agent.version === null ? '' : ` ${agent.version}`}${chosen}: ${agent.detail}${fix}`;
  });
  output.object({ backend: settings.backend, agents }, lines.join('\n'));
  return { exitCode: EXIT.done };
};

/** What the project says about its agent, as far as its settings can be read. */
async function agentSettings(
  platform: CommandContext['platform'],
  root: string,
): Promise<{ backend: string | null; options: BackendOptions }> {
  const config = (await readConfig(platform, root))?.config ?? null;
  return config === null ? { backend: null, options: {} } : { backend: config.agent.backend, options: { command: config.agent.command } };
}
