/** The agent's part of a project session: which model it gets, and how its session is opened. */
import { workingModel } from '../../agents/registry.ts';
import { resolveModel, windowFor } from '../../config/models.ts';
import type { BudgetSettings } from '../../session/budget-monitor.ts';
import type { Hearing, Session } from '../../session/contract.ts';
import type { EvidenceCollector } from '../../verify/checks/evidence.ts';
import type { AgentCopy } from '../../workspace/agent-copy.ts';
import type { AgentPlace, AgentGround } from './agent-place.ts';
import { openAgentSession, requirePrice as requirePriceOf } from './agent-session.ts';
import type { Words } from './contract.ts';

interface AgentStepInput {
  session: number;
  feature: number | null;
  testFiles: readonly string[];
  briefing: Pick<Words, 'role' | 'system'>;
  /** As the settings name it. */
  model: string;
  copy: AgentCopy;
  evidence: EvidenceCollector;
  budget: BudgetSettings;
  /** Of its own copy; null: it works alone. */
  lane: string | null;
  signal: AbortSignal;
  leavesAtLimit: boolean;
  hearing: Hearing;
  endsBy: number | null;
}

export async function openProjectSession(ground: AgentGround, input: AgentStepInput, place: AgentPlace): Promise<Session> {
  const { session, feature, testFiles, briefing, copy, evidence, budget, signal } = input;
  return await openAgentSession(
    ground,
    {
      session,
      feature,
      testFiles,
      outputFile: null,
      role: briefing.role,
      system: briefing.system,
      model: input.model,
      workspace: copy.path,
      tools: { ...ground.config.tools, mcp: true },
      lane: input.lane,
      budget,
      heard: (text) => evidence.add(text),
      signal,
      leavesAtLimit: input.leavesAtLimit,
      hearing: input.hearing,
      endsBy: input.endsBy,
    },
    place,
  );
}

/** As it is recorded; empty: the agent chooses it itself. */
export function modelFor(ground: Pick<AgentGround, 'config'>, role: string): string {
  return recordedModel(ground, modelName(ground, role));
}

/** The same of a model that the settings name. */
export function recordedModel({ config }: Pick<AgentGround, 'config'>, name: string): string {
  return workingModel(config.agent.backend, resolveModel(name));
}

/** As the settings name it. */
export function modelName(ground: Pick<AgentGround, 'config'>, role: string): string {
  const { models } = ground.config;
  return role in models ? models[role as keyof typeof models] : models.default;
}

/** As for every session, by the kind of session whose model it is. */
export function requirePrice(ground: Pick<AgentGround, 'config'>, modelRole: string): void {
  requirePriceOf(ground, modelName(ground, modelRole), `models.${modelRole}`);
}

/** Why an agent ended without a claim: it was asked to wrap up, or it simply stopped. */
export function unclaimed(
  ground: AgentGround,
  modelRole: string,
  contextTokens: number,
): { reason: 'context_limit' | 'claim.none'; message: string; retryAt: null } {
  const { window_tokens, force_threshold } = ground.config.context;
  const full = contextTokens >= windowFor(modelName(ground, modelRole), window_tokens) * force_threshold;
  return full
    ? { reason: 'context_limit', message: 'the context window was nearly full, and the agent ended without a claim', retryAt: null }
    : { reason: 'claim.none', message: 'the agent ended without a claim', retryAt: null };
}
