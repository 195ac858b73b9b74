/** A value that fits into an answer: long texts and lists are cut until it does, and each cut says so. */

/** Hosts warn from about 10,000 tokens on. */
export const LARGEST_ANSWER = 20_000;

const LEAST_LENGTH = 40;

export function bounded(value: unknown, limit = LARGEST_ANSWER): string {
  for (let [text, items] = [4_000, 200]; ; [text, items] = [Math.floor(text / 2), Math.max(1, Math.floor(items / 2))]) {
    const json = JSON.stringify(cut(value, Math.max(LEAST_LENGTH, text), items), null, 1);
    if (json.length <= limit) return json;
    if (text < LEAST_LENGTH && items === 1) return JSON.stringify({ cut: `${json.length} characters do not fit into one answer` });
  }
}

function cut(value: unknown, length: number, items: number): unknown {
  if (typeof value === 'string')
    return value.length <= length ? value : `${value.slice(0, length)} [... ${value.length - length} more characters]`;
  if (Array.isArray(value)) {
    const kept = value.slice(0, items).map((one) => cut(one, length, items));
    return value.length <= items ? kept : [...kept, `[... ${value.length - items} more]`];
  }
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value);
  const kept = entries.slice(0, items * 4).map(([key, one]) => [key.slice(0, 200), cut(one, length, items)]);
  return Object.fromEntries(entries.length <= items * 4 ? kept : [...kept, ['...', `${entries.length - items * 4} more`]]);
}
