/**
 * Answers an agent that asks for permission.
 *
 * 1. What the tool policy leaves open is allowed, once: the next call is asked about again.
 * 2. What it closes is rejected, and so are other agents where the task is for one alone; an agent that offers no way to reject is told that the call is cancelled.
 */
import { startsAgent } from '../../domain/starts-agents.ts';
import type { Platform } from '../../platform/platform.ts';
import type { AgentTask } from '../contract.ts';
import { refusalOf } from '../tool-policy.ts';

export interface PermissionQuestion {
  options: readonly { optionId: string; kind: string }[];
  name: string;
  input: Readonly<Record<string, unknown>>;
}

export type PermissionAnswer = { outcome: { outcome: 'selected'; optionId: string } | { outcome: 'cancelled' } };

export async function answerPermission(
  platform: Platform,
  task: AgentTask,
  question: PermissionQuestion,
): Promise<PermissionAnswer & { refusal: string | null }> {
  const isOther = task.alone === true && startsAgent(question.name, question.input);
  const refusal = isOther ? 'this task may start no other agent' : await refusalOf(platform, task, question.input);
  const wanted = refusal === null ? ['allow_once', 'allow_always'] : ['reject_once', 'reject_always'];
  const option = wanted.flatMap((kind) => question.options.filter((candidate) => candidate.kind === kind))[0];
  return { outcome: option === undefined ? { outcome: 'cancelled' } : { outcome: 'selected', optionId: option.optionId }, refusal };
}
