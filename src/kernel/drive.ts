/**
 * The only loop in the product: start what is due, wait for whichever step ends first, apply its event, write, tell, again.
 *
 * 1. A step is under way at most once; a lane has at most one step under way. Steps of other lanes go on meanwhile.
 * 2. The new state is written before anything that follows from it is told or started.
 * 3. A lane whose step rested is not started again in this drive; the others go on. When nothing is left to start, the drive ends with
 *    what rested first, or with what the state itself says.
 * 4. Every step that was started is waited for, also when one of them throws: nobody writes behind a drive that has ended.
 */
import type { DueStep, Flow } from './flow.ts';

export interface Seat<State, Event> {
  write(state: State): Promise<void>;
  /** After the write. */
  told?(event: Event, after: State, before: State): void;
}

export interface Driven<State, Rest> {
  state: State;
  rest: Rest;
}

const OWN_LANE = '';

export async function drive<State, Event, Step extends DueStep, Rest, Place>(
  flow: Flow<State, Event, Step, Rest, Place>,
  place: Place,
  seat: Seat<State, Event>,
  begin: State,
): Promise<Driven<State, Rest>> {
  let state = begin;
  const underWay = new Map<string, Promise<Ended<Event, Rest>>>();
  const rested = new Map<string, Rest>();
  try {
    for (;;) {
      for (const step of startable(flow.due(state), underWay, rested)) {
        const lane = laneOf(step);
        underWay.set(lane, endOf(lane, flow.perform(place, step, state)));
      }
      if (underWay.size === 0) return { state, rest: first(rested.values()) ?? flow.resting(state) };
      const ended = await Promise.race(underWay.values());
      underWay.delete(ended.lane);
      if ('rest' in ended.progress) {
        rested.set(ended.lane, ended.progress.rest);
        continue;
      }
      const before = state;
      state = flow.transition(before, ended.progress.event);
      await seat.write(state);
      seat.told?.(ended.progress.event, state, before);
    }
  } finally {
    await Promise.allSettled(underWay.values());
  }
}

interface Ended<Event, Rest> {
  lane: string;
  progress: Awaited<ReturnType<Flow<never, Event, DueStep, Rest, never>['perform']>>;
}

async function endOf<Event, Rest>(lane: string, progress: Promise<Ended<Event, Rest>['progress']>): Promise<Ended<Event, Rest>> {
  return { lane, progress: await progress };
}

/** The first due step of each lane that is free. */
function startable<Step extends DueStep>(
  due: readonly Step[],
  underWay: ReadonlyMap<string, unknown>,
  rested: ReadonlyMap<string, unknown>,
): Step[] {
  const chosen = new Map<string, Step>();
  for (const step of due) {
    const lane = laneOf(step);
    if (!underWay.has(lane) && !rested.has(lane) && !chosen.has(lane)) chosen.set(lane, step);
  }
  return [...chosen.values()];
}

function laneOf(step: DueStep): string {
  return step.lane ?? OWN_LANE;
}

function first<Value>(values: Iterable<Value>): Value | undefined {
  for (const value of values) return value;
  return undefined;
}
