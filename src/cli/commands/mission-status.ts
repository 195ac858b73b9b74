/** `harness mission status`: the queue, what each lane does, and what waits. */
import { EXIT } from '../../domain/reasons.ts';
import { missionStatus, type MissionStatus } from '../../flows/mission/people/status.ts';
import { openPlace } from '../../kernel/place.ts';
import type { Command } from '../command.ts';
import { dollars } from '../figures.ts';

export const run: Command = async ({ platform, root, output }) => {
  const place = await openPlace(platform, root, { emit: output.emit, journal: false, needs: 'project' });
  const mission = await place.documents.read('mission', { writer: false });
  if (mission === null) {
    output.object(null, 'There is no mission here. Begin one with: harness mission run --spec FILE');
    return { exitCode: EXIT.done };
  }
  const status = await missionStatus(place, mission);
  output.object(status, describe(status));
  return { exitCode: EXIT.done };
};

function describe(status: MissionStatus): string {
  const passed = status.features.filter((feature) => feature.status === 'passed').length;
  const rows: [string, string][] = [
    ['Mission', `${status.spec}: ${status.stage}, iteration ${status.iteration}${status.running ? ', running' : ''}`],
    ['Features', `${passed}/${status.features.length} passed, ${status.claims} claims`],
    ...status.lanes.map(({ lane, session, feature, phase }): [string, string] => [
      lane ?? 'lane',
      `${feature ?? ''} session ${session}, ${phase}`,
    ]),
    ...(status.checkpoint === null ? [] : [['Waits', `harness mission grant ${status.checkpoint}`] satisfies [string, string]]),
    ...(status.escalation === null ? [] : [['Escalated', status.escalation] satisfies [string, string]]),
    ...(status.questions.length === 0 ? [] : [['Questions', `${status.questions.join(', ')} (harness gates)`] satisfies [string, string]]),
    [
      'Validators',
      `asked ${status.validator.asked} times, ${status.validator.believed} passes backed by records, ${status.validator.unquoted} not`,
    ],
    ['Costs', dollars(status.cost_usd)],
  ];
  const features = status.features.map(
    ({ id, status: state, attempts, title }) => `  ${id.padEnd(10)} ${state.padEnd(10)} ${attempts} attempts  ${title}`,
  );
  return [...rows.map(([name, value]) => `${`${name}:`.padEnd(12)}${value}`), ...features].join('\n');
}
