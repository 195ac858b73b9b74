/**
 * The part of a specification that is about one feature: the section whose words, and title above all, are most its own, and in it the lines that say it. Pure.
 * Words that stand everywhere tell nothing, so rare ones count for more. Null where hardly anything fits.
 */
import { itemAt, lastItem } from '../domain/items.ts';
import { groupOf } from '../domain/text-parts.ts';

const LONGEST_LOOK = 400_000;
const MOST_BLOCKS = 4;

export function specPart(document: string, feature: { description: string; steps: readonly string[] }): string | null {
  const wanted = wordsOf([feature.description, ...feature.steps].join(' '));
  const sections = sectionsOf(document.slice(0, LONGEST_LOOK)).map((section) => ({
    ...section,
    words: wordsOf([section.title, ...section.blocks].join(' ')),
  }));
  const weight = (word: string): number =>
    Math.log(1 + sections.length / Math.max(1, sections.filter((section) => section.words.has(word)).length));
  const scoreOf = (words: ReadonlySet<string>): number =>
    [...wanted].filter((word) => words.has(word)).reduce((sum, word) => sum + weight(word), 0);
  const ranked = sections
    .map((section) => ({ section, score: scoreOf(wordsOf(section.title)) + scoreOf(section.words) / Math.sqrt(10 + section.words.size) }))
    .toSorted((a, b) => b.score - a.score);
  const best = ranked[0]?.section;
  if (best === undefined || [...wanted].filter((word) => best.words.has(word)).length < Math.min(2, wanted.size)) return null;
  const blocks = best.blocks.map((text, index) => ({ text, index, score: scoreOf(wordsOf(text)) }));
  const chosen = blocks
    .filter((block) => block.score > 0)
    .toSorted((a, b) => b.score - a.score)
    .slice(0, MOST_BLOCKS)
    .toSorted((a, b) => a.index - b.index);
  const text = chosen.map((block) => block.text).join(' ');
  return [best.title, text].filter((part) => part !== '').join(': ') || null;
}

const LONGEST_GENERAL = 4_000;

/**
 * What a specification asks of every part of the work: the sections that no single claim belongs to, and in a document without sections the paragraphs.
 * Empty: all of it belongs to claims.
 */
export function generalPart(document: string, claims: readonly string[]): string {
  const sections = sectionsOf(document.slice(0, LONGEST_LOOK)).filter(({ title, blocks }) => title !== '' || blocks.length > 0);
  const isWhole = sections.filter(({ blocks }) => blocks.length > 0).length < 2;
  const parts = isWhole
    ? sections.flatMap(({ blocks }) => blocks.map((text) => ({ title: '', text })))
    : sections.map(({ title, blocks }) => ({ title, text: blocks.join('\n') }));
  const words = parts.map(({ title, text }) => wordsOf(`${title} ${text}`));
  const claimed = new Set(
    claims.map((claim) => {
      const scores = words.map((some) => [...wordsOf(claim)].filter((word) => some.has(word)).length / Math.sqrt(10 + some.size));
      const best = Math.max(0, ...scores);
      return best === 0 ? -1 : scores.indexOf(best);
    }),
  );
  const general = parts.filter(({ text }, at) => text !== '' && !claimed.has(at));
  const text = general.map((part) => [part.title, part.text].filter((one) => one !== '').join('\n')).join('\n\n');
  return text.length > LONGEST_GENERAL ? `${text.slice(0, LONGEST_GENERAL)}…` : text;
}

/** Headings with the paragraphs and points below them. */
function sectionsOf(document: string): { title: string; blocks: string[] }[] {
  const sections: { title: string; blocks: string[] }[] = [{ title: '', blocks: [] }];
  let open = false;
  for (const line of document.split(/\r?\n/)) {
    const section = lastItem(sections);
    const heading = /^#{1,6}\s+(.*?)\s*#*$/.exec(line);
    const text = line.replace(/^\s*(?:[-*+]|\d+[.)])\s+/, '').trim();
    if (heading !== null) sections.push({ title: groupOf(heading, 1), blocks: [] });
    else if (text !== '' && open && text === line.trim()) section.blocks.push(`${section.blocks.pop() ?? ''} ${text}`.trim());
    else if (text !== '') section.blocks.push(text);
    open = heading === null && text !== '';
  }
  return sections;
}

const WITHOUT_SPACES = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;

const STEM = 5;

/** The beginnings of words of four letters or more (`subtracts` and `subtracting` are one); where a script does not part words, pairs of characters. */
function wordsOf(text: string): Set<string> {
  const words = new Set<string>();
  for (const [word] of text.toLowerCase().matchAll(/[\p{L}\p{N}]+/gu)) {
    if (!WITHOUT_SPACES.test(word)) {
      if (word.length > 3) words.add(word.slice(0, STEM));
      continue;
    }
    const characters = [...word];
    for (let at = 0; at + 1 < characters.length; at += 1) words.add(`${itemAt(characters, at)}${itemAt(characters, at + 1)}`);
  }
  return words;
}
