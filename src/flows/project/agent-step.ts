/**
 * The agent's part of a session: brief it, watch it, stop it, and take what it left.
 * Returns values; the flow records them.
 */
import { join } from 'node:path';
import type { AgentBackend, AgentTask, McpServer } from '../../agents/contract.ts';
import { createBackend } from '../../agents/registry.ts';
import { resolveMcpServers } from '../../config/mcp-servers.ts';
import { priceFor, resolveModel, windowFor } from '../../config/models.ts';
import { usageError } from '../../domain/errors.ts';
import type { Capture } from '../../domain/tree.ts';
import { sandboxState, type SandboxSpec } from '../../platform/sandbox.ts';
import type { BudgetSettings } from '../../session/budget-monitor.ts';
import type { Session, WatchSettings } from '../../session/contract.ts';
import { openSession } from '../../session/run-agent.ts';
import type { EvidenceCollector } from '../../verify/evidence.ts';
import type { AgentCopy } from '../../workspace/agent-copy.ts';
import { captureWorkspace } from '../../workspace/capture.ts';
import { agentSandbox } from '../../workspace/sandbox-policy.ts';
import { watchProcesses, type ProcessWatch } from './agent-processes.ts';
import type { Briefing } from './orient.ts';
import type { Project } from './project.ts';

export interface AgentStepInput {
  session: number;
  feature: number | null;
  testFile: string | null;
  briefing: Pick<Briefing, 'role' | 'modelRole' | 'system'>;
  copy: AgentCopy;
  evidence: EvidenceCollector;
  budget: BudgetSettings;
  signal: AbortSignal;
}

export interface AgentPlace {
  env: Record<string, string>;
  sandbox: SandboxSpec | null;
  temporary: string;
}

const KEPT_VARIABLES = ['PATH', 'HOME', 'LANG', 'LANGUAGE', 'TZ', 'TERM', 'USER', 'LOGNAME', 'SHELL'];

export async function makeAgentPlace(project: Project, copy: AgentCopy): Promise<AgentPlace> {
  const { platform, config } = project;
  const temporary = join(copy.folder, 'tmp');
  await platform.files.remove(temporary);
  await platform.files.mkdir(temporary);
  const env: Record<string, string> = { TMPDIR: temporary };
  for (const [name, value] of Object.entries(platform.env)) {
    const kept = KEPT_VARIABLES.includes(name) || name.startsWith('LC_') || config.agent.env.includes(name);
    if (kept && value !== undefined) env[name] = value;
  }
  return { env, sandbox: await sandboxFor(project, copy, temporary, env), temporary };
}

async function sandboxFor(
  project: Project,
  copy: AgentCopy,
  temporary: string,
  env: Readonly<Record<string, string>>,
): Promise<SandboxSpec | null> {
  const { mode, network } = project.config.sandbox;
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
  const stateDirs = (await backendFor(project)).stateDirectories?.(env) ?? [];
  for (const folder of stateDirs) await project.platform.files.mkdir(folder);
  return agentSandbox(project.platform, {
    workspace: copy.path,
    temporary,
    home: project.home,
    stateDir: project.stateDir,
    harnessHome: project.harnessHome,
    network,
    stateDirs,
    deniedPaths: project.config.tools.filesystem.denied_paths,
  });
}

export function backendFor(project: Pick<Project, 'config' | 'platform'>): Promise<AgentBackend> {
  return createBackend(project.config.agent.backend, {
    command: project.config.agent.command,
    scenario: project.platform.env['HARNESS_SCENARIO'] ?? null,
  });
}

export function modelFor(project: Pick<Project, 'config'>, role: string): string {
  return resolveModel(modelName(project, role));
}

function modelName(project: Pick<Project, 'config'>, role: string): string {
  const { models } = project.config;
  return role in models ? models[role as keyof typeof models] : models.default;
}

export async function openAgentSession(project: Project, input: AgentStepInput, place: AgentPlace): Promise<Session> {
  const { platform, config } = project;
  const model = modelFor(project, input.briefing.modelRole);
  const task: AgentTask = {
    role: input.briefing.role,
    session: input.session,
    feature: input.feature,
    testFile: input.testFile,
    outputFile: null,
    model,
    system: input.briefing.system,
    workspace: input.copy.path,
    temporary: place.temporary,
    env: place.env,
    sandbox: place.sandbox,
    tools: { filesystem: config.tools.filesystem, shell: config.tools.shell },
    maxTurns: config.agent.max_turns,
    mcpServers: mcpServersOf(project),
  };
  project.emit({
    type: 'session.start',
    session: input.session,
    feature: input.feature,
    prompt: input.briefing.role.split('/')[1]!,
    backend: config.agent.backend,
    model,
    workspace: input.copy.path,
  });
  const processes = task.sandbox === null ? await watchProcesses(project, input.session) : null;
  const backend = await backendFor(project);
  const session = openSession(platform, {
    backend,
    task,
    price: backend.servesModel?.(model) === false ? null : priceFor(modelName(project, input.briefing.modelRole), config.prices),
    watch: watchSettings(project, modelName(project, input.briefing.modelRole), input.budget),
    emit: project.emit,
    heard: (text) => input.evidence.add(text),
    signal: input.signal,
    pauseRequested: () => platform.files.exists(join(project.stateDir, 'pause')),
    changedFiles: (since) => changedSince(project, input.copy.path, since),
    actions: {
      prefixes: config.logging.structured_agent_output,
      fallback: config.logging.fallback_tracking,
      warnOnMissing: config.logging.warn_on_missing_prefixes && isFirst(project),
    },
    drained: project.drained,
    ...(processes === null ? {} : { onTick: processes.sample }),
  });
  return processes === null ? session : endingProcesses(session, processes);
}

/** Backends that hand MCP servers on to their agent. */
const WITH_MCP: ReadonlySet<string> = new Set(['claude-code', 'codex', 'acp']);

function mcpServersOf(project: Project): Record<string, McpServer> {
  const { backend } = project.config.agent;
  const servers = resolveMcpServers(project.config.tools.mcp_servers, project.platform.env);
  const names = Object.keys(servers);
  if (names.length === 0 || WITH_MCP.has(backend)) return servers;
  project.emit({
    type: 'warning',
    message: `the MCP servers ${names.join(', ')} are left out: an agent of the backend ${backend} cannot use them`,
  });
  return {};
}

const seen = new WeakSet<Project>();

/** What is worth saying once in a run is not repeated by its later sessions. */
function isFirst(project: Project): boolean {
  const first = !seen.has(project);
  seen.add(project);
  return first;
}

/** Without a sandbox, what a turn started is ended with it. */
function endingProcesses(session: Session, processes: ProcessWatch): Session {
  return {
    ...session,
    turn: async (prompt) => {
      const result = await session.turn(prompt);
      await processes.endAll();
      return result;
    },
    close: async () => {
      await session.close();
      await processes.endAll();
    },
  };
}

/** Backends whose every token is paid by the user at the provider's price. */
const PRICED_BACKENDS: ReadonlySet<string> = new Set(['anthropic', 'claude-code']);

/** A model whose price nobody knows cannot be held to a budget: refused before anything runs. */
export function requirePrice(project: Pick<Project, 'config'>, modelRole: string): void {
  const { agent, prices } = project.config;
  const name = modelName(project, modelRole);
  if (!PRICED_BACKENDS.has(agent.backend) || priceFor(name, prices) !== null) return;
  throw usageError(
    `.harness.yaml: the price of model "${name}" is not known, so no budget could hold it.`,
    `field: models.${modelRole}`,
    `fix: say what it costs in dollars per million tokens, for example prices: { "${name}": { input: 3, output: 15 } }, or name a known model (docs/configuration.md lists them)`,
  );
}

function watchSettings(project: Project, model: string, budget: BudgetSettings): WatchSettings {
  const { config } = project;
  return {
    context: {
      windowTokens: windowFor(model, config.context.window_tokens),
      warnThreshold: config.context.warn_threshold,
      forceThreshold: config.context.force_threshold,
    },
    clock: { timeoutMs: config.session.timeout_minutes * 60_000, warningMs: config.session.timeout_warning_minutes * 60_000 },
    progress: {
      intervalTokens: config.progress.check_interval_tokens,
      stuckWarning: config.progress.stuck_warning,
      stopAfter: config.progress.force_stop_after_stuck_checks,
      maxRepeatedErrors: config.progress.max_repeated_errors,
    },
    budget,
    silenceMs: config.session.silence_seconds * 1_000,
    tickMs: 250,
  };
}

/** Why an agent ended without a claim: it was asked to wrap up, or it simply stopped. */
export function unclaimed(
  project: Project,
  modelRole: string,
  contextTokens: number,
): { reason: 'context_limit' | 'claim.none'; message: string; retryAt: null } {
  const { window_tokens, force_threshold } = project.config.context;
  const full = contextTokens >= windowFor(modelName(project, modelRole), window_tokens) * force_threshold;
  return full
    ? { reason: 'context_limit', message: 'the context window was nearly full, and the agent ended without a claim', retryAt: null }
    : { reason: 'claim.none', message: 'the agent ended without a claim', retryAt: null };
}

/** Files changed in the top levels of the workspace since a time; enough to see that an agent works at all. */
async function changedSince(project: Project, folder: string, since: number, depth = 4): Promise<number> {
  let changed = 0;
  for (const entry of await project.platform.files.list(folder).catch(() => [])) {
    if (entry.name === '.git' || entry.name === 'node_modules') continue;
    const path = join(folder, entry.name);
    if (entry.isDirectory()) changed += depth > 0 ? await changedSince(project, path, since, depth - 1) : 0;
    else if (entry.isFile()) {
      const info = await project.platform.files.lstat(path).catch(() => null);
      if (info !== null && Number(info.ctimeMs) >= since) changed++;
    }
    if (changed > 20) return changed;
  }
  return changed;
}

export async function captureAgentWork(
  project: Project,
  copy: Pick<AgentCopy, 'path' | 'manifest'>,
  session: number,
  baseTree: string,
): Promise<Capture> {
  const capture = await captureWorkspace(project.platform, {
    home: project.home,
    store: project.trees,
    copy,
    baseTree,
    ref: `refs/harness/candidates/${session}`,
    message: `harness: work of session ${session}`,
  });
  project.emit({
    type: 'workspace.captured',
    tree: capture.tree,
    ref: capture.ref,
    files_changed: capture.changed.length,
    duration_ms: Math.round(capture.duration_ms),
  });
  return capture;
}
