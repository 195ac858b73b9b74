/** Where the project stands, read without the lock and without running anything. */
import { join } from 'node:path';
import type { ProjectState } from '../../../domain/session.ts';
import { waitingGates, recordedAnswers, recordedWords } from '../../../gates/gate-files.ts';
import { questionId } from '../../../gates/project-gates.ts';
import type { Documents } from '../../../kernel/documents/documents.ts';
import { healthOf, type Health } from './health.ts';
import type { LintCount } from './lint-count.ts';
import { lastLint, lintCommand } from './last-lint.ts';
import { flightsOf } from '../machine/lanes.ts';
import { nextPrompt, planSession } from '../machine/plan-session.ts';
import { checkFeatureList, type Project } from '../project.ts';
import { laneAddresses } from '../../../kernel/lanes/shown.ts';
import { waitingWords, type Waiting } from '../../../kernel/say/say.ts';
import { readCosts } from '../../../kernel/books/costs-file.ts';
import { pullsToWatch } from '../../../kernel/follow-pulls.ts';
import { shownTotal } from '../../../kernel/books/sums.ts';
import { readBaseline, readSizes } from '../../../kernel/flight/memory-files.ts';
import { readState } from '../state-files.ts';

export interface StatusReport {
  project: string;
  session: number;
  status: ProjectState['status'];
  /** `unverified`: recorded on a person's word alone. */
  features: { passing: number; total: number; skipped: number; unverified: number[] };
  tests: { passing: number; total: number } | null;
  /** What the linter said last; null: it never ran. */
  lint: LintCount | null;
  /** Null: the project has none. */
  lint_command: string | null;
  /** By what is known without running anything. */
  health: Health['status'];
  current: string;
  next_feature: number | null;
  next_prompt: string;
  /** The same for people: also why there is none. */
  next_in_words: string;
  last_outcome: string | null;
  stuck_count: number;
  /** `sessions_without_cost`: their cost is unknown and therefore missing in the total, which is null where nothing else is known. */
  costs: { total_usd: number | null; last_session_usd: number | null; budget_usd: number; sessions_without_cost: number };
  paused: boolean;
  waiting_for: string | null;
  /** Every question that waits for a person, oldest first. */
  questions: string[];
  running: { pid: number; command: string; since: string } | null;
  branch: string | null;
  /** The sessions that are under way, or were when their process died. */
  lanes: { lane: string | null; session: number; feature: number | null; phase: string; addresses: string[] }[];
  /** Its own pull requests that were open at the last look, if they are to be followed; `watched`: a process does now. */
  pulls: { number: number; watched: boolean }[];
  /** What people said that no agent has heard yet. */
  said: Waiting[];
}

export type StatusProject = Pick<Project, 'platform' | 'root' | 'shelf' | 'config' | 'documents' | 'now' | 'harnessHome'>;

export async function projectStatus(project: StatusProject): Promise<StatusReport> {
  const { platform, config } = project;
  const [text, state, costs, baseline, sizes, holder, gates, answers, pausing, lint, said] = await Promise.all([
    platform.files.readTextIfExists(join(project.root, config.paths.features)),
    readState(project, { writer: false }),
    readCosts(project, { writer: false }),
    readBaseline(project, { writer: false }),
    readSizes(project),
    project.documents.holder(),
    waitingGates(project.documents.folder('gates')),
    recordedAnswers(project.documents.folder('gates')),
    project.documents.requests.has('pause'),
    lastLint(platform.files, project.harnessHome, project.root),
    waitingWords(project.documents),
  ]);
  const { list } = checkFeatureList(project, text, config.paths.features, { skipped: state.skipped.map((entry) => entry.feature) });
  const plan = planSession(state, list, { cleanup: false });
  const feature = plan.kind === 'session' ? plan.feature : null;
  const features = { passing: list.features.filter((candidate) => candidate.passes).length, total: list.features.length };
  const tests = baseline === null ? null : { passing: baseline.total_passing, total: baseline.total_tests };
  return {
    project: config.project.name,
    session: state.last_session,
    status: state.status,
    features: {
      ...features,
      skipped: state.skipped.length,
      unverified: state.overrides.filter((entry) => entry.passes).map((entry) => entry.feature),
    },
    tests,
    lint,
    lint_command: lintCommand(project),
    health: healthOf({
      features,
      tests,
      lint,
      files: sizes?.files ?? null,
      maxLines: config.quality.max_file_lines,
      session: sizes?.session ?? 0,
    }).status,
    current: (holder === null ? answeredPlan(plan, answers) : null) ?? describePlan(plan, holder, pausing),
    next_feature: feature?.id ?? null,
    next_prompt: nextPrompt(state, list).prompt ?? state.next_prompt,
    next_in_words: nextPrompt(state, list).words,
    last_outcome: state.termination_reason,
    stuck_count: state.stuck_count,
    costs: {
      total_usd: shownTotal(costs),
      last_session_usd: costs.current_session?.cost_usd ?? null,
      budget_usd: config.costs.total_project_usd,
      sessions_without_cost: costs.cumulative.sessions_without_cost,
    },
    paused: state.paused,
    waiting_for: answeredPlan(plan, answers) === null ? waitingFor(plan) : null,
    questions: gates.map((gate) => gate.id),
    running: holder === null ? null : { pid: holder.pid, command: holder.command, since: holder.since },
    branch: await currentBranch(project),
    lanes: await Promise.all(
      flightsOf(state).map(async ({ lane, session, feature, phase }) => ({
        lane,
        session,
        feature,
        phase,
        addresses: holder === null ? [] : await laneAddresses(platform, lane, project.root),
      })),
    ),
    said,
    pulls: await followedPulls(project, holder),
  };
}

async function followedPulls(
  { documents }: StatusProject,
  holder: Awaited<ReturnType<Documents['holder']>>,
): Promise<StatusReport['pulls']> {
  const watched = holder !== null && ['harness run', 'harness sync --follow'].includes(holder.command);
  return (await pullsToWatch({ documents })).map((number) => ({ number, watched }));
}

function askedIn(plan: ReturnType<typeof planSession>): { gate: string; feature: number | null } | null {
  return plan.kind === 'pending' ? plan.pending : plan.kind === 'escalated' ? plan.escalation : null;
}

/** What is asked about next has its answer already. */
function answeredPlan(plan: ReturnType<typeof planSession>, answers: ReadonlyMap<string, string | null>): string | null {
  const asked = askedIn(plan);
  if (asked === null) return null;
  const answer = answers.get(questionId(asked.gate, asked.feature));
  return answer === undefined ? null : recordedWords(answer);
}

function waitingFor(plan: ReturnType<typeof planSession>): string | null {
  const asked = askedIn(plan);
  return asked === null ? null : questionId(asked.gate, asked.feature);
}

/** Read from the file: a status needs no process. */
async function currentBranch(project: StatusProject): Promise<string | null> {
  const head = await project.platform.files.readTextIfExists(join(project.root, '.git', 'HEAD')).catch(() => null);
  return /^ref: refs\/heads\/(.+)$/.exec(head?.trim() ?? '')?.[1] ?? null;
}

function waitsOf(blocked: readonly { feature: number; waits_for: readonly number[] }[]): string {
  const all = blocked.slice(0, 5).map(({ feature, waits_for }) => `#${feature} waits for ${waits_for.map((id) => `#${id}`).join(', ')}`);
  return all.length === 0 ? '' : `: ${all.join('; ')}`;
}

function describePlan(plan: ReturnType<typeof planSession>, holder: Awaited<ReturnType<Documents['holder']>>, pausing: boolean): string {
  if (holder !== null)
    return `running: ${holder.command}, process ${holder.pid} (${pausing ? 'asked to pause; harness resume takes it back' : 'harness log tail --follow'})`;
  switch (plan.kind) {
    case 'session':
      return plan.feature === null
        ? 'ready for a cleanup session (harness run)'
        : `${plan.prompt === 'continuation' ? 'ready to continue' : 'ready for'} feature #${plan.feature.id} (harness run)`;
    case 'complete':
      return 'all features pass';
    case 'exhausted':
      return `only skipped and blocked features are left${waitsOf(plan.detail.blocked)} (harness skip --feature N --undo)`;
    case 'holding':
    case 'waiting':
      return 'nothing can be worked on before the questions that wait are answered (harness gates)';
    case 'paused':
      return 'paused (harness resume)';
    case 'handoff':
      return 'handed over to a person (harness takeback)';
    case 'pending':
      return `your decision on a change is needed (harness answer ${waitingFor(plan)})`;
    case 'escalated':
      return `a decision is needed (harness answer ${waitingFor(plan)})`;
  }
}
