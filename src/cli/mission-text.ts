/** Where a mission stands, for people. Pure. */
import type { MissionStatus } from '../flows/mission/people/status.ts';
import { dollars } from './figures.ts';

export function describeMission(status: MissionStatus): string {
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
