import { describe, expect, test } from 'vitest';
import type { Feature } from '../../../domain/feature.ts';
import type { Flight, ProjectState } from '../../../domain/session.ts';
import { initialState, newFlight } from './document.ts';
import { flightsOf, focused, inOrder, laneFor } from './lanes.ts';
import { planSession } from './plan-session.ts';
import { advance, due } from './run.ts';
import { beginRun, type RunEvent, type Running } from './running.ts';

const NOW = '2026-01-02T03:04:05.000Z';
const RULES = { maxStuckSessions: 3, cleanupInterval: 0 };
const HEAD = { commit: 'b', tree: 't', branch: 'main' };
const open = (id: number, depends_on: number[] = []): Feature => ({
  id,
  description: `f${id}`,
  test_file: `t${id}`,
  passes: false,
  depends_on,
});
const LIST = { project: 'p', features: [open(1), open(2), open(3, [1]), open(4)] };

const flight = (session: number, feature: number | null, change: Partial<Flight> = {}): Flight => ({
  ...newFlight({ session, feature, prompt: 'coding', base: 'b', branch: 'main', started_at: NOW }),
  lane: feature === null ? null : `lane-${session}`,
  ...change,
});
const state = (...flights: Flight[]): ProjectState => inOrder({ ...initialState('1', NOW), beside: flights, last_session: flights.length });
const running = (project: ProjectState, change = {}): Running => ({
  project,
  run: { ...beginRun({ wanted: Number.POSITIVE_INFINITY, cleanup: false, knownSound: true, lanes: 3 }), ...change },
});
const after = (now: Running, event: RunEvent): Running => advance(now, event, RULES, NOW);
const names = (now: Running): string[] => due(now).map(({ key }) => key);
const plan = (project: ProjectState): string => {
  const planned = planSession(project, LIST, { cleanup: false, unattended: true, beside: true });
  return planned.kind === 'session' ? `#${planned.feature?.id ?? 'cleanup'}` : planned.kind;
};
const settled = (session: number, kind: 'needs_human' | 'rejected'): RunEvent => ({
  type: 'flown',
  session,
  event: {
    type: 'settled',
    ending:
      kind === 'rejected'
        ? { kind, reasons: ['test.failed'] }
        : {
            kind,
            reasons: ['manual.confirmation'],
            pending: { session, feature: session, base: 'b', branch: 'main', tree: 't', verdict: 'v', gate: 'project.review' },
          },
    closing: {
      spent: {
        tokens: { input: 0, output: 0, cached: 0 },
        cost_usd: null,
        usage: { input_tokens: 0, output_tokens: 0, cache_read_input_tokens: 0, cache_creation_input_tokens: 0 },
      },
      model: 'm',
      backend: 'b',
      message: '',
    },
  },
});

describe('with lanes', () => {
  test('another session is looked for while one is free, beside the flights', () => {
    expect(names(running(state(flight(1, 1), flight(2, 2))))).toEqual(['prepare 1', 'prepare 2', 'look']);
    expect(names(running(state(flight(1, 1), flight(2, 2), flight(3, 4))))).toEqual(['prepare 1', 'prepare 2', 'prepare 3']);
    expect(names(running(state(flight(1, null))))).toEqual(['prepare 1']);
  });

  test('nobody works on a feature that somebody works on, or that waits for one', () => {
    expect(plan(state(flight(1, 1)))).toBe('#2');
    expect(plan(state(flight(1, 1), flight(2, 2)))).toBe('#4');
    expect(plan(state(flight(1, 1), flight(2, 2), flight(3, 4)))).toBe('holding');
    expect(plan({ ...state(flight(1, 1)), next_prompt: 'cleanup' })).toBe('holding');
  });

  test('what a plan means for the whole project waits until nobody flies', () => {
    const looked = after(running(state(flight(1, 1))), { type: 'looked', plan: { kind: 'holding' }, head: HEAD, changes: [] });
    expect(names(looked)).toEqual(['prepare 1']);
    const complete = after(running(state(flight(1, 1))), { type: 'looked', plan: { kind: 'complete' }, head: HEAD, changes: [] });
    expect(names(complete)).toEqual(['prepare 1']);
  });

  test('a session begins in the first free lane, and one without a feature alone', () => {
    const looked = after(running(state(flight(2, 2))), {
      type: 'looked',
      plan: { kind: 'session', session: 3, prompt: 'coding', feature: open(4) },
      head: HEAD,
      changes: [],
    });
    expect(flightsOf(looked.project).map(({ session, lane }) => [session, lane])).toEqual([
      [2, 'lane-2'],
      [3, 'lane-1'],
    ]);
    expect(laneFor([flight(1, 1)], 3, null)).toBeNull();
    expect(laneFor([], 3, null)).toEqual({ lane: null });
    expect(laneFor([flight(1, null)], 3, 2)).toBeNull();
  });

  test('an event changes the flight that it is about, and the document keeps their order', () => {
    const moved = after(running(state(flight(1, 1), flight(2, 2))), {
      type: 'flown',
      session: 2,
      event: { type: 'prepared', workspace: '/w', checkpoint: 'c' },
    });
    expect(flightsOf(moved.project).map(({ session, phase }) => [session, phase])).toEqual([
      [1, 'preparing'],
      [2, 'working'],
    ]);
    expect(() => focused(moved.project, 9)).toThrow(/not under way/);
  });

  test('sessions that end one after the other are talked about in turn, and no question is lost', () => {
    const both = running(state(flight(1, 1, { phase: 'settling', checkpoint: 'c' }), flight(2, 2, { phase: 'settling', checkpoint: 'c' })));
    const ended = after(after(both, settled(1, 'needs_human')), settled(2, 'needs_human'));
    expect(ended.run).toMatchObject({ session: { session: 1 }, ended: [{ session: 2 }] });
    expect([ended.project.pending?.session, ...ended.project.parked.map(({ pending }) => pending?.session)].toSorted()).toEqual([1, 2]);
    const talked = after(ended, { type: 'done', changes: [], next: { kind: 'again' } });
    expect(talked.run).toMatchObject({ session: { session: 2 }, ended: [] });
  });

  test('a process that died with several in the air leaves each to its own phase', () => {
    const opened = after(
      running(
        state(
          flight(1, 1),
          flight(2, 2, { phase: 'working', checkpoint: 'c' }),
          flight(3, 4, { phase: 'landing', checkpoint: 'c', commit: 'k' }),
        ),
      ),
      { type: 'reopened' },
    );
    expect(flightsOf(opened.project).map(({ session, phase }) => [session, phase])).toEqual([
      [2, 'salvaging'],
      [3, 'landing'],
    ]);
    expect(opened.project.last_session).toBe(3);
  });
});
