/** `harness run --dry-run`: the same plan as the real run, told and not done. */
import { asTestFile, testFilesOf } from '../../../domain/test-files.ts';
import { estimateTokens } from '../../../prompts/orientation.ts';
import type { Asker } from '../people/asker.ts';
import { largeFeatureEscalation } from '../people/carry-out.ts';
import { openBudgetQuestion } from '../people/budget-question.ts';
import { idOf, questionOf } from '../people/escalate.ts';
import { foresee, type Answers, type Foreseen } from '../people/foresee.ts';
import { grownSince } from '../people/large-features.ts';
import { questionFor } from '../people/pending.ts';
import type { ProjectState } from '../../../domain/session.ts';
import { readBaseline } from '../../../kernel/flight/memory-files.ts';
import { transition } from '../machine/document.ts';
import { isFree } from '../machine/lanes.ts';
import { briefSession } from '../words/orient.ts';
import { planSession, type SessionPlan } from '../machine/plan-session.ts';
import type { LoadedList, Project } from '../project.ts';
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
  /** What a person is asked before a session. */
  asks: { id: string; question: string; options: string[]; feature: number | null } | null;
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

export async function dryRun(
  project: Project,
  wish: { cleanup: boolean; answers: Answers & Pick<Required<Asker>, 'expects'> },
): Promise<DryRun> {
  const written = await readState(project, { writer: false });
  await checkStateObjects(project, written);
  const { loaded: committed, head } = await readTrusted(project, written, { present: true });
  const { state, list, first, ends } = await foreseeRun(project, written, committed, wish.answers);
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
      asks: ends === null ? await askedBefore(project, plan, loaded) : null,
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
    asks: null,
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

async function askedBefore(project: Project, plan: SessionPlan, loaded: LoadedList): Promise<DryRun['asks']> {
  if (plan.kind !== 'pending' && plan.kind !== 'escalated') return null;
  const gate = plan.kind === 'pending' ? await questionFor(project, plan.pending, loaded) : questionOf(plan.escalation);
  const { feature } = plan.kind === 'pending' ? plan.pending : plan.escalation;
  return { id: gate.id, question: gate.question, options: gate.options.map(({ label }) => label), feature };
}

/** With what a run asks first: a session's budget, and features that became too large if somebody is there to answer. */
async function foreseeRun(
  project: Project,
  written: ProjectState,
  loaded: LoadedList,
  answers: Parameters<typeof dryRun>[1]['answers'],
): Promise<Foreseen> {
  const free = isFree(written);
  const spent = free ? await openBudgetQuestion(project, { writer: false }) : null;
  const baseline = free ? await readBaseline(project, { writer: false }) : null;
  const escalation = spent ?? largeFeatureEscalation(baseline === null ? [] : await grownSince(project, loaded, baseline.commit));
  const isAsked = escalation !== null && (escalation === spent || (await answers.expects(idOf(escalation))));
  const state = isAsked ? transition(written, { type: 'escalated', escalation }, project.rules, project.now()).state : written;
  return await foresee(project, state, loaded, answers);
}
