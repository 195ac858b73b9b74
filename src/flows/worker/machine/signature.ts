/** The same failure under the same name, whatever changes from run to run: numbers, times, paths of rooms, colours. Pure. */
import { createHash } from 'node:crypto';

export function normalised(text: string): string {
  return text
    .replace(/\u001b\[[0-9;]*m/g, '')
    .replace(/(?:\/[\w.@+-]+){3,}\/?/g, '<path>')
    .replace(/\b0x[0-9a-f]+\b|\b[0-9a-f]{7,40}\b/gi, '<id>')
    .replace(/\d+(?:\.\d+)?\s*(?:ms|s|seconds?|minutes?)\b/gi, '<time>')
    .replace(/\d+/g, '<n>')
    .replace(/\s+/g, ' ')
    .trim()
    .toLowerCase();
}

export function signatureOf(failures: readonly string[]): string {
  const text = failures.map(normalised).toSorted().join('\n');
  return createHash('sha256').update(text).digest('hex').slice(0, 12);
}
