/**
 * The tokens of each request and the effort it was sent with, from the record that Codex keeps of a session.
 *
 * 1. The record is a file of lines that grows; each look reads what came since the last one, whole lines only.
 * 2. `input_tokens` includes cached ones there and excludes them here.
 * 3. The agent can write it: figures that are no counts are left out, and a look reads a bounded part.
 */
import { join } from 'node:path';
import { contextTokens, type Usage } from '../../domain/money.ts';
import type { Platform } from '../../platform/platform.ts';
import { jsonObject } from '../borrowed-files.ts';
import type { AgentEvent } from '../contract.ts';

type Fields = Record<string, unknown>;

const MOST_AT_ONCE = 16 * 1024 * 1024;
const LF = 0x0a;

export class UsageRecord {
  readonly #platform: Platform;
  readonly #folder: string;
  #path: string | null = null;
  #position = 0;
  #lastTotal = -1;
  #effort: string | null = null;
  contextTokens = 0;

  constructor(platform: Platform, stateFolder: string) {
    this.#platform = platform;
    this.#folder = join(stateFolder, 'sessions');
  }

  async *read(): AsyncGenerator<AgentEvent> {
    this.#path ??= await this.#find(this.#folder, 3);
    if (this.#path === null) return;
    const bytes = await this.#platform.files.readSlice(this.#path, this.#position, MOST_AT_ONCE).catch(() => Buffer.alloc(0));
    const whole = bytes.subarray(0, bytes.lastIndexOf(LF) + 1);
    this.#position += whole.length;
    for (const line of whole.toString('utf8').split('\n')) {
      if (line.includes('"turn_context"')) this.#effort = effortIn(line) ?? this.#effort;
      const usage = line.includes('"token_count"') ? this.#usageIn(line) : null;
      if (usage === null) continue;
      this.contextTokens = contextTokens(usage);
      const effort = this.#effort === null ? {} : { effort: this.#effort };
      yield { type: 'usage', usage, context_tokens: this.contextTokens, cost_usd: null, estimated: false, ...effort };
    }
  }

  /** null when the line repeats what is known. */
  #usageIn(line: string): Usage | null {
    const info = fieldsOf(fieldsOf(jsonObject(line)?.['payload'])['info']);
    const total = count(fieldsOf(info['total_token_usage'])['total_tokens']);
    const last = fieldsOf(info['last_token_usage']);
    if (total === this.#lastTotal || Object.keys(last).length === 0) return null;
    this.#lastTotal = total;
    const cached = count(last['cached_input_tokens']);
    return {
      input_tokens: Math.max(0, count(last['input_tokens']) - cached),
      output_tokens: count(last['output_tokens']),
      cache_read_input_tokens: cached,
      cache_creation_input_tokens: 0,
    };
  }

  /** sessions/<year>/<month>/<day>/rollout-….jsonl, the only one in a private folder. */
  async #find(folder: string, depth: number): Promise<string | null> {
    for (const entry of await this.#platform.files.list(folder).catch(() => [])) {
      const path = join(folder, entry.name);
      if (entry.isFile() && depth === 0 && /^rollout-.*\.jsonl$/.test(entry.name)) return path;
      const found = entry.isDirectory() && depth > 0 ? await this.#find(path, depth - 1) : null;
      if (found !== null) return found;
    }
    return null;
  }
}

function effortIn(line: string): string | null {
  const { type, payload } = jsonObject(line) ?? {};
  const level = type === 'turn_context' ? fieldsOf(payload)['effort'] : null;
  return typeof level === 'string' && /^[a-z]{1,20}$/.test(level) ? level : null;
}

function count(value: unknown): number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : 0;
}

function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};
}
