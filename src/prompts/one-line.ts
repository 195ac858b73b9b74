/** Text of others as one clean line of a prompt, not cut inside a character. */
import { cleanText } from '../domain/clean-text.ts';
import { namesOfFiles } from '../domain/test-files.ts';

const LONGEST_LOOK = 4_000;

export function oneLine(text: string, limit: number): string {
  const flat = cleanText(text.slice(0, LONGEST_LOOK)).replace(/\s+/g, ' ').trim();
  if (flat.length <= limit && text.length <= LONGEST_LOOK) return flat;
  return `${flat.slice(0, Math.max(1, Math.floor(limit) - 1)).replace(/[\ud800-\udbff]$/, '')}…`;
}

/** A heading with its points; nothing where there are none. */
export function listOf(title: string, items: readonly string[]): string[] {
  return items.length === 0 ? [] : [title, ...items.map((item) => `- ${item}`)];
}

/** Parts with an empty line between them. */
export function joinSections(sections: readonly (readonly string[])[]): string {
  return sections
    .filter((section) => section.length > 0)
    .map((section) => section.join('\n'))
    .join('\n\n');
}

export function testFileLine(files: readonly string[]): string {
  return `**Test file${files.length > 1 ? 's' : ''}:** ${files.length === 0 ? 'none' : oneLine(namesOfFiles(files), files.length > 1 ? 320 : 160)}`;
}
