/**
 * What a flow is: a pure machine that says what is due, and one place with effects.
 *
 * 1. `due`, `transition` and `resting` are pure. The state changes only through `transition`; one event is one new state and one durable write.
 * 2. `perform` may be cut off at any point. What it writes besides the state it writes idempotently; the state is written last, by the driver.
 * 3. An interrupt, a pause, a usage limit and a question are results of a step (`rest`), never exceptions. An exception is a defect.
 * 4. Steps do not call steps.
 * 5. Every machine knows one event more than its steps have, `reopened`. Somebody may have died in any phase; there is no other recovery.
 */

/** A step that is due. Two steps with the same key are the same step; a lane runs one step at a time. */
export interface DueStep {
  readonly key: string;
  /** Where the step needs a copy of its own; steps of different lanes run side by side. Without: the flow's own lane. */
  readonly lane?: string;
}

/** What came of a step: an event that changes the state; or the lane rests, after an event or with nothing that the state has to know. */
export type Progress<Event, Rest> = { readonly event: Event; readonly rest?: Rest } | { readonly rest: Rest };

export interface Flow<State, Event, Step extends DueStep, Rest, Place> {
  /** Everything that is due now. Empty: the flow is at an end or waits for a person; `resting` says which. */
  due(state: State): readonly Step[];
  transition(state: State, event: Event): State;
  /** Only asked when nothing is due. */
  resting(state: State): Rest;
  perform(place: Place, step: Step, state: State): Promise<Progress<Event, Rest>>;
  /** What happens to a state when its place is opened again, whoever left it in whichever phase: the machine says what is due then. */
  readonly reopened: Event;
}
