/** What a grant is about: `.harness/checkpoints/<name>.md`. */
import { counted } from '../../../domain/counted.ts';
import type { MissionState } from '../../../kernel/mission-schema.ts';
import type { MissionPlace } from '../contract.ts';

export async function writeCheckpoint(place: MissionPlace, mission: MissionState, name: string): Promise<void> {
  const type = place.rules.checkpoints.find((one) => one.name === name);
  const passed = mission.features.filter(({ status }) => status === 'passed').map(({ id }) => id);
  const text = [
    `# ${name}`,
    '',
    type?.description || 'A checkpoint of the mission.',
    '',
    `The mission has been waiting here since ${place.now()}, after ${counted(mission.iteration, 'decision')}.`,
    `Passed: ${passed.length} of ${mission.features.length}${passed.length === 0 ? '' : ` (${passed.join(', ')})`}.`,
    ...(mission.review === null || mission.review === '' ? [] : ['', '## The review of the plan', '', mission.review]),
    '',
    `Let it go on with: harness mission grant ${name}`,
    '',
  ];
  await place.documents.folder('checkpoints').write(`${name}.md`, text.join('\n'));
}
