/** A state rebuilt from the journal agrees with the one that the machine had. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Reason } from '../../../domain/reasons.ts';
import type { ProjectState } from '../../../domain/session.ts';
import type { SessionRecord } from '../../../domain/session-record.ts';
import type { Ending, MachineRules } from './settlement.ts';
import { initialState, newFlight, transition } from './document.ts';
import { rebuildState } from './rebuild-state.ts';

const NOW = '2026-01-01T00:00:00.000Z';
const RULES: MachineRules = { maxStuckSessions: 3, cleanupInterval: 0 };
const RUNS = Number(process.env['HARNESS_MODEL_RUNS'] ?? 300);

interface Step {
  feature: number;
  end: 'verified' | 'rejected' | 'partial' | 'timeout' | 'cut_off';
}

/** Runs whole sessions through the machine and keeps the records that the journal would have. */
function play(steps: readonly Step[]): { state: ProjectState; records: SessionRecord[] } {
  let state = initialState('1', NOW);
  const records: SessionRecord[] = [];
  for (const { feature, end } of steps) {
    const session = state.last_session + 1;
    const flight = newFlight({ session, feature, prompt: 'coding', base: 'b', branch: 'main', started_at: NOW });
    state = transition(state, { type: 'planned', flight }, RULES, NOW).state;
    const { state: next, settlement } = transition(state, { type: 'settled', ending: endingOf(end) }, RULES, NOW);
    state = next;
    records.push({
      session_id: session,
      prompt: 'coding',
      started_at: NOW,
      ended_at: NOW,
      duration_seconds: 1,
      outcome: settlement!.outcome,
      reasons: settlement!.reasons,
      termination_reason: 'x',
      feature_id: feature,
      feature_completed: end === 'verified',
      tokens_used: { input: 0, output: 0, cached: 0 },
      cost_usd: null,
      backend: 'command',
      model: 'm',
    });
  }
  return { state, records };
}

function endingOf(end: Step['end']): Ending {
  if (end === 'verified') return { kind: 'verified', commit: 'c', open: 1 };
  if (end === 'rejected') return { kind: 'rejected', reasons: ['test.failed'] };
  if (end === 'cut_off') return { kind: 'cut_off', wip: null };
  const reasons: Reason[] = [end === 'timeout' ? 'timeout' : 'stuck'];
  return { kind: 'partial', reasons, wip: null };
}

const steps = fc.array(
  fc.record({
    feature: fc.integer({ min: 1, max: 3 }),
    end: fc.constantFrom<Step['end'][]>('verified', 'rejected', 'partial', 'timeout', 'cut_off'),
  }),
  { minLength: 1, maxLength: 12 },
);

test('whatever sessions ran, numbers, counters and the current feature come back from their records', () => {
  fc.assert(
    fc.property(steps, (history) => {
      const { state, records } = play(history);
      const rebuilt = rebuildState({ records, kept: [], harnessVersion: '1', now: NOW });
      for (const field of [
        'last_session',
        'current_feature',
        'failures',
        'timeout_count',
        'features_since_cleanup',
        'next_prompt',
      ] as const)
        expect({ [field]: rebuilt[field] }).toEqual({ [field]: state[field] });
    }),
    { numRuns: RUNS },
  );
});

test('unfinished work is found again, and a journal without sessions gives the state of a new project', () => {
  const { records } = play([{ feature: 2, end: 'partial' }]);
  const kept = [{ feature: 2, ref: 'refs/harness/wip/2', tree: 't' }];
  expect(rebuildState({ records, kept, harnessVersion: '1', now: NOW })).toMatchObject({
    next_prompt: 'continuation',
    wip: { feature: 2, ref: 'refs/harness/wip/2', tree: 't' },
  });
  expect(rebuildState({ records: [], kept, harnessVersion: '1', now: NOW })).toEqual(initialState('1', NOW));
});
