/**
 * Translates the SDK's messages into events.
 *
 * 1. Text and tool calls come from complete messages, usage from the stream of each response: complete messages carry only its beginning.
 * 2. What subagents and side requests used is known at the end of a turn only: the difference to the total is reported then.
 * 3. Claude Code tries failed requests again by itself; where the host knows better (a refused login, a long wait) the turn ends.
 * 4. Messages are read by shape; one that is not known is left out.
 */
import { addUsage, contextTokens, NO_USAGE, type Usage } from '../../domain/money.ts';
import type { AgentEnd, AgentEvent, AgentErrorClass } from '../contract.ts';
import { classByWords } from '../failure-words.ts';
import { resetTime, speaksOfUsageLimit } from '../reset-time.ts';

type Fields = Record<string, unknown>;

export interface Translation {
  events: AgentEvent[];
  /** Set by the message that ends a turn. */
  end: AgentEnd | null;
}

export class MessageReader {
  readonly #tools = new Map<string, string>();
  /** By whose response it is: the main loop's or a subagent's. */
  readonly #responses = new Map<unknown, Usage>();
  #reported: Usage = NO_USAGE;
  #context = 0;
  #code: string | null = null;
  #said = '';
  #resetsAt: number | null = null;
  /** As the program told it last. */
  effort: string | null = null;

  get contextTokens(): number {
    return this.#context;
  }

  read(message: unknown, now: number): Translation {
    const fields = fieldsOf(message);
    switch (fields['type']) {
      case 'assistant':
        return { events: this.#assistant(fields), end: null };
      case 'user':
        return { events: this.#results(fields), end: null };
      case 'stream_event':
        return { events: this.#stream(fieldsOf(fields['event']), fields['parent_tool_use_id'] ?? null), end: null };
      case 'system':
        return fields['subtype'] === 'api_retry' ? retryOf(fields, now) : { events: failedServers(fields), end: null };
      case 'rate_limit_event':
        this.#limit(fieldsOf(fields['rate_limit_info']));
        return { events: [], end: null };
      case 'result':
        return { events: this.#rest(fieldsOf(fields['modelUsage'])), end: this.#end(fields, now) };
      default:
        return { events: [], end: null };
    }
  }

  /** How a conversation failed that broke off without a result. */
  brokenOff(text: string, now: number): AgentEnd {
    return failureOf({ code: this.#code, text: this.#said || text, resetsAt: this.#resetsAt }, now);
  }

  #assistant(fields: Fields): AgentEvent[] {
    const blocks = blocksOf(fieldsOf(fields['message'])['content']);
    if (typeof fields['error'] === 'string') {
      this.#code = fields['error'];
      this.#said = blocks.map(textOf).join('\n');
      return [];
    }
    const events: AgentEvent[] = [];
    for (const block of blocks) {
      if (block['type'] === 'text' && textOf(block).trim() !== '') events.push({ type: 'text', text: textOf(block) });
      if (block['type'] !== 'tool_use') continue;
      const [id, name] = [String(block['id']), String(block['name'])];
      this.#tools.set(id, name);
      events.push({ type: 'tool', id, name, input: fieldsOf(block['input']) });
    }
    return events;
  }

  #results(fields: Fields): AgentEvent[] {
    const blocks = blocksOf(fieldsOf(fields['message'])['content']).filter((block) => block['type'] === 'tool_result');
    return blocks.map((block) => {
      const id = String(block['tool_use_id']);
      const output = typeof block['content'] === 'string' ? block['content'] : blocksOf(block['content']).map(textOf).join('\n');
      return { type: 'tool_result', id, name: this.#tools.get(id) ?? 'unknown', ok: block['is_error'] !== true, output };
    });
  }

  #stream(event: Fields, whose: unknown): AgentEvent[] {
    if (event['type'] === 'message_start') this.#responses.set(whose, merge(NO_USAGE, fieldsOf(fieldsOf(event['message'])['usage'])));
    if (event['type'] !== 'message_delta') return [];
    const usage = merge(this.#responses.get(whose) ?? NO_USAGE, fieldsOf(event['usage']));
    this.#responses.delete(whose);
    this.#code = null;
    if (whose === null) this.#context = contextTokens(usage);
    return this.#report(usage);
  }

  #limit(info: Fields): void {
    if (info['status'] === 'rejected' && typeof info['resetsAt'] === 'number') this.#resetsAt = info['resetsAt'] * 1_000;
    else if (info['status'] !== 'rejected') this.#resetsAt = null;
  }

  #rest(models: Fields): AgentEvent[] {
    const total = Object.values(models).reduce<Usage>((sum, model) => addUsage(sum, modelUsage(fieldsOf(model))), NO_USAGE);
    const rest = Object.fromEntries(
      Object.entries(total).map(([name, tokens]) => [name, Math.max(0, tokens - this.#reported[name as keyof Usage])]),
    ) as unknown as Usage;
    return contextTokens(rest) === 0 ? [] : this.#report(rest);
  }

  #report(usage: Usage): AgentEvent[] {
    this.#reported = addUsage(this.#reported, usage);
    const effort = this.effort === null ? {} : { effort: this.effort };
    return [{ type: 'usage', usage, context_tokens: this.#context, cost_usd: null, estimated: false, ...effort }];
  }

  #end(fields: Fields, now: number): AgentEnd {
    const text = typeof fields['result'] === 'string' ? fields['result'] : listOf(fields['errors']).map(String).join('; ');
    const succeeded = fields['subtype'] === 'success' && fields['is_error'] !== true && this.#code === null;
    if (succeeded && !isLimitNotice(text)) return { kind: 'finished' };
    return failureOf({ code: this.#code, text: text || this.#said, resetsAt: this.#resetsAt }, now);
  }
}

const LONGEST_WAIT_MS = 5 * 60_000;

/** A refused login is tried once more, since it may just have been renewed; a wait of many minutes is the host's to wait. */
function retryOf(fields: Fields, now: number): Translation {
  const errorClass = codeClass(fields['error']);
  const attempt = Number(fields['attempt']) || 1;
  const wait = Number(fields['retry_delay_ms']) || 0;
  const cause =
    typeof fields['error_status'] === 'number'
      ? `the provider answered ${fields['error_status']}`
      : `no answer from the provider (${String(fields['error'] ?? 'unknown')})`;
  if (errorClass === 'auth' && attempt > 1)
    return { events: [], end: { kind: 'failed', class: 'auth', message: `Claude Code: ${cause}`, retryAt: null } };
  if (wait > LONGEST_WAIT_MS)
    return { events: [], end: { kind: 'failed', class: errorClass, message: `Claude Code: ${cause}`, retryAt: now + wait } };
  return {
    events: [{ type: 'retry', class: errorClass, message: `Claude Code tries again: ${cause}, attempt ${attempt}`, at: now + wait }],
    end: null,
  };
}

function failedServers(fields: Fields): AgentEvent[] {
  const failed = fields['subtype'] === 'init' ? blocksOf(fields['mcp_servers']).filter((server) => server['status'] === 'failed') : [];
  return failed.map((server) => ({ type: 'warning', message: `the MCP server ${String(server['name'])} did not start` }));
}

/** A turn that ended because its own number of rounds was used up. */
export function usedAllTurns(message: unknown): boolean {
  return fieldsOf(message)['type'] === 'result' && fieldsOf(message)['subtype'] === 'error_max_turns';
}

function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

function blocksOf(value: unknown): Fields[] {
  return typeof value === 'string' ? [{ type: 'text', text: value }] : listOf(value).map(fieldsOf);
}

function textOf(block: Fields): string {
  return typeof block['text'] === 'string' ? block['text'] : '';
}

function merge(known: Usage, wire: Fields): Usage {
  const pick = (name: keyof Usage): number => (typeof wire[name] === 'number' ? wire[name] : known[name]);
  return {
    input_tokens: pick('input_tokens'),
    output_tokens: pick('output_tokens'),
    cache_read_input_tokens: pick('cache_read_input_tokens'),
    cache_creation_input_tokens: pick('cache_creation_input_tokens'),
  };
}

function modelUsage(model: Fields): Usage {
  const count = (name: string): number => (typeof model[name] === 'number' ? model[name] : 0);
  return {
    input_tokens: count('inputTokens'),
    output_tokens: count('outputTokens'),
    cache_read_input_tokens: count('cacheReadInputTokens'),
    cache_creation_input_tokens: count('cacheCreationInputTokens'),
  };
}

/**
 * Which class a failure of Claude Code belongs to, from the error code it names, else from its words.
 *
 * 1. A used-up allowance carries the time at which it comes back: from the limit's own event, else from the sentence.
 * 2. The sentence counts also in a result that calls itself a success, but only when the result is nothing else.
 */
interface FailureFacts {
  /** `error` of the last message that carried one. */
  code: string | null;
  text: string;
  /** Epoch milliseconds, where the limit's own event said so. */
  resetsAt: number | null;
}

type Failed = Extract<AgentEnd, { kind: 'failed' }>;

const BY_CODE: Readonly<Record<string, AgentErrorClass>> = {
  authentication_failed: 'auth',
  oauth_org_not_allowed: 'auth',
  account_on_hold: 'auth',
  verification_required: 'auth',
  billing_error: 'auth',
  cloud_credential_error: 'auth',
  rate_limit: 'usage_limit',
  overloaded: 'unavailable',
  server_error: 'unavailable',
};

function failureOf(facts: FailureFacts, now: number): Failed {
  const message = facts.text.trim() === '' ? 'Claude Code ended without saying why' : `Claude Code: ${facts.text.trim().slice(0, 2_000)}`;
  const words = classByWords(facts.text);
  const named = facts.code === null ? undefined : BY_CODE[facts.code];
  const errorClass =
    facts.resetsAt !== null || speaksOfUsageLimit(facts.text)
      ? 'usage_limit'
      : words === 'context_too_long'
        ? words
        : (named ?? words ?? 'agent');
  const retryAt = errorClass === 'usage_limit' ? (facts.resetsAt ?? resetTime(facts.text, now)) : null;
  return { kind: 'failed', class: errorClass, message, retryAt };
}

function codeClass(code: unknown): AgentErrorClass {
  return (typeof code === 'string' ? BY_CODE[code] : undefined) ?? 'unavailable';
}

/** A whole answer that is nothing but the notice of a limit. */
function isLimitNotice(text: string): boolean {
  return text.length < 300 && !text.trim().includes('\n') && speaksOfUsageLimit(text) && /\||resets|again/i.test(text);
}
