import { expect, test } from 'vitest';
import { exitCodeFor, type Outcome, type Reason } from '../../../domain/reasons.ts';
import type { ProjectState } from '../../../domain/session.ts';
import { initialState } from './document.ts';
import type { RunReport } from './run-report.ts';
import { mostUrgent } from './urgency.ts';

const NOW = '2026-01-02T03:04:05.000Z';
const CANDIDATE = { session: 4, base: 'b', branch: 'main', tree: 't', verdict: 'v', gate: 'project.tampering' };
const question = (feature: number): ProjectState['parked'][number] => ({ pending: { ...CANDIDATE, feature }, escalation: null, at: NOW });
const stuck = (feature: number): ProjectState['parked'][number] => ({
  pending: null,
  escalation: { gate: 'project.stuck', feature, facts: {}, message: `Feature #${feature} is stuck.` },
  at: NOW,
});

test.each<[string, RunReport, RunReport[], ProjectState['parked'], number]>([
  ['nothing is left', report('verified'), [], [], 0],
  ['one was refused and stayed open', report('verified'), [report('rejected', ['test.failed'], 2)], [], 4],
  ['a refusal before an end without a claim', report('partial', ['claim.none'], 3), [report('rejected', ['regression'], 2)], [], 4],
  ['a question before a refusal', report('rejected', ['test.failed']), [], [question(5)], 8],
  ['a budget after a question', report('partial', ['budget.project']), [], [question(5)], 8],
  ['a stuck feature before a question', report('verified'), [], [question(5), stuck(6)], 3],
  ['a failed preflight before them all', report('error', ['env.init_failed']), [], [question(5), stuck(6)], 6],
])('what a run comes to: %s', (_, last, left, parked, code) => {
  expect(mostUrgent(last, left, state(parked)).exitCode).toBe(code);
});

test('everything that waits is named, with the id to answer by', () => {
  const { message } = mostUrgent(report('verified'), [], state([question(5), question(7), stuck(6)]));
  expect(message).toContain('3 questions wait');
  for (const id of ['project.tampering:5', 'project.tampering:7', 'project.stuck:6 ']) expect(message).toContain(`harness answer ${id}`);
  expect(mostUrgent(report('verified'), [], state([question(5)])).message).toContain('harness answer project.tampering:5 OPTION');
});

function report(outcome: Outcome, reasons: Reason[] = [], feature = 1): RunReport {
  return { outcome, reasons, exitCode: exitCodeFor(outcome, reasons), session: 4, feature, commit: null, message: `${outcome} it was` };
}

function state(parked: ProjectState['parked']): ProjectState {
  return { ...initialState('1', NOW), parked };
}
