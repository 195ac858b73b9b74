/** What a runner's own processes load first, through NODE_OPTIONS: its workers inherit it. */
import { join } from 'node:path';
import { chancePreload, chosenNumbers, clockPreload, hidingPreload, shiftedDates } from './neutral.ts';
import { LOOK_IN_RUNNERS, lookingSource } from './looking.ts';
import type { PlanRequest, RunPlan } from './runner.ts';

export function requiredPreloads(request: PlanRequest): { env: Record<string, string>; support: RunPlan['support'] } {
  const { variant } = request;
  const support: RunPlan['support'] = [];
  if (variant.neutral !== undefined)
    support.push({
      path: join(request.supportDirectory, 'first.cjs'),
      content: `${hidingPreload(request)}${lookingSource(request)}${LOOK_IN_RUNNERS}`,
    });
  if (variant.clockShiftMs !== undefined)
    support.push({
      path: join(request.supportDirectory, 'clock.cjs'),
      content: `${clockPreload(variant.clockShiftMs)}${inOtherWorlds(shiftedDates(variant.clockShiftMs))}`,
    });
  if (variant.chance !== undefined)
    support.push({
      path: join(request.supportDirectory, 'chance.cjs'),
      content: `${chancePreload(variant.chance, request.room)}${inOtherWorlds(`{${chosenNumbers(variant.chance, request.room)}}`)}`,
    });
  const options = support.map((file) => `--require=${JSON.stringify(file.path)}`).join(' ');
  return { env: options === '' ? {} : { NODE_OPTIONS: options }, support };
}

/** Jest, and vitest where it is told so, run each test file in a world with dates and random numbers of its own: they are changed as it is made. */
function inOtherWorlds(source: string): string {
  return `{
  const vm = require('node:vm');
  const { createContext } = vm;
  const change = new vm.Script(${JSON.stringify(source)});
  vm.createContext = (...given) => {
    const world = createContext(...given);
    change.runInContext(world);
    return world;
  };
}
`;
}
