/** What a person wrote into queue or contract: checked like a planner's work before it counts. */
import { usageError } from '../../../domain/errors.ts';
import type { MissionState } from '../../../kernel/mission-schema.ts';
import type { MissionPlace, MissionProgress } from '../contract.ts';
import { readEdits } from '../documents.ts';
import { headTree } from './head-tree.ts';
import { tryClaims } from './try-claims.ts';

/** Null: nothing was changed. */
export async function takeEdits(place: MissionPlace, mission: MissionState): Promise<MissionProgress | null> {
  const edited = await readEdits(place, mission);
  if (edited === null) return null;
  const known = new Set(mission.claims.map((claim) => JSON.stringify(claim.proof)));
  const { problems, held } = await tryClaims(
    place,
    await headTree(place),
    edited.claims.filter((claim) => !known.has(JSON.stringify(claim.proof))),
  );
  if (problems.length > 0)
    throw usageError(`${place.documents.where('contract')} cannot be used as it was edited.`, ...problems.slice(0, 10));
  for (const id of held)
    place.emit({ type: 'warning', message: `${id} holds already, before anything was built for it: its proof shows nothing` });
  place.emit({ type: 'decision', session: null, text: 'the queue or the contract was edited', by: 'user' });
  return { event: edited };
}
