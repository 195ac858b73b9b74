/** The agent's part of a project session: which model it gets, and how its session is opened. */
import { resolveModel, windowFor } from '../../config/models.ts';
import type { BudgetSettings } from '../../session/budget-monitor.ts';
import type { Session } from '../../session/contract.ts';
import type { EvidenceCollector } from '../../verify/checks/evidence.ts';
import type { AgentCopy } from '../../workspace/agent-copy.ts';
import type { AgentPlace } from '../../kernel/flight/agent-place.ts';
import { openAgentSession, requirePrice as requirePriceOf } from '../../kernel/flight/agent-session.ts';
import type { Briefing } from './orient.ts';
import type { Project } from './project.ts';

interface AgentStepInput {
  session: number;
  feature: number | null;
  testFile: string | null;
  briefing: Pick<Briefing, 'role' | 'modelRole' | 'system'>;
  copy: AgentCopy;
  evidence: EvidenceCollector;
  budget: BudgetSettings;
  signal: AbortSignal;
}

export async function openProjectSession(project: Project, input: AgentStepInput, place: AgentPlace): Promise<Session> {
  const { session, feature, testFile, briefing, copy, evidence, budget, signal } = input;
  return await openAgentSession(
    project,
    {
      session,
      feature,
      testFile,
      outputFile: null,
      role: briefing.role,
      system: briefing.system,
      model: modelName(project, briefing.modelRole),
      workspace: copy.path,
      tools: { ...project.config.tools, mcp: true },
      lane: null,
      budget,
      heard: (text) => evidence.add(text),
      signal,
    },
    place,
  );
}

export function modelFor(project: Pick<Project, 'config'>, role: string): string {
  return resolveModel(modelName(project, role));
}

function modelName(project: Pick<Project, 'config'>, role: string): string {
  const { models } = project.config;
  return role in models ? models[role as keyof typeof models] : models.default;
}

/** As for every session, by the kind of session whose model it is. */
export function requirePrice(project: Pick<Project, 'config'>, modelRole: string): void {
  requirePriceOf(project, modelName(project, modelRole), `models.${modelRole}`);
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
