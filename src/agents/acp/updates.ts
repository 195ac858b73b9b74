/**
 * Translates `session/update` into events.
 *
 * 1. Pieces of a message are put together; they go out when something else happens, or when there is much of it.
 * 2. Commands that run in a terminal of the agent's own print through extra fields, which several agents share.
 * 3. A call is told once its input is known, at the latest with its result.
 */
import type { AgentEvent } from '../contract.ts';
import type { AcpUsage } from './usage.ts';

type Fields = Record<string, unknown>;

interface Call {
  name: string;
  input: Fields;
  /** What a command printed, where the agent tells it piece by piece. */
  printed: string;
  told: boolean;
}

const MUCH_TEXT = 4_096;
const MOST_PRINTED = 256 * 1024;

export class UpdateReader {
  readonly #usage: AcpUsage;
  readonly #calls = new Map<string, Call>();
  #text = '';

  constructor(usage: AcpUsage) {
    this.#usage = usage;
  }

  read(update: Fields): AgentEvent[] {
    const kind = update['sessionUpdate'];
    if (kind === 'agent_message_chunk') return this.#chunk(textOf(update['content']));
    if (kind === 'usage_update') return this.#usage.window(update);
    if (kind === 'agent_thought_chunk') this.#usage.note('written', textOf(update['content']));
    if (kind !== 'tool_call' && kind !== 'tool_call_update') return [];
    return [...this.flush(), ...this.#call(update)];
  }

  flush(): AgentEvent[] {
    const text = this.#text;
    this.#text = '';
    return text.trim() === '' ? [] : [{ type: 'text', text }];
  }

  nameOf(toolCall: Fields): string {
    return this.#calls.get(String(toolCall['toolCallId']))?.name ?? nameOf(toolCall);
  }

  /** What a question for permission is about: the call as told so far, and what the question adds. */
  inputOf(toolCall: Fields): Fields {
    return { ...this.#calls.get(String(toolCall['toolCallId']))?.input, ...callInput(toolCall) };
  }

  #chunk(text: string): AgentEvent[] {
    this.#usage.note('written', text);
    this.#text += text;
    return this.#text.length > MUCH_TEXT ? this.flush() : [];
  }

  #call(update: Fields): AgentEvent[] {
    const id = String(update['toolCallId']);
    const call = this.#calls.get(id) ?? { name: nameOf(update), input: {}, printed: '', told: false };
    this.#calls.set(id, call);
    Object.assign(call.input, callInput(update));
    const terminal = fieldsOf(update['_meta']);
    call.printed = (call.printed + dataOf(terminal['terminal_output_delta']) + dataOf(terminal['terminal_output'])).slice(-MOST_PRINTED);
    const over = update['status'] === 'completed' || update['status'] === 'failed';
    const events: AgentEvent[] = [];
    if (!call.told && (over || Object.keys(fieldsOf(update['rawInput'])).length > 0)) {
      call.told = true;
      this.#usage.note('written', JSON.stringify(call.input));
      events.push({ type: 'tool', id, name: call.name, input: call.input });
    }
    if (!over) return events;
    const output = outputOf(update) || call.printed;
    const exit = fieldsOf(terminal['terminal_exit'])['exit_code'];
    const ok = update['status'] === 'completed' && (typeof exit !== 'number' || exit === 0);
    this.#usage.note('read', output);
    this.#calls.delete(id);
    return [...events, { type: 'tool_result', id, name: call.name, ok, output }, ...this.#usage.step()];
  }
}

function nameOf(update: Fields): string {
  const own = fieldsOf(fieldsOf(update['_meta'])['claudeCode'])['toolName'];
  for (const name of [update['name'], own]) if (typeof name === 'string' && name !== '') return name;
  return typeof update['kind'] === 'string' ? update['kind'] : 'other';
}

/** The agent's own input; for a file the place it names, for a command without one the title. */
function callInput(update: Fields): Fields {
  const input = { ...fieldsOf(update['rawInput']) };
  const locations = Array.isArray(update['locations']) ? update['locations'].map(fieldsOf) : [];
  const path = locations[0]?.['path'];
  if (typeof path === 'string' && input['path'] === undefined && update['kind'] !== 'execute') input['path'] = path;
  return input;
}

function outputOf(update: Fields): string {
  const parts = (Array.isArray(update['content']) ? update['content'] : []).map(fieldsOf);
  const text = parts
    .map((part) => (part['type'] === 'diff' ? `changed ${String(part['path'])}` : textOf(part['content'])))
    .filter((part) => part !== '');
  if (text.length > 0) return text.join('\n');
  const raw = update['rawOutput'];
  return raw === undefined || raw === null ? '' : typeof raw === 'string' ? raw : JSON.stringify(raw);
}

function dataOf(part: unknown): string {
  const { data } = fieldsOf(part);
  return typeof data === 'string' ? data : '';
}

function textOf(content: unknown): string {
  const { text } = fieldsOf(content);
  return typeof text === 'string' ? text : '';
}

function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};
}
