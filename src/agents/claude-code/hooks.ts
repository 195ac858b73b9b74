/**
 * What the host does between the tool calls of Claude Code.
 *
 * 1. Before a call the tool policy is asked; a refusal reaches the model as the reason. A policy that fails closes the call.
 * 2. What the program says about its effort is told on.
 * 3. After a call, injected text goes out with its result, and the host is asked whether the next request may be sent.
 */
import type { AgentHost, AgentTask } from '../contract.ts';
import { refusalOf } from '../tool-policy.ts';
import type { HookInput, HookMatcher, HookOutput } from './sdk-shape.ts';

export interface Between {
  /** Text that waits for the model; asking takes it. */
  takeInjected(): string | null;
  /** Tokens that the next request will carry, as far as known. */
  nextInput(): number;
  onBudget(inputTokens: number): void;
  onEffort(level: string): void;
}

export function hooksFor(task: AgentTask, host: AgentHost, between: Between): Record<string, HookMatcher[]> {
  const after = async (input: HookInput): Promise<HookOutput> => {
    const inputTokens = between.nextInput();
    if (host.beforeRequest?.({ input_tokens: inputTokens }) === 'stop') {
      between.onBudget(inputTokens);
      return { continue: false, stopReason: 'the budget is used up' };
    }
    const text = between.takeInjected();
    return text === null ? {} : { hookSpecificOutput: { hookEventName: input.hook_event_name, additionalContext: text } };
  };
  const first = async (input: HookInput): Promise<HookOutput> => {
    if (typeof input.effort?.level === 'string') between.onEffort(input.effort.level);
    return await before(task, host, input);
  };
  return {
    PreToolUse: [{ hooks: [first], onFailure: 'block' }],
    PostToolUse: [{ hooks: [after] }],
    PostToolUseFailure: [{ hooks: [after] }],
  };
}

async function before(task: AgentTask, host: AgentHost, input: HookInput): Promise<HookOutput> {
  if (input.tool_name?.startsWith('mcp__')) return {};
  const given = typeof input.tool_input === 'object' && input.tool_input !== null ? (input.tool_input as Record<string, unknown>) : {};
  const reason = await refusalOf(host.platform, task, given);
  if (reason === null) return {};
  return { hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'deny', permissionDecisionReason: reason } };
}
