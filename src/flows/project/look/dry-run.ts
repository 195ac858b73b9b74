/** `harness run --dry-run`: the same plan as the real run, told and not done. */
import { asTestFile, testFilesOf } from '../../../domain/test-files.ts';
import { estimateTokens } from '../../../prompts/orientation.ts';
import { foresee, type Answers } from '../people/foresee.ts';
import { briefSession } from '../words/orient.ts';
import { planSession } from '../machine/plan-session.ts';
import type { Project } from '../project.ts';
import { modelFor } from '../../../kernel/flight/project-agent.ts';
import { readTrusted } from '../list/trusted.ts';
import { readCosts } from '../../../kernel/books/costs-file.ts';
import { projectCost } from '../../../kernel/books/sums.ts';
import { lastRoleSession } from '../../../kernel/books/session-number.ts';
import { checkStateObjects, readState } from '../state-files.ts';

export interface DryRun {
  kind: string;
  /** What the run settles before its session. */
  first: string[];
  /** Why no session follows, where an answer says so. */
  ends: string | null;
  session: number | null;
  prompt: string | null;
  feature: { id: number; description: string; test_file: string | string[] | null } | null;
  backend: string;
  model: string | null;
  orientation: string | null;
  orientation_tokens: number;
  /** As the agent would get it; the orientation is part of it. */
  text: string | null;
  budget: { session_usd: number; project_left_usd: number };
}

export async function dryRun(project: Project, wish: { cleanup: boolean; answers: Answers }): Promise<DryRun> {
  const written = await readState(project, { writer: false });
  await checkStateObjects(project, written);
  const { loaded: committed, head } = await readTrusted(project, written, { present: true });
  const { state, list, first, ends } = await foresee(project, written, committed, wish.answers);
  const loaded = { ...committed, list };
  const plan = planSession(state, list, { cleanup: wish.cleanup, after: await lastRoleSession(project, { writer: false }) });
  const costs = await readCosts(project, { writer: false });
  const budget = {
    session_usd: project.config.costs.per_session_usd,
    project_left_usd: project.config.costs.total_project_usd - projectCost(costs),
  };
  if (plan.kind !== 'session' || ends !== null)
    return {
      kind: plan.kind === 'session' ? 'escalated' : plan.kind,
      first,
      ends,
      session: null,
      prompt: null,
      feature: null,
      backend: project.config.agent.backend,
      model: null,
      orientation: null,
      orientation_tokens: 0,
      text: null,
      budget,
    };
  const briefing = await briefSession(project, plan, { state, loaded, head });
  const feature =
    plan.feature === null
      ? null
      : { id: plan.feature.id, description: plan.feature.description, test_file: asTestFile(testFilesOf(plan.feature)) };
  return {
    kind: 'session',
    first,
    ends: null,
    session: plan.session,
    prompt: plan.prompt,
    feature,
    backend: project.config.agent.backend,
    model: modelFor(project, plan.prompt),
    orientation: briefing.orientation,
    orientation_tokens: estimateTokens(briefing.orientation),
    text: `${briefing.system}\n\n${briefing.prompt}`,
    budget,
  };
}
