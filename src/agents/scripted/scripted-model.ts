/**
 * The scripted model behind the wire: a request in, a reply and perhaps a fault out.
 *
 * 1. The reply follows from scenario and request. Only faults, the numbering of conversations and the prefix cache are remembered.
 * 2. Requests without tools from clients that name no role are side errands (titles, summaries): they get a harmless answer.
 * 3. One model may stand behind several servers: sessions of one process share its cache.
 */
import { createHash } from 'node:crypto';
import type { Usage } from '../../domain/money.ts';
import type { ModelRequest } from './model-request.ts';
import { estimateTokens, prefixCache } from './prefix-cache.ts';
import { ScenarioSchema, type Fault, type Scenario, type ScenarioInput, type Step, type ScriptedConversation } from './scenario.ts';
import { translateTool, type ToolCall } from './tool-translation.ts';
import { itemAt } from '../../domain/items.ts';

export interface Reply {
  id: string;
  model: string;
  text: string | null;
  tools: (ToolCall & { id: string })[];
  stopReason: string;
  usage: Usage;
}

export type ModelAnswer = { kind: 'reply'; reply: Reply; fault: Fault | null } | { kind: 'no_match'; message: string };

export interface ScriptedModel {
  answer(request: ModelRequest, automaticCache: boolean): ModelAnswer;
}

export function scriptedModel(input: ScenarioInput): ScriptedModel {
  const scenario: Scenario = ScenarioSchema.parse(input);
  const cache = prefixCache();
  const conversations = new Map<string, number>();
  const faulted = new Map<string, number>();
  let requests = 0;

  const numberOf = (key: string): number => {
    const number = conversations.get(key) ?? conversations.size + 1;
    conversations.set(key, number);
    return number;
  };
  const dueFault = (key: string, step: Step, index: number): Fault | null => {
    const planned = scenario.faults.find(({ request, fault }) => index >= request && index < request + fault.times);
    if (planned !== undefined) return planned.fault;
    const happened = faulted.get(key) ?? 0;
    if (step.fault === undefined || happened >= step.fault.times) return null;
    faulted.set(key, happened + 1);
    return step.fault;
  };

  return {
    answer: (request, automaticCache) => {
      const index = requests;
      requests += 1;
      const key = conversationKey(request);
      const errand = request.tools.length === 0 && request.identity.role === null;
      const chosen = errand ? { conversation: 0, step: 0, play: errandStep(request) } : chooseStep(scenario, request, numberOf(key));
      if (chosen === null) return { kind: 'no_match', message: 'no conversation of the scenario fits this request' };
      const fault = dueFault(`${key}:${chosen.step}`, chosen.play, index);
      const counted = refuses(fault) ? NOTHING_COUNTED : cache.account(request.model, request.segments, automaticCache);
      return { kind: 'reply', reply: replyOf(request, chosen.play, `${chosen.conversation}_${chosen.step}_${index}`, counted), fault };
    },
  };
}

const NOTHING_COUNTED = { input_tokens: 0, cache_read_input_tokens: 0, cache_creation_input_tokens: 0 };

function refuses(fault: Fault | null): boolean {
  return fault !== null && (fault.kind === 'status' || fault.kind === 'context_too_long' || fault.kind === 'reset');
}

function replyOf(request: ModelRequest, step: Step, id: string, counted: Omit<Usage, 'output_tokens'>): Reply {
  const tools = step.tools.map((call, index) => ({ ...translateTool(call, request.tools), id: `toolu_${id}_${index}` }));
  const output_tokens = Math.max(
    1,
    estimateTokens(Buffer.byteLength(step.text ?? '') + Buffer.byteLength(tools.map((tool) => JSON.stringify(tool.input)).join(''))),
  );
  return {
    id: `msg_${id}`,
    model: request.model,
    text: step.text ?? null,
    tools,
    stopReason: step.stop_reason ?? (tools.length > 0 ? 'tool_use' : 'end_turn'),
    usage: step.usage === undefined ? { ...counted, output_tokens } : { output_tokens, ...step.usage },
  };
}

function errandStep(request: ModelRequest): Step {
  return { text: request.structured ? '{"title":"Session","isNewTopic":false}' : 'OK', tools: [] };
}

function conversationKey({ identity, opening }: ModelRequest): string {
  return createHash('sha256')
    .update(JSON.stringify([identity, opening]))
    .digest('hex');
}

/**
 * Which step of which conversation a request asks for. Pure, apart from `nth`, which the caller counts.
 *
 * 1. A step with tools is over when all their results are in the request; one without is over at the next turn of the host.
 * 2. So the same request always gets the same step, however often it is repeated.
 */
interface ChosenStep {
  conversation: number;
  step: number;
  play: Step;
}

const NOTHING_LEFT: Step = { text: 'Nothing is left to do.', tools: [] };

/** null: no conversation of the scenario fits. */
function chooseStep(scenario: Scenario, request: ModelRequest, nth: number): ChosenStep | null {
  const conversation = scenario.conversations.findIndex((candidate) => matches(candidate, request, nth));
  if (conversation === -1) return null;
  const { steps } = itemAt(scenario.conversations, conversation);
  const step = dueStep(steps, request.toolResults, request.hostTurns);
  return { conversation, step, play: steps[step] ?? NOTHING_LEFT };
}

function matches({ when }: ScriptedConversation, request: ModelRequest, nth: number): boolean {
  return (
    (when.role === undefined || when.role === request.identity.role) &&
    (when.feature === undefined || when.feature === request.identity.feature) &&
    (when.session === undefined || when.session === request.identity.session) &&
    (when.contains === undefined || request.opening.includes(when.contains)) &&
    (when.nth === undefined || when.nth === nth)
  );
}

function dueStep(steps: readonly Step[], toolResults: number, hostTurns: number): number {
  let results = toolResults;
  let turns = hostTurns - 1;
  for (const [index, step] of steps.entries()) {
    if (step.tools.length > 0) {
      if (results < step.tools.length) return index;
      results -= step.tools.length;
    } else {
      if (turns <= 0) return index;
      turns -= 1;
    }
  }
  return steps.length;
}
