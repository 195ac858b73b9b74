/** Values from journals and documents, made safe to show: control sequences go, and what is longer than a person reads is cut with a note. */
import { cleanText } from '../domain/clean-text.ts';

const LONGEST = 16_384;

export function cleanValue<Value>(value: Value, longest = LONGEST): Value {
  return clean(value, longest) as Value;
}

function clean(value: unknown, longest: number): unknown {
  if (typeof value === 'string') return cutText(value, longest);
  if (Array.isArray(value)) return value.map((one) => clean(one, longest));
  if (value instanceof Map) return clean(Object.fromEntries(value), longest);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [cutText(key, longest), clean(inner, longest)]));
}

export function cutText(text: string, longest: number): string {
  if (text.length <= longest) return cleanText(text);
  return `${cleanText(text.slice(0, longest))} [... ${text.length - longest} characters cut]`;
}
