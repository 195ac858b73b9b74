/**
 * What is due in a state: the step of the recovery table, or several where they do not see each other. Pure.
 *
 * Each analyst is a step in a lane of its own: one that is written down is not due any more, whatever became of the others.
 */
import { entryPoint, type Step } from './resume.ts';
import type { Analyst, SpecState } from './state.ts';

export type SpecStep =
  | { key: string; name: Exclude<Step, 'analyse'> | 'send-analysts' | 'gather' }
  | { key: string; name: 'analyse'; lane: string; analyst: Analyst };

export function dueSteps(state: SpecState): SpecStep[] {
  const name = entryPoint(state);
  if (name !== 'analyse') return [{ key: name, name }];
  const { analysts, finished_analyses } = state.harness;
  if (analysts === null) return [{ key: 'send-analysts', name: 'send-analysts' }];
  const open = analysts.filter(({ role }) => !finished_analyses.some((analysis) => analysis.role === role));
  if (open.length === 0) return [{ key: 'gather', name: 'gather' }];
  return open.map((analyst) => ({ key: `analyse ${analyst.role}`, name: 'analyse', lane: analyst.role, analyst }));
}
