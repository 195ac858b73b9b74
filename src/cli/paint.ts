/** Colour, or none: chosen once for each stream. Everything else that could control a terminal is taken out. */
import { cleanText } from '../domain/clean-text.ts';

export interface Paint {
  good(text: string): string;
  bad(text: string): string;
  warn(text: string): string;
  dim(text: string): string;
  strong(text: string): string;
}

export function createPaint(colour: boolean): Paint {
  const wrap = (code: number, reset: number) => (text: string) => (colour ? `\u001b[${code}m${text}\u001b[${reset}m` : text);
  return { good: wrap(32, 39), bad: wrap(31, 39), warn: wrap(33, 39), dim: wrap(2, 22), strong: wrap(1, 22) };
}

/** Cleaned of every control sequence but the colours above. */
export function cleanScreen(text: string): string {
  if (!text.includes('\u001b')) return cleanText(text);
  return text
    .split(OWN_COLOURS)
    .map((part, index) => (index % 2 === 0 ? cleanText(part) : part))
    .join('');
}

// eslint-disable-next-line no-control-regex
const OWN_COLOURS = /(\u001b\[(?:1|2|22|31|32|33|39)m)/;
