/**
 * The documents of a mission: what it knows, and what it shows.
 *
 * 1. `mission.json` is written first and is what counts; queue and contract follow, and are written again when a crash came between.
 * 2. What a person wrote there is never overwritten before it was read; what cannot be used ends the command with 2.
 * 3. After each iteration the state is kept under `snapshots/<n>/`, the last ones only; and so is what agents said, of the last sessions.
 */
import { createHash } from 'node:crypto';
import { usageError } from '../../domain/errors.ts';
import type { MissionState } from '../../kernel/mission-schema.ts';
import { pruneSaid } from '../../kernel/say/say.ts';
import type { MissionPlace } from './contract.ts';
import { readEdit, renderContract, renderQueue } from './machine/contract-text.ts';
import type { MissionEvent } from './machine/state.ts';

type Ground = Pick<MissionPlace, 'documents' | 'config' | 'platform' | 'stateDir'>;
type Shown = 'queue' | 'contract';

const RENDER: Readonly<Record<Shown, (state: MissionState) => string>> = { queue: renderQueue, contract: renderContract };

export async function writeMission(place: Ground, state: MissionState, before: MissionState | null, isEdit = false): Promise<void> {
  const shown =
    before === null || before.features.length === 0 ? null : { queue: mark(renderQueue(before)), contract: mark(renderContract(before)) };
  await place.documents.write('mission', { ...state, shown });
  await showDocuments(place, { ...state, shown }, isEdit);
  if (before !== null && state.iteration !== before.iteration) {
    await keepSnapshot(place, state);
    await pruneSaid(
      place,
      place.config.mission.log_retention,
      state.flights.map(({ session }) => session),
    );
  }
}

async function showDocuments({ documents }: Ground, state: MissionState, isEdit: boolean): Promise<void> {
  if (state.features.length === 0) return;
  for (const name of ['queue', 'contract'] as const) {
    const [text, there] = [RENDER[name](state), await documents.readText(name)];
    if (there !== text && (there === null || isEdit || isBehind(state, name, there))) await documents.writeText(name, text);
  }
}

/** What a person changed since; null: nothing. */
export async function readEdits(place: Ground, state: MissionState): Promise<Extract<MissionEvent, { type: 'edited' }> | null> {
  const { documents } = place;
  if (state.features.length === 0) return null;
  const [queue, contract] = [await documents.readText('queue'), await documents.readText('contract')];
  const isOwn = (name: Shown, text: string | null): boolean => text === null || text === RENDER[name](state) || isBehind(state, name, text);
  if (isOwn('queue', queue) && isOwn('contract', contract)) {
    await showDocuments(place, state, false);
    return null;
  }
  const own = (name: Shown, text: string | null): string => (text === null || isBehind(state, name, text) ? RENDER[name](state) : text);
  const edit = readEdit(state, own('queue', queue), own('contract', contract));
  if (edit.ok) return { type: 'edited', features: edit.features, claims: edit.claims };
  throw usageError(`${documents.where(edit.file)} cannot be used as it was edited.`, ...edit.problems.slice(0, 10));
}

function isBehind({ shown }: MissionState, name: Shown, text: string): boolean {
  return shown !== null && shown[name] === mark(text);
}

function mark(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}

async function keepSnapshot({ documents, config }: Ground, state: MissionState): Promise<void> {
  const shelf = documents.folder('snapshots');
  await shelf.in(String(state.iteration)).write('mission.json', `${JSON.stringify(state, null, 2)}\n`);
  const numbers = (await shelf.list()).map(Number).filter((number) => Number.isInteger(number));
  for (const old of numbers.toSorted((a, b) => b - a).slice(config.mission.snapshot_retention)) await shelf.remove(String(old));
}
