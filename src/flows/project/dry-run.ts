/** `harness run --dry-run`: the same plan as the real run, told and not done. */
import { estimateTokens } from '../../prompts/orientation.ts';
import { briefSession } from './orient.ts';
import { planSession } from './plan-session.ts';
import type { Project } from './project.ts';
import { modelFor } from '../../kernel/flight/project-agent.ts';
import { readTrusted } from './trusted.ts';
import { readCosts } from '../../kernel/books/costs-file.ts';
import { lastRoleSession } from '../../kernel/books/session-number.ts';
import { readState } from './state-files.ts';

export interface DryRun {
  kind: string;
  session: number | null;
  prompt: string | null;
  feature: { id: number; description: string; test_file: string | null } | null;
  backend: string;
  model: string | null;
  orientation: string | null;
  orientation_tokens: number;
  budget: { session_usd: number; project_left_usd: number };
}

export async function dryRun(project: Project, wish: { cleanup: boolean }): Promise<DryRun> {
  const state = await readState(project, { writer: false });
  const { loaded, head } = await readTrusted(project, state, { present: true });
  const plan = planSession(state, loaded.list, { ...wish, after: await lastRoleSession(project, { writer: false }) });
  const costs = await readCosts(project, { writer: false });
  const budget = {
    session_usd: project.config.costs.per_session_usd,
    project_left_usd: project.config.costs.total_project_usd - costs.cumulative.total_cost_usd,
  };
  if (plan.kind !== 'session')
    return {
      kind: plan.kind,
      session: null,
      prompt: null,
      feature: null,
      backend: project.config.agent.backend,
      model: null,
      orientation: null,
      orientation_tokens: 0,
      budget,
    };
  const briefing = await briefSession(project, plan, state, loaded, head);
  const feature =
    plan.feature === null
      ? null
      : { id: plan.feature.id, description: plan.feature.description, test_file: plan.feature.test_file ?? null };
  return {
    kind: 'session',
    session: plan.session,
    prompt: plan.prompt,
    feature,
    backend: project.config.agent.backend,
    model: modelFor(project, plan.prompt),
    orientation: briefing.orientation,
    orientation_tokens: estimateTokens(briefing.orientation),
    budget,
  };
}
