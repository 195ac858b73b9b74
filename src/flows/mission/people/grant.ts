/** `harness mission grant NAME`: a person lets the mission pass a checkpoint, also while it runs. */
import { usageError } from '../../../domain/errors.ts';
import { orAskHolder, type Requested } from '../../../kernel/documents/ask-holder.ts';
import { holdPlace, type HoldOptions } from '../../../kernel/hold-place.ts';
import { openPlace, type Place } from '../../../kernel/place.ts';
import { writeMission } from '../documents.ts';
import { transition } from '../machine/transition.ts';
import { rulesOf } from '../open.ts';

export interface Granted {
  kind: 'granted';
  name: string;
  /** The mission waited for exactly this one. */
  waited: boolean;
}

export async function grantCheckpoint(
  platform: Place['platform'],
  root: string,
  name: string,
  options: Omit<HoldOptions, 'needs' | 'command'>,
): Promise<Granted | Requested> {
  checkName(await openPlace(platform, root, { emit: options.emit, journal: false, needs: 'project' }), name);
  return await orAskHolder(
    platform,
    root,
    () =>
      holdPlace(
        platform,
        root,
        { ...options, needs: 'project', command: 'harness mission grant', quick: true },
        async (place): Promise<Granted> => {
          const mission = await place.documents.read('mission', { writer: true });
          if (mission === null) throw usageError('There is no mission here.', 'Begin one with: harness mission run --spec FILE');
          const rules = rulesOf(place, { lanes: null, maxIterations: null });
          await writeMission(place, transition(mission, { type: 'granted', name }, rules), mission);
          place.emit({ type: 'decision', session: null, text: `checkpoint ${name} is granted`, by: 'user' });
          return { kind: 'granted', name, waited: mission.checkpoint === name };
        },
      ),
    async () => ({ kind: 'grant', name }),
  );
}

function checkName({ config }: Pick<Place, 'config'>, name: string): void {
  const { types } = config.mission.checkpoints;
  if (types.some((type) => type.name === name)) return;
  const known = types.map((type) => type.name);
  throw usageError(
    `There is no checkpoint named ${name}.`,
    known.length === 0 ? 'The settings name none (mission.checkpoints.types).' : `The settings name: ${known.join(', ')}.`,
  );
}
