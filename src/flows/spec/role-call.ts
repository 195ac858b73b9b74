/** A role of this flow: the call, and what ends the command instead of counting as a failure of the role. */
import { EXIT, exitCodeFor, type Outcome } from '../../domain/reasons.ts';
import type { Place } from '../../kernel/place.ts';
import type { RoleCall, RoleStop } from '../../kernel/roles/contract.ts';
import { ended, type SpecPlace, type StepResult } from './contract.ts';
import { sayIn } from './words/say.ts';
import { EMPTY_TREE } from '../../domain/tree.ts';
import type { SpecState } from './machine/state.ts';

/** In quick mode no model was chosen: the configured one does it. */
export async function callFor(
  place: SpecPlace,
  state: SpecState,
  { role, output, variables }: { role: string; output: string; variables: Readonly<Record<string, string>> },
): Promise<RoleCall> {
  return {
    role,
    variables,
    model: state.model_config?.advisor ?? null,
    output,
    lane: role.replace('/', '-'),
    tree: await currentTree(place),
    language: state.user_lang,
  };
}

/** The last commit; nothing before the first one. */
export async function currentTree(place: Place): Promise<string> {
  return place.home.head === null ? EMPTY_TREE : place.trees.of('HEAD');
}

/** Limits, people and the provider say nothing about the role's work: the command ends, and the same command goes on later. */
export function earlyEnd(state: SpecState, role: string, stop: RoleStop | null): StepResult | null {
  if (stop === null || !saysNothingAboutWork(stop)) return null;
  const outcome: Outcome = stop.neverStarted === true || stop.reason === 'api.auth' ? 'error' : 'partial';
  const message = sayIn(state.user_lang).ended.limit({ role, reason: stop.message });
  const code = stop.reason === 'interrupted' ? EXIT.interrupted : exitCodeFor(outcome, [stop.reason]);
  return ended(code, outcome, [stop.reason], message);
}

export function saysNothingAboutWork({ reason, neverStarted }: Pick<RoleStop, 'reason' | 'neverStarted'>): boolean {
  if (neverStarted === true) return true;
  return (
    reason.startsWith('budget.') ||
    ['interrupted', 'user_pause', 'usage_limit', 'api.auth', 'api.unavailable', 'disk.full'].includes(reason)
  );
}
