/** Bounds what a tool gives back: the head and the tail stay, the middle is dropped and its length named. */
export const OUTPUT_LIMIT = 30_000;

export function clip(text: string, limit: number = OUTPUT_LIMIT): string {
  if (text.length <= limit) return text;
  const head = Math.floor(limit / 3);
  const tail = limit - head;
  return `${text.slice(0, head)}\n[... ${text.length - limit} characters left out ...]\n${text.slice(text.length - tail)}`;
}

const HALF_CHARACTERS = /[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/g;

/** A cut can leave half a character behind, which providers refuse. */
export function wellFormed(text: string): string {
  return text.replace(HALF_CHARACTERS, '\uFFFD');
}
