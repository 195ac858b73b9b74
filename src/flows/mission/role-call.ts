/** A role of a mission: the call, what it left for the memory, and what ends or delays the command instead of counting against the role. */
import { fence } from '../../domain/fence.ts';
import { missionFeatureNumber } from '../../domain/feature-name.ts';
import { saysNothing } from '../../kernel/flight/not-counted.ts';
import { callRole } from '../../kernel/roles/call-role.ts';
import type { RoleResult } from '../../kernel/roles/contract.ts';
import { ended, type MissionPlace, type MissionProgress } from './contract.ts';
import { identityOf, missionName, rememberSession, summaryFor } from './memory-files.ts';
import type { MissionState } from '../../kernel/mission-schema.ts';

type MissionRole = keyof MissionPlace['config']['mission']['models'];

export interface MissionCall {
  role: string;
  output: string | null;
  variables: Readonly<Record<string, string>>;
  tree: string;
  feature?: string;
  testFiles?: readonly string[];
  lane?: string | null;
  keeps?: 'tree';
}

export type Called = { kind: 'answered'; result: RoleResult } | { kind: 'delayed'; progress: MissionProgress };

const TAKES_SUMMARY: ReadonlySet<string> = new Set(['planner', 'orchestrator', 'architect', 'debugger', 'documenter']);

export async function callMissionRole(place: MissionPlace, state: MissionState, call: MissionCall): Promise<Called> {
  const { role, output, tree } = call;
  const summary: Record<string, string> = TAKES_SUMMARY.has(role) ? { summary: await summaryFor(place, role) } : {};
  const feature = call.feature === undefined ? null : missionFeatureNumber(call.feature);
  const result = await callRole(limited(place, role), {
    role: `mission/${role}`,
    variables: { ...call.variables, ...summary },
    identity: await identityOf(place, role),
    model: modelOf(place, role),
    output,
    lane: `mission-${role}${call.lane === null || call.lane === undefined ? '' : `-${call.lane}`}`,
    tree,
    ...(call.keeps === undefined ? {} : { keeps: call.keeps }),
    language: 'en',
    ...(call.testFiles === undefined ? {} : { testFiles: call.testFiles }),
    ...(feature === null ? {} : { feature }),
  });
  const { stop } = result;
  if (stop?.neverStarted === true) {
    const outcome = stop.reason.startsWith('budget.') ? 'escalated' : 'error';
    return { kind: 'delayed', progress: { rest: ended(outcome, [stop.reason], `${role}: ${stop.message}`) } };
  }
  if (
    stop !== null &&
    (saysNothing([stop.reason]) || (stop.reason === 'agent.failed' && result.reply.trim() === '' && result.output === null))
  )
    return {
      kind: 'delayed',
      progress: { event: { type: 'held.up', reason: stop.reason, message: `${role}: ${stop.message}`, until: stop.retryAt } },
    };
  const { iteration } = state;
  const about = { role, feature: call.feature ?? null, iteration, session: result.session ?? iteration };
  await rememberSession(place, result, about, missionName(place, state));
  return { kind: 'answered', result };
}

export function modelOf({ config }: Pick<MissionPlace, 'config'>, role: string): string {
  return config.mission.models[role.replaceAll('-', '_') as MissionRole];
}

/** With the role's own time. */
export function limited<Place extends Pick<MissionPlace, 'config'>>(place: Place, role: string): Place {
  const seconds = place.config.mission.timeouts[role.replaceAll('-', '_') as MissionRole];
  if (seconds === undefined) return place;
  const minutes = seconds / 60;
  const session = { ...place.config.session, timeout_minutes: minutes, timeout_warning_minutes: minutes * 0.8 };
  return { ...place, config: { ...place.config, session } };
}

/** The last line of a reply that begins with a word; null: it has none. */
export function lineWith(reply: string, pattern: RegExp): RegExpExecArray | null {
  const lines = reply.split('\n').map((line) => line.trim());
  for (const line of lines.toReversed()) {
    const match = pattern.exec(line);
    if (match !== null) return match;
  }
  return null;
}

/** For a prompt: bounded, and unable to end its fence. */
export function data(label: string, text: string, longest = 40_000): string {
  return fence(label, text.length <= longest ? text : `${text.slice(0, longest)}\n[…]`);
}
