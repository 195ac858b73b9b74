/**
 * What the loop does after a complete response.
 *
 * 1. Tool calls are always answered, whatever the stop reason says, unless the conversation ends there.
 * 2. A reply cut by the output limit is continued, at most MOST_CUTS times in a row.
 */
import type { AgentErrorClass } from '../contract.ts';
import type { AssembledResponse } from './assemble.ts';

export type NextMove =
  | { move: 'tools' | 'continue'; note: string | null }
  | { move: 'finish'; warning: string | null }
  | { move: 'fail'; class: AgentErrorClass; message: string };

const MOST_CUTS = 3;

const FINISHING: ReadonlySet<string> = new Set(['end_turn', 'stop_sequence', 'tool_use']);

export function nextMove(response: Pick<AssembledResponse, 'stopReason' | 'toolUses' | 'unfinished'>, earlierCuts: number): NextMove {
  const { stopReason } = response;
  if (stopReason === 'refusal') return { move: 'fail', class: 'agent', message: 'the model declined to go on' };
  if (stopReason === 'model_context_window_exceeded')
    return { move: 'fail', class: 'context_too_long', message: "the model's context window is full" };
  const cut = stopReason === 'max_tokens' || stopReason === 'pause_turn';
  if (cut && earlierCuts >= MOST_CUTS)
    return { move: 'fail', class: 'agent', message: `the reply was cut at the output limit ${earlierCuts + 1} times in a row` };
  const note = stopReason === 'max_tokens' ? cutNote(response.unfinished) : null;
  if (response.toolUses.length > 0) return { move: 'tools', note };
  if (cut) return { move: 'continue', note: note ?? 'Please go on.' };
  return {
    move: 'finish',
    warning: FINISHING.has(stopReason) ? null : `the model stopped for a reason that is not known here: ${stopReason}`,
  };
}

function cutNote(unfinished: readonly string[]): string {
  const lost = unfinished.length === 0 ? '' : ` The call of ${unfinished.join(', ')} was not complete and has not been carried out.`;
  return `Your last reply was cut at the output limit.${lost} Please continue, in smaller steps.`;
}
