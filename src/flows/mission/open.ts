/** Opens a mission: the one that is there, a queue that a person wrote, or a new one. */
import { createHash } from 'node:crypto';
import { isAbsolute, join, relative } from 'node:path';
import { featureKey } from '../../domain/feature-name.ts';
import { usageError } from '../../domain/errors.ts';
import type { Emit, HarnessEvent } from '../../domain/event.ts';
import { HARNESS_VERSION } from '../../domain/version.ts';
import type { MissionState } from '../../kernel/mission-schema.ts';
import type { Place } from '../../kernel/place.ts';
import type { MissionPlace } from './contract.ts';
import { readEdit } from './machine/contract-text.ts';
import type { Rules } from './machine/rules.ts';
import { newMission } from './machine/state.ts';
import { forgetMission } from './memory-files.ts';

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
  const text = await platform.files.readTextIfExists(path);
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

/** The state to go on with. What is there for another specification stays, unless it is at its end. */
export async function openMission(place: Place, spec: Specification, known: MissionState | null): Promise<MissionState> {
  const { path, hash } = spec;
  const begin = newMission({ path, hash }, HARNESS_VERSION, place.now());
  if (known === null) return await fromQueue(place, begin);
  if (known.spec.hash === hash)
    return known.stage === 'rejected' ? { ...known, stage: 'planning', plan: { tries: 0, remarks: [], told: false } } : known;
  if (known.stage === 'done' || known.stage === 'closing') {
    await forgetMission(place);
    for (const name of ['queue', 'contract'] as const) await place.documents.remove(name);
    return begin;
  }
  if (['planning', 'proving-plan', 'reviewing', 'rejected'].includes(known.stage))
    return { ...known, spec: { path, hash }, stage: 'planning', plan: { tries: 0, remarks: [], told: false } };
  place.emit({
    type: 'warning',
    message: `${path} was changed since it was planned: the plan stays as it is. Edit ${place.documents.where('queue')} and ${place.documents.where('contract')} to change it.`,
  });
  return { ...known, spec: { path, hash } };
}

/** A queue and a contract that somebody wrote need no planner. */
async function fromQueue({ documents }: Place, begin: MissionState): Promise<MissionState> {
  const [queue, contract] = [await documents.readText('queue'), await documents.readText('contract')];
  if (queue === null) return begin;
  const edit = readEdit(begin, queue, contract ?? '');
  if (!edit.ok) throw usageError(`${documents.where(edit.file)} cannot be used.`, ...edit.problems.slice(0, 10));
  return { ...begin, stage: 'proving-plan', features: edit.features, claims: edit.claims, plan: { ...begin.plan, told: true } };
}
