/** What a runner's own processes load first, through NODE_OPTIONS: its workers inherit it. */
import lookInRunners from '../../../assets/parts/look-in-runners.cjs';
import { join } from 'node:path';
import { elsewhereForNode } from './elsewhere.ts';
import { hidingPreload } from './neutral.ts';
import { lookingSource } from './looking.ts';
import type { PlanRequest, RunPlan } from './runner.ts';

export function requiredPreloads(request: PlanRequest): { env: Record<string, string>; support: RunPlan['support'] } {
  const { variant } = request;
  const support: RunPlan['support'] = [];
  if (variant.neutral !== undefined)
    support.push({
      path: join(request.supportDirectory, 'first.cjs'),
      content: `${hidingPreload(request)}${lookingSource(request)}${lookInRunners}`,
    });
  const elsewhere = elsewhereForNode(request);
  const options = [...support.map(({ path }) => path), ...elsewhere.preload].map((path) => `--require=${JSON.stringify(path)}`).join(' ');
  return { env: options === '' ? {} : { NODE_OPTIONS: options }, support: [...support, ...elsewhere.support] };
}
