/** A row of the table: in which phases, at which event, under which condition, where to, and what changes. */
import type { MachineState, Phase } from '../contract.ts';
import type { EventOf, EventType, Rules, WorkflowEvent } from './event.ts';

export type Change = Partial<Omit<MachineState, 'phase'>>;

export interface Row {
  from: readonly Phase[];
  event: EventType;
  /** The guard in words, for the docs. */
  when?: string;
  holds?: (state: MachineState, event: WorkflowEvent, rules: Rules) => boolean;
  /** Absent: the phase stays. */
  to?: Phase;
  change?: (state: MachineState, event: WorkflowEvent, rules: Rules) => Change;
}

interface RowDetails<Type extends EventType> {
  when?: string;
  holds?: (state: MachineState, event: EventOf<Type>, rules: Rules) => boolean;
  to?: Phase;
  change?: (state: MachineState, event: EventOf<Type>, rules: Rules) => Change;
}

export function row<Type extends EventType>(from: Phase | readonly Phase[], event: Type, details: RowDetails<Type>): Row {
  const { holds, change, ...rest } = details;
  const own = (given: WorkflowEvent): given is EventOf<Type> => given.type === event;
  return {
    from: typeof from === 'string' ? [from] : from,
    event,
    ...rest,
    ...(holds === undefined ? {} : { holds: (state, given, rules) => own(given) && holds(state, given, rules) }),
    ...(change === undefined ? {} : { change: (state, given, rules) => (own(given) ? change(state, given, rules) : {}) }),
  };
}
