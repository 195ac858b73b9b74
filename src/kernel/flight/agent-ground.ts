/** What every agent session needs of its surroundings, whichever flow starts it: a desk and a project both fit. */
import type { Desk } from '../contract.ts';

export type AgentGround = Pick<Desk, 'platform' | 'config' | 'home' | 'trees' | 'stateDir' | 'harnessHome' | 'emit' | 'drained'>;
