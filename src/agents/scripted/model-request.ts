/** A request to the scripted model, the same for every wire format: what the choice of a step and the accounting need. */

export interface OfferedTool {
  name: string;
  /** Property name to JSON type, as far as the schema says. */
  properties: Readonly<Record<string, string>>;
}

export interface Segment {
  bytes: string;
  /** The provider keeps the prefix up to here. */
  marked: boolean;
}

export interface ModelRequest {
  model: string;
  stream: boolean;
  tools: OfferedTool[];
  /** Everything in the system part and the first user message. */
  opening: string;
  toolResults: number;
  /** Turns of the host: groups of user messages that answer no tool call. The first is 1. */
  hostTurns: number;
  /** Tools, system and messages, block by block, without cache marks. */
  segments: Segment[];
  /** The client wants JSON of a shape of its own (a title, a summary). */
  structured: boolean;
  identity: { role: string | null; feature: number | null; session: number | null };
}

/** Headers by which the scripted backend tells the model what a request belongs to. */
export const ROLE_HEADER = 'x-harness-role';
export const FEATURE_HEADER = 'x-harness-feature';
export const SESSION_HEADER = 'x-harness-session';

export function identityOf(headers: Readonly<Record<string, string | string[] | undefined>>): ModelRequest['identity'] {
  const text = (name: string): string | null => (typeof headers[name] === 'string' ? headers[name] : null);
  const number = (name: string): number | null => (/^\d+$/.test(text(name) ?? '') ? Number(text(name)) : null);
  return { role: text(ROLE_HEADER), feature: number(FEATURE_HEADER), session: number(SESSION_HEADER) };
}

export function offeredTool(tool: Record<string, unknown>): OfferedTool {
  const schema = (tool['input_schema'] ?? tool['parameters']) as { properties?: Record<string, { type?: unknown }> } | undefined;
  const properties: Record<string, string> = {};
  for (const [name, property] of Object.entries(schema?.properties ?? {}))
    properties[name] = typeof property?.type === 'string' ? property.type : 'unknown';
  return { name: String(tool['name'] ?? tool['type'] ?? ''), properties };
}
