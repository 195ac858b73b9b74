/** Where an agent works: its environment by an allowlist, its sandbox by the settings, its temporary directory. */
import { join } from 'node:path';
import type { AgentBackend } from '../../agents/contract.ts';
import { BACKENDS, createBackend } from '../../agents/registry.ts';
import { usageError } from '../../domain/errors.ts';
import { sandboxState, type SandboxSpec } from '../../platform/sandbox.ts';
import type { AgentCopy } from '../../workspace/agent-copy.ts';
import { agentSandbox } from '../../workspace/sandbox-policy.ts';
import type { AgentGround } from './agent-ground.ts';

export interface AgentPlace {
  env: Record<string, string>;
  sandbox: SandboxSpec | null;
  temporary: string;
}

const KEPT_VARIABLES = ['PATH', 'HOME', 'LANG', 'LANGUAGE'];
/** What the agents that the harness knows look for; a program of the user's own gets exactly what the contract lists. */
const KEPT_FOR_KNOWN_AGENTS = ['TZ', 'TERM', 'USER', 'LOGNAME', 'SHELL'];

/** `deniedPaths`: those of the settings, unless the caller has others. */
export async function makeAgentPlace(
  ground: AgentGround,
  copy: Pick<AgentCopy, 'path' | 'folder'>,
  deniedPaths: readonly string[] = ground.config.tools.filesystem.denied_paths,
): Promise<AgentPlace> {
  const { platform, config } = ground;
  const temporary = join(copy.folder, 'tmp');
  await platform.files.remove(temporary);
  await platform.files.mkdir(temporary);
  const env: Record<string, string> = { TMPDIR: temporary };
  const names = [...KEPT_VARIABLES, ...(BACKENDS[config.agent.backend].isOwnProgram ? [] : KEPT_FOR_KNOWN_AGENTS), ...config.agent.env];
  for (const [name, value] of Object.entries(platform.env)) {
    if ((names.includes(name) || name.startsWith('LC_')) && value !== undefined) env[name] = value;
  }
  return { env, sandbox: await sandboxFor(ground, copy.path, temporary, env, deniedPaths), temporary };
}

async function sandboxFor(
  ground: AgentGround,
  workspace: string,
  temporary: string,
  env: Readonly<Record<string, string>>,
  deniedPaths: readonly string[],
): Promise<SandboxSpec | null> {
  const { mode, network } = ground.config.sandbox;
  if (mode === 'off') return null;
  const state = await sandboxState();
  if (!state.available) {
    if (mode === 'on')
      throw usageError(
        `sandbox.mode is "on", but there is no sandbox here: ${state.detail}`,
        'Install it, or set sandbox.mode: auto in .harness.yaml.',
      );
    return null;
  }
  const stateDirs = (await backendFor(ground)).stateDirectories?.(env) ?? [];
  for (const folder of stateDirs) await ground.platform.files.mkdir(folder);
  return agentSandbox(ground.platform, {
    workspace,
    temporary,
    home: ground.home,
    stateDir: ground.stateDir,
    harnessHome: ground.harnessHome,
    network,
    stateDirs,
    deniedPaths,
  });
}

export function backendFor(ground: Pick<AgentGround, 'config' | 'platform'>): Promise<AgentBackend> {
  return createBackend(ground.config.agent.backend, {
    command: ground.config.agent.command,
    scenario: ground.platform.env['HARNESS_SCENARIO'] ?? null,
  });
}
