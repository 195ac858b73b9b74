import { describe, expect, test } from 'vitest';
import { FlightSchema, type AwayAgent, type Flight } from '../../domain/session.ts';
import { afterFlight, chooseAgent, goesOnWith, switchReason, type AgentRules } from './away.ts';

const MINUTE = 60_000;
const START = Date.parse('2026-11-19T22:00:00.000Z');
const FIRST = { backend: 'anthropic', model: null };
const SECOND = { backend: 'codex', model: 'gpt' };
const THIRD = { backend: 'command', model: null };
const RULES: AgentRules = { agents: [FIRST, SECOND, THIRD], outageMs: 10 * MINUTE };

function flight(agent: Flight['agent'], stop: Partial<NonNullable<Flight['stop']>> | null, more: Partial<Flight> = {}): Flight {
  const ended = {
    session: 1,
    feature: 1,
    prompt: 'coding',
    phase: 'settling',
    base: 'b',
    branch: 'main',
    checkpoint: 'c',
    started_at: '',
    agent,
  };
  return FlightSchema.parse({ ...ended, stop: stop === null ? null : { reason: 'usage_limit', message: '', ...stop }, ...more });
}

const at = (minutes: number): number => START + minutes * MINUTE;

describe('who flies next', () => {
  test('the first, until its quota ends; the first again from the moment its provider named', () => {
    const away = afterFlight(RULES, [], flight(FIRST, { reason: 'usage_limit', retry_at: at(90) }), at(0));
    expect(chooseAgent(RULES, away, at(1)).agent).toBe(SECOND);
    expect(chooseAgent(RULES, away, at(89.9)).agent).toBe(SECOND);
    expect(chooseAgent(RULES, away, at(90))).toEqual({ agent: FIRST, wellAt: null });
  });

  test('a quota without a known end is asked about again after a pause that grows to an hour', () => {
    let away: AwayAgent[] = [];
    const pauses: number[] = [];
    for (let now = at(0), tries = 0; tries < 5; tries += 1) {
      away = afterFlight(RULES, away, flight(FIRST, {}), now);
      const until = Date.parse(away[0]!.until);
      pauses.push((until - now) / MINUTE);
      now = until;
    }
    expect(pauses).toEqual([15, 30, 60, 60, 60]);
  });

  test('a time that no allowance lasts is not believed', () => {
    const [entry] = afterFlight(RULES, [], flight(FIRST, { retry_at: at(60 * 24 * 365) }), at(0));
    expect(Date.parse(entry!.until)).toBe(at(15));
  });

  test('a provider that is down keeps its agent for ten minutes, whatever the number of tries, and then loses it', () => {
    let away: AwayAgent[] = [];
    const down = flight(FIRST, { reason: 'api.unavailable' });
    for (const minutes of [0, 1, 4, 9.9]) {
      away = afterFlight(RULES, away, down, at(minutes));
      expect(chooseAgent(RULES, away, at(minutes)).agent).toBe(FIRST);
      expect(goesOnWith(RULES, away, { outage: true, now: at(minutes) })).toBeNull();
    }
    away = afterFlight(RULES, away, down, at(10));
    expect(goesOnWith(RULES, away, { outage: true, now: at(10) })).toEqual({ agent: SECOND, wellAt: null });
    expect(switchReason(away, FIRST, SECOND)).toBe(`anthropic cannot reach its provider since ${new Date(at(0)).toISOString()}`);
  });

  test('where all are out of quota, the one that is well soonest is waited for', () => {
    const away = [FIRST, SECOND, THIRD].reduce<AwayAgent[]>(
      (known, agent, index) => afterFlight(RULES, known, flight(agent, { retry_at: at([50, 20, 90][index]!) }), at(0)),
      [],
    );
    expect(goesOnWith(RULES, away, { outage: false, now: at(1) })).toEqual({ agent: SECOND, wellAt: at(20) });
  });

  test('where nobody is logged in anywhere, nobody goes on', () => {
    const away = [FIRST, SECOND, THIRD].reduce<AwayAgent[]>(
      (known, agent) => afterFlight(RULES, known, flight(agent, { reason: 'api.auth' }), at(0)),
      [],
    );
    expect(goesOnWith(RULES, away, { outage: false, now: at(1) })).toBeNull();
  });

  test('an agent that cannot start here is passed over', () => {
    const away = afterFlight(RULES, [], flight(SECOND, { reason: 'agent.failed', never_started: true }), at(0));
    expect(away).toMatchObject([{ ...SECOND, why: 'start' }]);
  });
});

describe('what a session says about its agent', () => {
  const away = afterFlight(RULES, [], flight(FIRST, { retry_at: at(30) }), at(0));

  test.each<[string, Flight]>([
    ['one that ended by itself', flight(FIRST, null)],
    ['one that a limit of the harness ended', flight(FIRST, { reason: 'timeout' })],
  ])('%s brings it back', (_, ended) => {
    expect(afterFlight(RULES, away, ended, at(5))).toEqual([]);
  });

  test.each<[string, Flight]>([
    ['one that a person interrupted', flight(FIRST, { reason: 'interrupted' })],
    ['one that a pause ended', flight(FIRST, { reason: 'user_pause' })],
    ['one that was cut off', flight(FIRST, null, { cut_off: 'working' })],
    ['a candidate that a person accepted', flight(FIRST, null, { checkpoint: null })],
    ['one of another agent', flight(SECOND, null)],
  ])('%s says nothing', (_, ended) => {
    expect(afterFlight(RULES, away, ended, at(5))).toEqual(away);
  });
});
