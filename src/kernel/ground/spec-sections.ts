/**
 * The seven sections of a spec, by their headings in six languages. Pure.
 *
 * 1. The first heading of a language is the one that agents are asked to write; the others are accepted as well.
 * 2. English headings count in every language. In a language without a table, seven headings of the second level count as the seven sections.
 */
import { firstItem, itemAt } from '../../domain/items.ts';
import { groupOf } from '../../domain/text-parts.ts';
import { mustHave } from '../../domain/must-have.ts';

import headings from '../../../words/spec-sections.json' with { type: 'json' };

export const SECTIONS = ['goal', 'background', 'scope', 'outOfScope', 'edgeCases', 'acceptance', 'risks'] as const;
export type Section = (typeof SECTIONS)[number];

type Headings = Readonly<Record<Section, readonly string[]>>;

const HEADINGS: Readonly<Record<string, Headings>> = headings;

/** What agents are asked to write, in order; null in a language without a table. */
const ENGLISH = mustHave(HEADINGS['en'], 'sections have English headings');

export function englishHeadings(): readonly string[] {
  return SECTIONS.map((section) => firstItem(ENGLISH[section]));
}

export function sectionHeadings(language: string): readonly string[] | null {
  const headings = HEADINGS[language];
  return headings === undefined ? null : SECTIONS.map((section) => firstItem(headings[section]));
}

/** Sections that a document lacks, by their headings in its language. */
export function missingSections(text: string, language: string): string[] {
  const headings = headingsOf(text);
  const found = new Set(headings.map((heading) => sectionNamed(heading.title)));
  const missing = SECTIONS.filter((section) => !found.has(section));
  if (HEADINGS[language] === undefined && headings.filter((heading) => heading.level === 2).length >= SECTIONS.length) return [];
  return missing.map((section) => firstItem((HEADINGS[language] ?? ENGLISH)[section]));
}

/** The lines below a section's heading, up to the next heading of the same level or above; null where the section is missing. */
export function sectionText(text: string, section: Section): string | null {
  const lines = text.split('\n');
  const headings = headingsOf(text);
  const start = headings.findIndex((heading) => sectionNamed(heading.title) === section);
  if (start === -1) return null;
  const { level, line } = itemAt(headings, start);
  const next = headings.slice(start + 1).find((heading) => heading.level <= level);
  return lines.slice(line + 1, next?.line ?? lines.length).join('\n');
}

/** The heading of a section as the document has it; the English one where it has none. */
export function titleOf(text: string, section: Section): string {
  return headingsOf(text).find((heading) => sectionNamed(heading.title) === section)?.title ?? firstItem(ENGLISH[section]);
}

interface Heading {
  level: number;
  title: string;
  line: number;
}

function headingsOf(text: string): Heading[] {
  const found: Heading[] = [];
  let fence: string | null = null;
  for (const [line, content] of text.split('\n').entries()) {
    const bar = /^ {0,3}(`{3,}|~{3,})/.exec(content)?.[1];
    if (bar !== undefined && (fence === null || (bar[0] === fence[0] && bar.length >= fence.length))) fence = fence === null ? bar : null;
    if (fence !== null) continue;
    const match = /^ {0,3}(#{1,6})\s+(.*?)\s*#*\s*$/.exec(content);
    if (match !== null) found.push({ level: groupOf(match, 1).length, title: groupOf(match, 2), line });
  }
  return found;
}

function sectionNamed(title: string): Section | null {
  return BY_TITLE.get(plain(title)) ?? null;
}

function plain(title: string): string {
  return title
    .normalize('NFC')
    .replace(/[*_`]/g, '')
    .replace(/^\d+[.)]\s*/, '')
    .replace(/[:：]\s*$/, '')
    .replace(/\s+/g, ' ')
    .trim()
    .toLowerCase();
}

const BY_TITLE: ReadonlyMap<string, Section> = new Map(
  Object.values(HEADINGS).flatMap((headings) =>
    SECTIONS.flatMap((section) => headings[section].map((heading): [string, Section] => [plain(heading), section])),
  ),
);
