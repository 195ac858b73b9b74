/** `harness mission status`: the queue, what each lane does, and what waits. */
import { EXIT } from '../../domain/reasons.ts';
import { missionStatus } from '../../flows/mission/people/status.ts';
import { openPlace } from '../../kernel/place.ts';
import type { Command } from '../command.ts';
import { describeMission } from '../mission-text.ts';

export const run: Command = async ({ platform, root, output }) => {
  const place = await openPlace(platform, root, { emit: output.emit, journal: false, needs: 'project' });
  const mission = await place.documents.read('mission', { writer: false });
  if (mission === null) {
    output.object(null, 'There is no mission here. Begin one with: harness mission run --spec FILE');
    return { exitCode: EXIT.done };
  }
  const status = await missionStatus(place, mission);
  output.object(status, describeMission(status));
  return { exitCode: EXIT.done };
};
