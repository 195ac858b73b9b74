/** A text for a prompt, no longer than it may be; what is left out is said. */
export function clipped(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most)}\n[the rest, ${text.length - most} characters, is left out]`;
}
