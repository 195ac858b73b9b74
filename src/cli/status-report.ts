/** The status of a project in words. */
import { cleanLine } from '../domain/clean-text.ts';
import { counted } from '../domain/counted.ts';
import type { StatusReport } from '../flows/project/look/status.ts';
import type { Platform } from '../platform/platform.ts';
import { dollars } from '../reading/figures.ts';
import { readStanding, type Standing } from '../reading/standing.ts';
import { describeMission } from './mission-text.ts';
import type { StatusAnswer } from './status-memo.ts';
import { workerLines } from './worker-text.ts';

export async function readStatus(platform: Platform, root: string): Promise<StatusAnswer & Pick<Standing, 'marks' | 'lock'>> {
  const standing = await readStanding(platform, root);
  const { project, mission, flow, workers, marks, lock } = standing;
  const parts: { report: object; text: string }[] = [
    ...(project === null ? [] : [{ report: project, text: describe(project) }]),
    // A mission is told only where no project is around it.
    ...(project !== null || mission === null ? [] : [{ report: { mission }, text: describeMission(mission) }]),
    ...(flow === null ? [] : [{ report: project === null ? flow.report : { flow: flow.report }, text: flow.text }]),
    ...(workers.length === 0 ? [] : [{ report: { workers }, text: workerLines(workers).join('\n') }]),
  ];
  const report: object = Object.assign({}, ...parts.map((part) => part.report));
  return { report, text: parts.map((part) => part.text).join('\n\n'), marks, lock };
}

function describe(status: StatusReport): string {
  const { passing, total, skipped, unverified } = status.features;
  const percent = total === 0 ? 0 : Math.floor((100 * passing) / total);
  const rows: [string, string][] = [
    ['Project', status.project],
    ['Session', `${status.session} (${status.status}${status.last_outcome === null ? '' : `, ${status.last_outcome}`})`],
    [
      'Features',
      `${passing}/${total} passing (${percent}%)${skipped > 0 ? `, ${skipped} set aside` : ''}${unverified.length > 0 ? `, ${unverified.length} on a person's word alone` : ''}`,
    ],
    ['Tests', describeTests(status.tests)],
    ['Lint', describeLint(status)],
    ['Health', status.health],
    ['Now', status.current],
    ...(status.lanes.length < 2 ? [] : status.lanes.map(laneRow)),
    ...(status.said.length === 0 ? [] : [['Said', `${counted(status.said.length, 'message')} not heard yet`] satisfies [string, string]]),
    ...(status.questions.length === 0 ? [] : [['Questions', `${status.questions.join(', ')} (harness gates)`] satisfies [string, string]]),
    ...(status.pulls.length === 0 ? [] : [['Pulls', describePulls(status.pulls)] satisfies [string, string]]),
    ['Next prompt', status.next_in_words],
    ['Stuck count', String(status.stuck_count)],
    ['Costs', describeCosts(status.costs)],
  ];
  return rows.map(([name, value]) => `${`${name}:`.padEnd(13)}${cleanLine(value)}`).join('\n');
}

function describeTests(tests: StatusReport['tests']): string {
  if (tests === null) return 'no baseline yet';
  return tests.total === 0 ? 'no tests' : `${tests.passing}/${tests.total} passing in the baseline`;
}

function describeLint({ lint, lint_command }: StatusReport): string {
  if (lint_command === null) return 'no lint command';
  return lint === null
    ? 'not run yet (harness health)'
    : `${counted(lint.errors, 'error')}, ${counted(lint.warnings, 'warning')} last time`;
}

function laneRow({ lane, session, feature, phase, addresses }: StatusReport['lanes'][number]): [string, string] {
  const name = lane === null ? 'Lane' : `Lane ${lane.replace(/^lane-/, '')}`;
  return [name, `session ${session}, ${feature === null ? 'cleanup' : `feature #${feature}`}, ${[phase, ...addresses].join(', ')}`];
}

function describePulls(pulls: StatusReport['pulls']): string {
  const names = pulls.map(({ number }) => `#${number}`).join(', ');
  return pulls.some(({ watched }) => watched) ? `${names} open, watched` : `${names} open, not watched (harness sync --follow)`;
}

function describeCosts(costs: StatusReport['costs']): string {
  if (costs.total_usd === null) return `unknown (budget ${dollars(costs.budget_usd)})`;
  if (costs.total_usd === 0 && costs.last_session_usd === null && costs.sessions_without_cost === 0)
    return `none yet (budget ${dollars(costs.budget_usd)})`;
  const parts = [`${dollars(costs.total_usd)} of ${dollars(costs.budget_usd)}`];
  if (costs.last_session_usd !== null) parts.push(`${dollars(costs.last_session_usd)} in the last session`);
  if (costs.sessions_without_cost > 0) parts.push(`without ${counted(costs.sessions_without_cost, 'session')} of unknown cost`);
  return parts.join(', ');
}
