/** What a decision leads to. Pure. */
import type { MissionState } from '../../../kernel/mission-schema.ts';
import { changed, escalated } from './changes.ts';
import { nameOf } from './flying.ts';
import { ASKED } from './machine.ts';
import type { Rules } from './rules.ts';
import type { MissionEvent } from './state.ts';

export function decided(
  state: MissionState,
  { decision, flights }: Extract<MissionEvent, { type: 'decided' }>,
  rules: Rules,
): MissionState {
  switch (decision.kind) {
    case 'DONE':
      return { ...state, stage: 'proving' };
    case 'ESCALATE':
      return escalated(state, decision.reason, decision.feature ?? null);
    case 'CHECKPOINT':
      return { ...state, checkpoint: decision.name };
    case 'CONVERTED':
      return state;
    case 'NEXT_ARCHITECT':
      return {
        ...state,
        question: { feature: decision.feature, text: `${ASKED}${state.question?.text ?? 'are its claims right, and can they be proved?'}` },
      };
    case 'NEXT_VALIDATOR': {
      const waiting = state.flights.filter(
        (flight) => nameOf(flight) === decision.feature && flight.phase === 'landing' && !state.validated.includes(flight.session),
      );
      return { ...state, validating: [...new Set([...state.validating, ...waiting.map(({ session }) => session)])] };
    }
    case 'NEXT_WORKER':
      if (flights.length > rules.lanes) throw new Error('more flights than lanes');
      return {
        ...state,
        flights: [...state.flights, ...flights],
        features: changed(state, decision.feature, () => ({ status: 'working' })),
      };
  }
}
