/**
 * One agent, briefed, watched and stopped by the settings; and what it left, taken.
 * Returns values; the flow records them.
 */
import { dirname, join } from 'node:path';
import type { AgentTask, McpServer, ToolPolicy } from '../../agents/contract.ts';
import { BACKENDS, workingModel } from '../../agents/registry.ts';
import { resolveMcpServers } from '../../config/mcp-servers.ts';
import { priceFor, resolveModel, windowFor } from '../../config/models.ts';
import { usageError } from '../../domain/errors.ts';
import type { Capture } from '../../domain/tree.ts';
import type { BudgetSettings } from '../../session/budget-monitor.ts';
import type { Hearing, Session, WatchSettings } from '../../session/contract.ts';
import { openSession } from '../../session/run-agent.ts';
import type { AgentCopy } from '../../workspace/agent-copy.ts';
import { captureWorkspace } from '../../workspace/capture.ts';
import { includedPaths } from '../../workspace/included.ts';
import { backendFor, type AgentPlace, type AgentGround } from './agent-place.ts';
import { secretFindings } from './included-files.ts';
import { watchProcesses, type ProcessWatch } from './agent-processes.ts';
import { harnessRef } from '../../workspace/refs.ts';

export interface AgentInput {
  session: number;
  feature: number | null;
  testFiles: readonly string[];
  outputFile: string | null;
  /** `<flow>/<role>` */
  role: string;
  system: string;
  /** As the settings or the user name it. */
  model: string;
  workspace: string;
  tools: ToolPolicy & { mcp: boolean };
  /** Name of the copy, for agents that do not work alone. */
  lane: string | null;
  budget: BudgetSettings;
  heard(text: string): void;
  signal: AbortSignal;
  /** Handed on where the backend takes it. */
  effort?: string | null;
  /** It gets no tool that starts other agents. */
  alone?: true;
  /** Epoch milliseconds: the run keeps hours. */
  endsBy?: number | null;
  /** What people say to it meanwhile. */
  hearing?: Hearing;
  /** Another agent goes on when its quota ends. */
  leavesAtLimit?: boolean;
}

export async function openAgentSession(ground: AgentGround, input: AgentInput, place: AgentPlace): Promise<Session> {
  const { platform, config } = ground;
  const model = resolveModel(input.model);
  const { endsBy = null } = input;
  const task: AgentTask = {
    role: input.role,
    session: input.session,
    feature: input.feature,
    testFiles: input.testFiles,
    outputFile: input.outputFile,
    model,
    system: input.system,
    workspace: input.workspace,
    temporary: place.temporary,
    env: place.env,
    sandbox: place.sandbox,
    tools: { filesystem: input.tools.filesystem, shell: input.tools.shell },
    maxTurns: config.agent.max_turns,
    mcpServers: input.tools.mcp ? mcpServersOf(ground) : {},
    ...effortOf(ground, input.effort ?? null),
    ...(input.alone === true ? { alone: true } : {}),
  };
  ground.emit({
    type: 'session.start',
    session: input.session,
    feature: input.feature,
    prompt: input.role.slice(input.role.indexOf('/') + 1),
    backend: config.agent.backend,
    model: workingModel(config.agent.backend, model),
    workspace: input.workspace,
    ...(input.lane === null ? {} : { lane: input.lane }),
  });
  const lane = input.lane === null ? null : { name: input.lane, workspace: input.workspace };
  const processes = task.sandbox === null ? await watchProcesses(ground, input.session, lane) : null;
  const backend = await backendFor(ground);
  const session = openSession(platform, {
    backend,
    task,
    price: backend.servesModel?.(model) === false ? null : priceFor(input.model, config.prices),
    watch: watchSettings(ground, input),
    ...(endsBy === null ? {} : { endsBy }),
    emit: toldOnce(ground),
    heard: input.heard,
    signal: input.signal,
    pauseRequested: () => ground.documents.requests.has('pause'),
    changedFiles: (since) => changedSince(ground, input.workspace, since),
    actions: {
      prefixes: config.logging.structured_agent_output,
      fallback: config.logging.fallback_tracking,
      warnOnMissing: config.logging.warn_on_missing_prefixes && input.lane === null && isFirst(ground),
    },
    traces: config.logging.level === 'debug',
    drained: ground.drained,
    ...(input.hearing === undefined ? {} : { hearing: input.hearing }),
    ...(input.leavesAtLimit === true ? { leavesAtLimit: true } : {}),
    ...(processes === null ? {} : { onTick: processes.sample }),
  });
  return endingWith(processes === null ? session : endingProcesses(session, processes), place);
}

function endingWith(session: Session, place: AgentPlace): Session {
  return {
    ...session,
    close: async () => {
      await session.close();
      await place.leave();
    },
  };
}

/** Whether a backend hands this level on to its agent. */
export function takesEffort({ config }: Pick<AgentGround, 'config'>, effort: string): boolean {
  return BACKENDS[config.agent.backend].efforts.includes(effort);
}

function effortOf(ground: AgentGround, effort: string | null): Pick<AgentTask, 'effort'> {
  return effort !== null && takesEffort(ground, effort) ? { effort } : {};
}

function mcpServersOf(ground: AgentGround): Record<string, McpServer> {
  const { backend } = ground.config.agent;
  const servers = resolveMcpServers(ground.config.tools.mcp_servers, ground.platform.env);
  const names = Object.keys(servers);
  if (names.length === 0 || BACKENDS[backend].takesMcp) return servers;
  ground.emit({
    type: 'warning',
    message: `the MCP servers ${names.join(', ')} are left out: an agent of the backend ${backend} cannot use them`,
  });
  return {};
}

const told = new WeakMap<AgentGround['config'], Set<string>>();

/** A warning that holds for the whole run is not repeated by each of its sessions. */
function toldOnce(ground: AgentGround): AgentGround['emit'] {
  const before = told.get(ground.config) ?? new Set<string>();
  told.set(ground.config, before);
  return (event) => {
    if (event.type === 'warning') {
      if (before.has(event.message)) return;
      before.add(event.message);
    }
    ground.emit(event);
  };
}

const seen = new WeakSet<AgentGround['config']>();

/** What is worth saying once in a run is not repeated by its later sessions. */
function isFirst(ground: AgentGround): boolean {
  const first = !seen.has(ground.config);
  seen.add(ground.config);
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

/** A model whose price nobody knows cannot be held to a budget: refused before anything runs. `field` is where it was named. */
export function requirePrice(ground: Pick<AgentGround, 'config'>, model: string, field: string): void {
  const { agent, prices } = ground.config;
  if (!BACKENDS[agent.backend].isPriced || priceFor(model, prices) !== null) return;
  throw usageError(
    `.harness.yaml: the price of model "${model}" is not known, so no budget can limit it.`,
    `field: ${field}`,
    `fix: say what it costs in dollars per million tokens, for example prices: { "${model}": { input: 3, output: 15 } }, or name a known model (docs/configuration.md lists them)`,
  );
}

/** The end of the run's hours comes like that of a session's time: after the same warning, or half of what is left. */
function clockFor({ config, platform }: AgentGround, endsBy: number | null): WatchSettings['clock'] {
  const own = { timeoutMs: config.session.timeout_minutes * 60_000, warningMs: config.session.timeout_warning_minutes * 60_000 };
  const left = endsBy === null ? Infinity : Math.max(0, endsBy - platform.clock.now());
  if (left >= own.timeoutMs) return own;
  return { timeoutMs: left, warningMs: Math.max(left / 2, left - (own.timeoutMs - own.warningMs)), reason: 'hours.over' };
}

function watchSettings(
  ground: AgentGround,
  { model, budget, endsBy = null }: Pick<AgentInput, 'model' | 'budget' | 'endsBy'>,
): WatchSettings {
  const { config } = ground;
  return {
    context: {
      windowTokens: windowFor(model, config.context.window_tokens),
      warnThreshold: config.context.warn_threshold,
      forceThreshold: config.context.force_threshold,
    },
    clock: clockFor(ground, endsBy),
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

/** Files changed in the top levels of the workspace since a time; enough to see that an agent works at all. */
async function changedSince(ground: AgentGround, folder: string, since: number, depth = 4): Promise<number> {
  let changed = 0;
  for (const entry of await ground.platform.files.list(folder).catch(() => [])) {
    if (entry.name === '.git' || entry.name === 'node_modules') continue;
    const path = join(folder, entry.name);
    if (entry.isDirectory()) changed += depth > 0 ? await changedSince(ground, path, since, depth - 1) : 0;
    else if (entry.isFile()) {
      const info = await ground.platform.files.lstat(path).catch(() => null);
      if (info !== null && Number(info.ctimeMs) >= since) changed++;
    }
    if (changed > 20) return changed;
  }
  return changed;
}

export async function captureAgentWork(
  ground: AgentGround,
  copy: Pick<AgentCopy, 'path' | 'held'>,
  { session, baseTree }: { session: number; baseTree: string },
  options: { afterCrash?: boolean } = {},
): Promise<Capture> {
  const captured = await captureWorkspace(ground.platform, {
    never: copy.path === ground.home.root ? [] : await includedPaths(ground.platform, dirname(copy.path)),
    home: ground.home,
    store: ground.trees,
    copy,
    baseTree,
    ref: harnessRef('candidates', session),
    message: `harness: work of session ${session}`,
    ...options,
  });
  const secrets = await secretFindings(ground, copy.path, baseTree, captured);
  const capture = { ...captured, findings: [...captured.findings, ...secrets] };
  ground.emit({
    type: 'workspace.captured',
    tree: capture.tree,
    ref: capture.ref,
    files_changed: capture.changed.length,
    duration_ms: Math.round(capture.duration_ms),
  });
  return capture;
}

/** What a session left, as it was captured last; null where it is not kept any more. */
export function capturedTree({ trees }: Pick<AgentGround, 'trees'>, session: number): Promise<string | null> {
  return trees.resolve(harnessRef('candidates', session));
}
