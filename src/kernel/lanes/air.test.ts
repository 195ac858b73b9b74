import { describe, expect, test } from 'vitest';
import { FlightSchema, type Flight } from '../../domain/session.ts';
import { dueFlights, freeLane, onRunway, portBase } from './air.ts';

const flight = (session: number, change: Partial<Flight> = {}): Flight => ({
  ...FlightSchema.parse({
    session,
    feature: session,
    prompt: 'coding',
    phase: 'working',
    base: 'b',
    branch: 'main',
    checkpoint: 'c',
    started_at: '',
  }),
  lane: `lane-${session}`,
  ...change,
});

describe('flights side by side', () => {
  test('each do their step in a lane of their own', () => {
    expect(dueFlights([flight(1), flight(2, { phase: 'captured' })])).toEqual([
      { key: 'converse 1', name: 'converse', session: 1, lane: 'lane-1' },
      { key: 'judge 2', name: 'judge', session: 2, lane: 'lane-2' },
    ]);
  });

  test('land one after the other', () => {
    const both = [flight(1, { phase: 'landing' }), flight(2, { phase: 'landing' }), flight(3)];
    expect(dueFlights(both).map(({ key }) => key)).toEqual(['commit 1', 'converse 3']);
  });

  test.each<[string, Partial<Flight>]>([
    ['has its commit', { phase: 'landing', commit: 'k' }],
    ['is brought onto the new commit', { phase: 'moving' }],
    ['is judged again there', { phase: 'captured', moves: 1 }],
    ['was accepted there', { phase: 'landing', moves: 1 }],
    ['is pushed', { phase: 'pushing' }],
  ])('whoever %s is not overtaken', (_title, change) => {
    const flights = [flight(1, { phase: 'landing' }), flight(2, change)];
    expect(onRunway(flights)?.session).toBe(2);
    expect(dueFlights(flights).map(({ session }) => session)).toEqual([2]);
  });

  test('a first judgement needs no runway', () => {
    const flights = [flight(1, { phase: 'moving' }), flight(2, { phase: 'captured' })];
    expect(dueFlights(flights).map(({ key }) => key)).toEqual(['move 1', 'judge 2']);
  });

  test('without a lane of its own, a flight is in the lane of the flow', () => {
    expect(dueFlights([flight(1, { lane: null })])).toEqual([{ key: 'converse 1', name: 'converse', session: 1 }]);
  });
});

test('the first free lane is taken, and none beyond their number', () => {
  expect(freeLane([], 1)).toEqual({ lane: null });
  expect(freeLane([{ lane: 'lane-2' }], 3)).toEqual({ lane: 'lane-1' });
  expect(freeLane([{ lane: 'lane-1' }, { lane: 'lane-2' }], 3)).toEqual({ lane: 'lane-3' });
  expect(freeLane([{ lane: 'lane-1' }, { lane: 'lane-2' }], 2)).toBeNull();
});

test('lanes have ports of their own', () => {
  const all = ['/home/one', '/home/two'].flatMap((root) => Array.from({ length: 32 }, (_, at) => portBase(`lane-${at + 1}`, root)!));
  expect(portBase(null, '/home/one')).toBeNull();
  expect(portBase('lane-2', '/home/one')! - portBase('lane-1', '/home/one')!).toBe(10);
  expect(new Set(all.map((port) => Math.floor(port / 10))).size).toBe(64);
  expect(Math.min(...all)).toBeGreaterThan(20_000);
  expect(Math.max(...all) + 9).toBeLessThan(32_768);
});
