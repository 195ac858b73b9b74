import { describe, expect, it } from 'vitest';
import { drive, type Seat } from './drive.ts';
import type { DueStep, Flow, Progress } from './flow.ts';

interface Count {
  left: Record<string, number>;
}
interface Took {
  lane: string;
}
type Rest = 'done' | 'waits';
type CountFlow = Flow<Count, Took, DueStep, Rest, null>;

/** Each lane counts down to nothing, one step at a time. */
function counting(perform: (step: DueStep) => Promise<Progress<Took, Rest>>): CountFlow {
  return {
    due: ({ left }) =>
      Object.entries(left)
        .filter(([, count]) => count > 0)
        .map(([lane, count]) => ({ key: `${lane} ${count}`, lane })),
    transition: ({ left }, { lane }) => ({ left: { ...left, [lane]: (left[lane] ?? 0) - 1 } }),
    resting: () => 'done',
    perform: (_place, step) => perform(step),
    reopened: { lane: 'left open' },
  };
}

function seat(): Seat<Count, Took, Rest> & { written: Count[]; log: string[] } {
  const written: Count[] = [];
  const log: string[] = [];
  return {
    written,
    log,
    write: async (state) => {
      written.push(state);
      log.push('written');
    },
    told: () => void log.push('told'),
  };
}

const took = async ({ lane }: DueStep): Promise<Progress<Took, Rest>> => ({ event: { lane: lane ?? '' } });

describe('drive', () => {
  it('goes on until nothing is due, with one write for each event, told after it', async () => {
    const at = seat();
    const { state, rest } = await drive(counting(took), null, at, { left: { one: 3 } });
    expect(rest).toBe('done');
    expect(state.left).toEqual({ one: 0 });
    expect(at.written.map(({ left }) => left['one'])).toEqual([2, 1, 0]);
    expect(at.log).toEqual(['written', 'told', 'written', 'told', 'written', 'told']);
  });

  it('runs lanes side by side and one step at a time in each', async () => {
    const running = new Map<string, number>();
    let most = 0;
    const flow = counting(async ({ lane = '' }) => {
      running.set(lane, (running.get(lane) ?? 0) + 1);
      expect(running.get(lane)).toBe(1);
      most = Math.max(most, [...running.values()].filter((count) => count > 0).length);
      await new Promise((resolve) => setImmediate(resolve));
      running.set(lane, 0);
      return { event: { lane } };
    });
    const { state } = await drive(flow, null, seat(), { left: { one: 4, two: 2, three: 1 } });
    expect(state.left).toEqual({ one: 0, two: 0, three: 0 });
    expect(most).toBe(3);
  });

  it('lets a lane rest while the others go on, and ends with what rested', async () => {
    const flow = counting(async (step) => (step.lane === 'two' ? { rest: 'waits' } : took(step)));
    const { state, rest } = await drive(flow, null, seat(), { left: { one: 3, two: 2 } });
    expect(rest).toBe('waits');
    expect(state.left).toEqual({ one: 0, two: 2 });
  });

  it('waits for what is under way before it passes a defect on', async () => {
    let finished = false;
    const flow = counting(async ({ lane = '' }) => {
      if (lane === 'one') throw new Error('a defect');
      await new Promise((resolve) => setTimeout(resolve, 20));
      finished = true;
      return { event: { lane } };
    });
    await expect(drive(flow, null, seat(), { left: { one: 1, two: 1 } })).rejects.toThrow('a defect');
    expect(finished).toBe(true);
  });

  it('tells the machine first that its place was opened, and writes what that changes', async () => {
    const [at, unchanged] = [seat(), seat()];
    const flow = counting(took);
    await drive(flow, null, { ...at, opens: true }, { left: { 'left open': 1 } });
    expect(at.written).toEqual([{ left: { 'left open': 0 } }]);
    await drive({ ...flow, transition: (state) => ({ ...state }) }, null, { ...unchanged, opens: true }, { left: {} });
    expect(unchanged.written).toEqual([]);
  });

  it('starts nothing after a write that failed', async () => {
    let started = 0;
    const flow = counting(async (step) => {
      started++;
      return await took(step);
    });
    const full = { write: () => Promise.reject(new Error('no space')) };
    await expect(drive(flow, null, full, { left: { one: 5 } })).rejects.toThrow('no space');
    expect(started).toBe(1);
  });

  it('does not start a step that is due again under the same key while it is under way', async () => {
    const starts: string[] = [];
    const flow = counting(async (step) => {
      starts.push(step.key);
      await new Promise((resolve) => setTimeout(resolve, step.lane === 'slow' ? 30 : 1));
      return { event: { lane: step.lane ?? '' } };
    });
    await drive(flow, null, seat(), { left: { slow: 1, quick: 5 } });
    expect(starts.filter((key) => key === 'slow 1')).toHaveLength(1);
  });

  it('writes an event and rests where a step says both', async () => {
    const at = seat();
    const flow = counting(async ({ lane = '' }) => ({ event: { lane }, rest: 'waits' }));
    const { state, rest } = await drive(flow, null, at, { left: { one: 3 } });
    expect([state.left['one'], rest, at.written.length]).toEqual([2, 'waits', 1]);
  });

  it('takes up between steps what others have asked for, each before anything new is started', async () => {
    const asked: Progress<Took, Rest>[] = [{ event: { lane: 'two' } }, { event: { lane: 'two' } }];
    const starts: string[] = [];
    const flow = counting(async (step) => {
      starts.push(step.key);
      return await took(step);
    });
    const at = { ...seat(), between: async () => asked.shift() ?? null };
    const { state, rest } = await drive(flow, null, at, { left: { one: 1, two: 3 } });
    expect([state.left, rest]).toEqual([{ one: 0, two: 0 }, 'done']);
    expect(starts).toEqual(['one 1', 'two 1']);
  });

  it('starts nothing new once somebody asked for the end, and waits for what is under way', async () => {
    let asked = false;
    const starts: string[] = [];
    const flow = counting(async (step) => {
      starts.push(step.key);
      await new Promise((resolve) => setTimeout(resolve, step.lane === 'slow' ? 20 : 1));
      asked = true;
      return await took(step);
    });
    const at = { ...seat(), between: async (): Promise<Progress<Took, Rest> | null> => (asked ? { rest: 'waits' } : null) };
    const { state, rest } = await drive(flow, null, at, { left: { quick: 5, slow: 2 } });
    expect([state.left, rest, starts]).toEqual([{ quick: 4, slow: 1 }, 'waits', ['quick 5', 'slow 2']]);
  });
});
