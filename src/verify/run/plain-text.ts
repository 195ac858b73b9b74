/** Output of tests as plain text for messages. */
import { cleanText } from '../../domain/clean-text.ts';

/** The last `limit` characters, from a line's beginning where there is one. */
export function tailOf(text: string, limit: number): string {
  const plain = cleanText(text.slice(-limit * 4)).trimEnd();
  if (plain.length <= limit) return plain;
  const cut = plain.slice(-limit);
  const line = cut.indexOf('\n');
  return line >= 0 && line < 400 ? cut.slice(line + 1) : cut;
}
