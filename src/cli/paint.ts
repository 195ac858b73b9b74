/** Colour, or none: chosen once for each stream. */

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
