/** Where a mission stands, for people. Pure. */
import { counted } from '../domain/counted.ts';
import type { MissionStatus } from '../flows/mission/people/status.ts';
import { knownMoney } from '../reading/figures.ts';
import { findingText } from './summary-lines.ts';

export function describeMission(status: MissionStatus): string {
  const passed = status.features.filter((feature) => feature.status === 'passed').length;
  const rows: [string, string][] = [
    ['Mission', `${status.spec}: ${status.stage}, iteration ${status.iteration}${status.running ? ', running' : ''}`],
    ['Features', `${passed}/${status.features.length} passed, ${counted(status.claims, 'claim')}`],
    ...status.lanes.map(({ lane, session, feature, phase }): [string, string] => [
      lane ?? 'lane',
      `${feature ?? ''} session ${session}, ${phase}`,
    ]),
    ...(status.checkpoint === null ? [] : [['Waits', `harness mission grant ${status.checkpoint}`] satisfies [string, string]]),
    ...(status.escalation === null ? [] : [['Escalated', status.escalation] satisfies [string, string]]),
    ...(status.questions.length === 0 ? [] : [['Questions', `${status.questions.join(', ')} (harness gates)`] satisfies [string, string]]),
    ...(status.validator.asked === 0
      ? []
      : [
          [
            'Validators',
            `asked ${counted(status.validator.asked, 'time')}; of their passes, ${status.validator.believed} quoted what was recorded, ${status.validator.unquoted} did not`,
          ] satisfies [string, string],
        ]),
    ...(status.cost_usd === 0 && status.sessions_without_cost === 0 ? [] : [['Costs', knownMoney(status)] satisfies [string, string]]),
  ];
  const features = status.features.flatMap(({ id, status: state, attempts, title, worktree }) => [
    `  ${id.padEnd(10)} ${state.padEnd(10)} ${counted(attempts, 'attempt').padEnd(11)} ${title}`,
    ...(worktree === null ? [] : [`  ${''.padEnd(10)} its files: ${worktree}`]),
  ]);
  const findings = status.findings.length === 0 ? [] : ['Found by validators, not fixed:', ...status.findings.flatMap(findingText)];
  return [...rows.map(([name, value]) => `${`${name}:`.padEnd(12)}${value}`), ...features, ...findings].join('\n');
}
