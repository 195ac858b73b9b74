/** One author alone must not fill the next one's window. Their roles tell them so, in the same figures. */
export const LONGEST = { proposal: 24_000, plan: 24_000, review: 12_000 } as const;

/** A text for a prompt, no longer than it may be; what is left out is said. */
export function clipped(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most)}\n[the rest, ${text.length - most} characters, is left out]`;
}
