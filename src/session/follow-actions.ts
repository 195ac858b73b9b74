/**
 * What an agent does, as actions for the log: by the prefixes in its text, and by its tool calls.
 *
 * 1. One action is told once: a prefix that only repeats a tool call, or the other way round, is left out.
 * 2. A `[DECISION]` is also an event of its own, so that the next session's orientation shows it.
 * 3. An agent that spoke without any prefix is mentioned once, at the end.
 */
import type { AgentEvent } from '../agents/contract.ts';
import type { HarnessEvent } from '../domain/event.ts';
import { createActionParser, toolAction, type AgentAction } from '../journal/actions.ts';

export interface ActionSettings {
  /** Read the prefixes. */
  prefixes: boolean;
  /** Derive actions from tool calls. */
  fallback: boolean;
  warnOnMissing: boolean;
}

export interface ActionFollower {
  see(event: AgentEvent): void;
  /** `whole`: the agent came to its own end, so that what is missing was left out and not cut off. */
  end(whole: boolean): void;
}

type Source = 'prefix' | 'tool';

const REMEMBERED = 16;

export function followActions(settings: ActionSettings, session: number, emit: (event: HarnessEvent) => void): ActionFollower {
  const parser = createActionParser();
  const recent: { key: string; source: Source }[] = [];
  let spoke = false;
  let prefixed = false;
  let mentioned = false;

  const tell = (action: AgentAction, source: Source): void => {
    if (source === 'prefix') prefixed = true;
    const key = JSON.stringify(action);
    const twin = recent.findIndex((entry) => entry.key === key && entry.source !== source);
    if (twin !== -1) return void recent.splice(twin, 1);
    recent.push({ key, source });
    if (recent.length > REMEMBERED) recent.shift();
    emit({ type: 'agent.action', session, action });
    if (action.kind === 'decision') emit({ type: 'decision', session, text: action.text, by: 'agent' });
  };

  return {
    see: (event) => {
      if (event.type === 'text') {
        spoke = true;
        if (settings.prefixes) for (const action of parser.push(`${event.text}\n`)) tell(action, 'prefix');
      } else if (event.type === 'tool') {
        spoke = true;
        const action = settings.fallback ? toolAction(event.name, event.input) : null;
        if (action !== null) tell(action, 'tool');
      }
    },
    end: (whole) => {
      for (const action of parser.end()) tell(action, 'prefix');
      if (settings.prefixes && settings.warnOnMissing && whole && spoke && !prefixed && !mentioned) {
        mentioned = true;
        emit({
          type: 'warning',
          message: `no action prefixes such as [CMD:RUN] in the agent's output${settings.fallback ? '; actions inferred from tool calls and file changes' : ''}`,
        });
      }
    },
  };
}
