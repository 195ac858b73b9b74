/** For tests only: a mission in whose repository single steps are performed. Real git and files; documents in memory. */
import { openFlightBench, type FlightBench } from '../../kernel/flight/test-support.ts';
import type { MissionState } from '../../kernel/mission-schema.ts';
import type { MissionPlace, MissionProgress, StepFunction } from './contract.ts';
import type { Rules } from './machine/rules.ts';
import { RULES } from './machine/test-support.ts';
import { asMission } from './open.ts';

export interface MissionBench extends FlightBench {
  mission: MissionPlace;
  perform(
    step: StepFunction,
    state: MissionState,
    about?: { session?: number; feature?: string; rules?: Partial<Rules> },
  ): Promise<MissionProgress>;
}

/** The proof of a claim is a shell script that has to succeed: `test/f1.test.js` and so on. */
const SETTINGS = 'testing:\n  full: sh test.sh\n  feature: sh {test_file}\n';

export async function openMissionBench(settings = ''): Promise<MissionBench> {
  const bench = await openFlightBench(`${SETTINGS}${settings}`);
  const { live, laneRooms } = bench.place;
  const mission: MissionPlace = { ...asMission(bench.place, RULES, 'Build sums.'), live, laneRooms };
  return {
    ...bench,
    mission,
    perform: (step, state, { rules = {}, ...about } = {}) =>
      step({ ...mission, rules: { ...RULES, ...rules } }, { mission: state, run: { from: 0 } }, { key: 'step', name: 'decide', ...about }),
  };
}
