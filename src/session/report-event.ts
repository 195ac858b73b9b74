/** An agent's event, told to whoever listens. */
import type { AgentEvent } from '../agents/contract.ts';
import type { SessionInput } from './contract.ts';

const LONGEST_RESULT = 4_000;

export function reportEvent(input: SessionInput, event: AgentEvent): void {
  const session = input.task.session;
  switch (event.type) {
    case 'text':
      input.heard(event.text);
      return input.emit({ type: 'agent.text', session, text: event.text, ...(event.aside === true ? { aside: true } : {}) });
    case 'tool':
      input.heard(JSON.stringify(event.input));
      return input.emit({ type: 'agent.tool', session, name: event.name, input: event.input });
    case 'tool_result':
      input.heard(event.output);
      return input.emit({ type: 'agent.result', session, name: event.name, ok: event.ok, output: event.output.slice(0, LONGEST_RESULT) });
    case 'usage':
      return input.emit({
        type: 'agent.usage',
        session,
        usage: event.usage,
        context_tokens: event.context_tokens,
        context_window: input.watch.context.windowTokens,
        cost_usd: event.cost_usd,
        ...(event.effort === undefined ? {} : { effort: event.effort }),
      });
    case 'retry':
      return input.emit({
        type: 'session.limit',
        session,
        kind: 'usage',
        level: 'warn',
        message: event.message,
        until: new Date(event.at).toISOString(),
      });
    case 'warning':
      return input.emit({ type: 'warning', message: event.message });
    case 'end':
      return;
  }
}
