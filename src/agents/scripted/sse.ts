/** Server-sent events as values, and the splitting of text into the small parts that providers stream. */

export interface ServerSentEvent {
  event: string;
  data: Record<string, unknown>;
}

export function encodeEvent({ event, data }: ServerSentEvent): string {
  return `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
}

/** Never inside a character; always at least one part. */
export function parts(text: string, size: number): string[] {
  const characters = Array.from(text);
  const found: string[] = [];
  for (let at = 0; at < characters.length; at += size) found.push(characters.slice(at, at + size).join(''));
  return found.length === 0 ? [''] : found;
}
