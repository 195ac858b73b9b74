/** What every agent session needs of its surroundings, whichever flow starts it: a place and a project both fit. */
import type { Place } from '../place.ts';

export type AgentGround = Pick<
  Place,
  'platform' | 'config' | 'home' | 'trees' | 'stateDir' | 'documents' | 'harnessHome' | 'emit' | 'drained'
>;
