import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Flight } from '../../../domain/session.ts';
import type { Brief } from '../contract.ts';
import type { FlightEvent } from '../machine.ts';
import { openFlightBench, type FlightBench } from '../test-support.ts';
import { capture } from './capture.ts';
import { converse } from './converse.ts';
import { prepare } from './prepare.ts';
import { settle } from './settle.ts';

type Conversed = Extract<FlightEvent, { type: 'conversed' }>;

let bench: FlightBench;
beforeAll(async () => void (bench = await openFlightBench()));
beforeEach(() => bench.reset());
afterAll(() => bench.close());

/** Ready for its agent, which does this. */
async function ready(script: string, change: Partial<Flight> = {}): Promise<Flight> {
  bench.agent(`cat > "$TMPDIR/prompt"\n${script}`);
  const flight = bench.flight(change);
  const event = await prepare(bench.place, { ...flight, phase: 'preparing' }, bench.brief());
  return { ...flight, workspace: (event as { workspace: string }).workspace };
}

const talk = async (script: string, change: Partial<Flight> = {}, brief: Partial<Brief> = {}): Promise<Conversed> =>
  (await converse(bench.place, await ready(script, change), bench.brief(brief))) as Conversed;

const prompt = (): string => readFileSync(join(bench.place.live.get(1)!.copy!.folder, 'tmp', 'prompt'), 'utf8');

describe('a turn of the agent', () => {
  test('tells it the task; that it ended by itself is no reason to stop', async () => {
    const event = await talk('echo done');
    expect(event).toMatchObject({ type: 'conversed', stop: null });
    expect(prompt()).toBe('You are a test.\n\nSay something new.');
    expect(bench.told('session.start')).toMatchObject([{ session: 1, feature: 1, backend: 'command' }]);
  });

  test('leaves its files in the copy, and costs in the books', async () => {
    const flight = await ready(`echo new > src/new.txt; echo '{"type":"usage","input_tokens":10,"output_tokens":2,"cost_usd":0.25}'`);
    await converse(bench.place, flight, bench.brief());
    const taken = await capture(bench.place, { ...flight, phase: 'capturing' }, bench.brief());
    expect(taken).toMatchObject({ type: 'captured', tree: await bench.tree({ 'src/new.txt': 'new\n' }) });
    expect(bench.kept.get('costs.yaml')).toContain('0.25');
    const ended = { ...flight, phase: 'settling' as const, end: { kind: 'verified' as const, reasons: [], message: '', outage: false } };
    expect((await settle(bench.place, ended, bench.brief())).spent).toMatchObject({ cost_usd: 0.25 });
  });

  test('that fails is told with what it said', async () => {
    const event = await talk('echo "I have no idea"; exit 3');
    expect(event.stop).toMatchObject({ reason: 'agent.failed' });
  });

  test('that never began is told as such', async () => {
    const place = { ...bench.place, config: { ...bench.place.config, agent: { ...bench.place.config.agent, command: '/nowhere/agent' } } };
    const event = (await converse(place, await ready(''), bench.brief())) as Conversed;
    expect(event.stop?.reason).toBe('agent.failed');
    expect(event.stop?.never_started || event.stop?.died_at_once).toBe(true);
  });

  test('stops when somebody interrupts', async () => {
    const aborter = new AbortController();
    const flight = await ready('touch src/begun.txt; sleep 60');
    const talking = converse({ ...bench.place, signal: aborter.signal }, flight, bench.brief());
    while (bench.told('session.start').length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    aborter.abort();
    expect(((await talking) as Conversed).stop).toMatchObject({ reason: 'interrupted', never_started: false });
  });

  test('shows what it says of its own tests', async () => {
    const event = await talk('echo "node --test test/one.test.js"; echo "✔ says something new"; echo "ℹ pass 1"; echo "ℹ fail 0"');
    expect(event.evidence).toMatchObject({ mentionsTestFile: true });
  });
});

describe('what the agent answers', () => {
  test('is read where the flow finds its claim there', async () => {
    const reads: Brief['reads'] = (reply) => ({ claims: reply.includes('DONE'), message: reply.trim() });
    expect((await talk('echo All DONE', {}, { reads, list: null })).word).toEqual({ claims: true, message: 'All DONE' });
    bench.place.live.clear();
    expect((await talk('echo not yet', {}, { reads, list: null })).word).toEqual({ claims: false, message: 'not yet' });
  });

  test('is kept for people, shortened, where it was told what the examiner expects', async () => {
    const event = await talk(`printf '%03000d' 7`, { examined: true });
    expect(event.said).toHaveLength(2_000);
    expect((await talk('echo x')).said).toBeUndefined();
  });
});

describe('a claim that was refused', () => {
  const refused = { tree: 't', verdict: 'v1' };

  test('goes back to the agent in words', async () => {
    await bench.verdict({
      decision: 'rejected',
      reasons: ['test.failed'],
      findings: [
        {
          check: 'feature-test',
          reason: 'test.failed',
          weight: 'reject',
          message: 'the test of the feature fails',
          subjects: ['test/one.test.js'],
        },
      ],
    });
    await talk('', { refused, answers: 1 });
    expect(prompt()).toContain('the test of the feature fails');
    expect(prompt()).not.toContain('Say something new.');
    expect(bench.told('session.inject')).toMatchObject([{ session: 1, delivered: true }]);
  });

  test('whose verdict is gone is followed by the task itself', async () => {
    await talk('', { refused, answers: 1 });
    expect(prompt()).toContain('Say something new.');
    expect(bench.told('session.inject')).toEqual([]);
  });
});

test('a flight that nobody holds is not begun blindly', async () => {
  expect(await converse(bench.place, bench.flight(), bench.brief())).toEqual({ type: 'reopened' });
  expect(bench.told('session.start')).toEqual([]);
});
