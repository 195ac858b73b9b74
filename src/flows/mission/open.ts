/** Opens a mission: the one that is there, a queue that a person wrote, or a new one. */
import { createHash } from 'node:crypto';
import { isAbsolute, join, relative } from 'node:path';
import { featureKey } from '../../domain/feature-name.ts';
import { usageError } from '../../domain/errors.ts';
import type { Emit, HarnessEvent } from '../../domain/event.ts';
import { HARNESS_VERSION } from '../../domain/version.ts';
import { readNamedFile } from '../../kernel/ground/way-to.ts';
import type { MissionState } from '../../kernel/mission-schema.ts';
import type { Place } from '../../kernel/place.ts';
import type { MissionPlace } from './contract.ts';
import { readEdits } from './documents.ts';
import { readEdit } from './machine/contract-text.ts';
import type { Rules } from './machine/rules.ts';
import { newMission } from './machine/state.ts';

export interface MissionWish {
  /** As it was given; null: that of the mission, or SPEC.md. */
  spec: string | null;
  lanes: number | null;
  maxIterations: number | null;
}

export function rulesOf({ config }: Pick<Place, 'config'>, wish: Pick<MissionWish, 'lanes' | 'maxIterations'>): Rules {
  const { mission, lanes } = config;
  const mode = lanes.mode;
  return {
    lanes: wish.lanes ?? lanes.max,
    mode,
    maxAttempts: mission.max_attempts,
    maxIterations: wish.maxIterations ?? mission.max_iterations,
    orchestrator: mission.orchestrator,
    reviewer: mission.plan_reviewer.enabled,
    checkpoints: mission.checkpoints.enabled ? mission.checkpoints.types : [],
    debugAfter: mission.debugger.enabled ? mission.debugger.threshold : null,
    documents: mission.documenter.enabled ? mission.documenter.on : null,
    onPass: mission.branch_isolation.on_pass,
    smoke: mission.smoke_test.enabled ? { onDone: mission.smoke_test.on_done, onPass: mission.smoke_test.on_feature_pass } : null,
    busy: (flights) => mode === 'competition' && flights.length > 0,
  };
}

export function asMission(place: Place, rules: Rules, spec: string): MissionPlace {
  return { ...place, emit: named(place.emit), rules, spec, live: new Map(), laneRooms: new Map(), noCache: false };
}

/** Features by the names that the mission gives them. */
function named(emit: Emit): Emit {
  return (event) =>
    emit(
      'feature' in event && typeof event.feature === 'number' ? ({ ...event, feature: featureKey(event.feature) } as HarnessEvent) : event,
    );
}

export interface Specification {
  path: string;
  text: string;
  hash: string;
}

export async function readSpec(
  { platform, root }: Pick<Place, 'platform' | 'root'>,
  given: string | null,
  known: MissionState | null,
): Promise<Specification> {
  const name = given ?? known?.spec.path ?? 'SPEC.md';
  const path = isAbsolute(name) ? name : join(root, name);
  const text = await readNamedFile(platform, root, path);
  if (text === null || text.trim() === '')
    throw usageError(
      `There is no specification at ${path}.`,
      given === null ? 'Name it with: harness mission run --spec FILE' : 'Name a file that holds what is to be built.',
    );
  const inside = relative(root, path);
  return {
    path: inside.startsWith('..') || isAbsolute(inside) ? path : inside,
    text,
    hash: createHash('sha256').update(text).digest('hex'),
  };
}

/** The state to go on with; nothing is written. What is there for another specification stays, unless it is at its end. */
export async function openMission(place: Place, spec: Specification, known: MissionState | null): Promise<MissionState> {
  const { path, hash } = spec;
  const begin = newMission({ path, hash }, HARNESS_VERSION, place.now());
  if (known === null) return await fromQueue(place, begin);
  if (known.spec.hash === hash) return known.stage === 'rejected' ? await afterRejection(place, known) : known;
  if (known.stage === 'done' || known.stage === 'closing') return begin;
  if (['planning', 'proving-plan', 'reviewing', 'rejected'].includes(known.stage))
    return { ...known, spec: { path, hash }, stage: 'planning', plan: { tries: 0, remarks: [], told: false } };
  if (known.spec.path !== path)
    throw usageError(
      `A mission for ${known.spec.path} is under way here, and ${path} is another specification.`,
      'Let it go on with: harness mission run',
      'Or end it first, its commits stay: harness abort',
    );
  place.emit({
    type: 'warning',
    message: `${path} was changed since it was planned: the plan stays as it is. Edit ${place.documents.where('queue')} and ${place.documents.where('contract')} to change it.`,
  });
  return { ...known, spec: { path, hash } };
}

/** What a person corrected is tried and reviewed like a plan; without a reviewer the plan stands; else there is a new one. */
async function afterRejection(place: Place, known: MissionState): Promise<MissionState> {
  const plan = { tries: 0, remarks: [], told: false };
  const edited = await readEdits(place, known);
  if (edited !== null)
    return {
      ...known,
      stage: 'proving-plan',
      features: edited.features,
      claims: edited.claims,
      plan: { ...plan, told: true },
      review: null,
    };
  return place.config.mission.plan_reviewer.enabled ? { ...known, stage: 'planning', plan } : { ...known, stage: 'working' };
}

/** A queue and a contract that somebody wrote need no planner. */
async function fromQueue({ documents }: Place, begin: MissionState): Promise<MissionState> {
  const [queue, contract] = [await documents.readText('queue'), await documents.readText('contract')];
  if (queue === null) return begin;
  const edit = readEdit(begin, queue, contract ?? '');
  if (!edit.ok) throw usageError(`${documents.where(edit.file)} cannot be used.`, ...edit.problems.slice(0, 10));
  return { ...begin, stage: 'proving-plan', features: edit.features, claims: edit.claims, plan: { ...begin.plan, told: true } };
}
