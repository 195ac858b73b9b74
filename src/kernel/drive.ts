/**
 * The only loop in the product: start what is due, wait for whichever step ends first, apply its event, write, tell, again.
 *
 * 1. A step is under way at most once; a lane has at most one step under way. Steps of other lanes go on meanwhile.
 * 2. The new state is written before anything that follows from it is told or started.
 * 3. A lane whose step rested is not started again in this drive; the others go on. When nothing is left to start, the drive ends with
 *    what rested first, or with what the state itself says.
 * 4. What others have asked for is taken up between steps, before anything new is started. If that ends the drive, nothing new is started.
 * 5. Where a place is opened with this drive, the machine is told so first. One write, where that changes anything.
 * 6. Every step that was started is waited for, also when one of them throws: nobody writes behind a drive that has ended.
 */
import type { DueStep, Flow, Progress } from './flow.ts';

export interface Seat<State, Event, Rest> {
  /** The place was opened for this drive: nobody has driven it since it was left. */
  opens?: boolean;
  write(state: State): Promise<void>;
  /** After the write. */
  told?(event: Event, after: State, before: State): void | Promise<void>;
  /** What others have asked for meanwhile (`documents.requests`): an event like a step's, or the end of the drive. */
  between?(state: State): Promise<Progress<Event, Rest> | null>;
}

export interface Driven<State, Rest> {
  state: State;
  rest: Rest;
}

const OWN_LANE = '';

export async function drive<State, Event, Step extends DueStep, Rest, Place>(
  flow: Flow<State, Event, Step, Rest, Place>,
  place: Place,
  seat: Seat<State, Event, Rest>,
  begin: State,
): Promise<Driven<State, Rest>> {
  let state = begin;
  let ending: Rest | undefined;
  const underWay = new Map<string, Promise<Ended<Event, Rest>>>();
  const rested = new Map<string, Rest>();
  const apply = async (progress: Progress<Event, Rest>): Promise<Rest | undefined> => {
    if ('event' in progress) {
      const before = state;
      state = flow.transition(before, progress.event);
      await seat.write(state);
      await seat.told?.(progress.event, state, before);
    }
    return progress.rest;
  };
  try {
    if (seat.opens === true && !isSame(flow.transition(state, flow.reopened), state)) await apply({ event: flow.reopened });
    for (;;) {
      while (ending === undefined) {
        const asked = (await seat.between?.(state)) ?? null;
        if (asked === null) break;
        ending = await apply(asked);
      }
      for (const step of ending === undefined ? startable(flow.due(state), underWay, rested) : []) {
        const lane = laneOf(step);
        underWay.set(lane, endOf(lane, flow.perform(place, step, state)));
      }
      if (underWay.size === 0) return { state, rest: first(rested.values()) ?? ending ?? flow.resting(state) };
      const ended = await Promise.race(underWay.values());
      underWay.delete(ended.lane);
      const rest = await apply(ended.progress);
      if (rest !== undefined) rested.set(ended.lane, rest);
    }
  } finally {
    await Promise.allSettled(underWay.values());
  }
}

/** States are documents: two that would be written alike are the same. */
function isSame(one: unknown, other: unknown): boolean {
  return one === other || JSON.stringify(one) === JSON.stringify(other);
}

interface Ended<Event, Rest> {
  lane: string;
  progress: Progress<Event, Rest>;
}

async function endOf<Event, Rest>(lane: string, progress: Promise<Progress<Event, Rest>>): Promise<Ended<Event, Rest>> {
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
