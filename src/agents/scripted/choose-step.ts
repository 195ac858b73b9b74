/**
 * Which step of which conversation a request asks for. Pure, apart from `nth`, which the caller counts.
 *
 * 1. A step with tools is over when all their results are in the request; one without is over at the next turn of the host.
 * 2. So the same request always gets the same step, however often it is repeated.
 */
import type { ModelRequest } from './model-request.ts';
import type { Scenario, ScriptedConversation, Step } from './scenario.ts';

export interface ChosenStep {
  conversation: number;
  step: number;
  play: Step;
}

const NOTHING_LEFT: Step = { text: 'Nothing is left to do.', tools: [] };

/** null: no conversation of the scenario fits. */
export function chooseStep(scenario: Scenario, request: ModelRequest, nth: number): ChosenStep | null {
  const conversation = scenario.conversations.findIndex((candidate) => matches(candidate, request, nth));
  if (conversation === -1) return null;
  const { steps } = scenario.conversations[conversation]!;
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
