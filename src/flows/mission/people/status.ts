/** Where a mission stands, and what its next decision would be: read without the lock, and without changing anything. */
import { readCosts } from '../../../kernel/books/costs-file.ts';
import { projectCost, shownTotal } from '../../../kernel/books/sums.ts';
import { waitingGates } from '../../../gates/gate-files.ts';
import type { MissionState } from '../../../kernel/mission-schema.ts';
import type { Place } from '../../../kernel/place.ts';
import { policy, wordDecision } from '../machine/decisions.ts';
import { nameOf } from '../machine/flying.ts';
import { due } from '../machine/machine.ts';
import type { Rules } from '../machine/rules.ts';
import { recordedModel } from '../../../kernel/flight/project-agent.ts';
import { modelOf } from '../role-call.ts';

export interface MissionStatus {
  spec: string;
  stage: MissionState['stage'];
  iteration: number;
  /** `worktree`: the files of work that did not pass; null: there are none. */
  features: { id: string; title: string; status: string; attempts: number; depends_on: string[]; worktree: string | null }[];
  claims: number;
  lanes: { lane: string | null; session: number; feature: string | null; phase: string }[];
  checkpoint: string | null;
  grants: string[];
  escalation: string | null;
  issues: { open: number; promoted: number; noted: number };
  /** What validators found and no feature answers: not looked at yet, or shown by nothing. */
  findings: MissionFinding[];
  validator: MissionState['validator'];
  ghosts: number;
  cost_usd: number | null;
  /** Their cost is missing in the sum. */
  sessions_without_cost: number;
  questions: string[];
  running: boolean;
}

export interface MissionFinding {
  title: string;
  text: string;
  by: string;
  feature: string;
  state: 'open' | 'noted';
}

export function findingsOf({ issues }: Pick<MissionState, 'issues'>): MissionFinding[] {
  return issues.flatMap(({ title, text, by, feature, state }) => (state === 'promoted' ? [] : [{ title, text, by, feature, state }]));
}

type Ground = Pick<Place, 'documents' | 'config'>;

export async function missionStatus(place: Ground, mission: MissionState): Promise<MissionStatus> {
  const kept = new Set(await place.documents.folder('worktrees').list());
  const worktreeOf = (id: string, status: string): string | null =>
    status !== 'passed' && kept.has(id) ? place.documents.folder('worktrees').where(id) : null;
  const [costs, gates, holder] = await Promise.all([
    readCosts(place, { writer: false }),
    waitingGates(place.documents.folder('gates')),
    place.documents.holder(),
  ]);
  const count = (state: string): number => mission.issues.filter((issue) => issue.state === state).length;
  return {
    spec: mission.spec.path,
    stage: mission.stage,
    iteration: mission.iteration,
    features: mission.features.map(({ id, title, status, attempts, depends_on }) => ({
      id,
      title,
      status,
      attempts,
      depends_on,
      worktree: worktreeOf(id, status),
    })),
    claims: mission.claims.length,
    lanes: mission.flights.map((flight) => ({ lane: flight.lane, session: flight.session, feature: nameOf(flight), phase: flight.phase })),
    checkpoint: mission.checkpoint,
    grants: mission.grants,
    escalation: mission.escalation?.reason ?? null,
    findings: findingsOf(mission),
    issues: { open: count('open'), promoted: count('promoted'), noted: count('noted') },
    validator: mission.validator,
    ghosts: mission.ghosts,
    cost_usd: shownTotal(costs),
    sessions_without_cost: costs.cumulative.sessions_without_cost,
    questions: gates.map(({ id }) => id),
    running: holder !== null,
  };
}

export interface MissionPreview {
  stage: string;
  iteration: number;
  step: string | null;
  decision: string | null;
  role: string | null;
  model: string | null;
  backend: string;
  budget: { session_usd: number; project_left_usd: number };
}

const ROLES: Readonly<Record<string, string>> = {
  plan: 'planner',
  review: 'plan-reviewer',
  debug: 'debugger',
  resolve: 'architect',
  document: 'documenter',
  curate: 'curator',
};

const DECIDED: Readonly<Record<string, string>> = { NEXT_WORKER: 'worker', NEXT_VALIDATOR: 'validator', NEXT_ARCHITECT: 'architect' };

export async function previewMission(place: Ground, mission: MissionState, rules: Rules): Promise<MissionPreview> {
  const step = due({ mission, run: { from: mission.iteration } }, rules)[0]?.name ?? null;
  const decision = mission.stage === 'working' && mission.checkpoint === null ? policy(mission, rules) : null;
  const role = ROLES[step ?? ''] ?? (decision === null ? null : (DECIDED[decision.kind] ?? null));
  const costs = await readCosts(place, { writer: false });
  const { per_session_usd, total_project_usd } = place.config.costs;
  return {
    stage: mission.stage,
    iteration: mission.iteration + 1,
    step,
    decision: decision === null ? null : wordDecision(decision),
    role: role === null ? null : `mission/${role}`,
    model: role === null ? null : recordedModel(place, modelOf(place, role)),
    backend: place.config.agent.backend,
    budget: { session_usd: per_session_usd, project_left_usd: Math.max(0, total_project_usd - projectCost(costs)) },
  };
}
