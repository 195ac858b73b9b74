/**
 * What a mission remembers. Pure.
 *
 * 1. Notes come from lines `NOTE:` and `TRICK:` of all that a role said or wrote, cleaned, one line each, with role, feature and iteration.
 * 2. A summary over its cap is not taken, and the old one stays.
 * 3. Identities only ever grow, and only by lessons that at least two places reported: each place that a line names has to have reported a trick which
 *    says what the line says, in its own words. Code counts the places and compares the words.
 */
import { z } from '../../../domain/zod.ts';
import { cleanText } from '../../../domain/clean-text.ts';
import { parseJson } from './plan.ts';
import { groupOf } from '../../../domain/text-parts.ts';

export interface Note {
  kind: 'NOTE' | 'TRICK';
  role: string;
  feature: string | null;
  iteration: number;
  session: number;
  text: string;
}

const MOST_NOTES = 20;
const LONGEST_NOTE = 500;

export function notesIn(reply: string, about: Omit<Note, 'kind' | 'text'>): Note[] {
  const found = new Map<string, Note>();
  for (const line of reply.split('\n')) {
    const match = /^\s*(?:[-–—*•]\s+)?\**(NOTE|TRICK):\**\s*(\S.*)$/.exec(line);
    if (match === null) continue;
    const [kind, text] = [match[1] as Note['kind'], plain(groupOf(match, 2))];
    if (text !== '') found.set(`${kind} ${text}`, { ...about, kind, text });
  }
  return [...found.values()].slice(0, MOST_NOTES);
}

/** All texts of an output: of JSON its strings, else the text itself. */
export function textsIn(output: string): string {
  const value = /^\s*[[{]/.test(output) ? parseJson(output) : null;
  return value === null ? output : stringsIn(value).join('\n');
}

function stringsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(stringsIn) : [];
}

function plain(text: string): string {
  return cleanText(text).replace(/\s+/g, ' ').replaceAll('~~~', '~ ~ ~').replace(BULLET, '').trim().slice(0, LONGEST_NOTE);
}

/** A dash before a note is no part of it. */
const BULLET = /^\s*[-–—*•]\s+/;

export function renderNote({ kind, role, feature, iteration, session, text }: Note): string {
  return `- [${iteration}] session ${session} ${role}${feature === null ? '' : ` ${feature}`} ${kind}: ${text}`;
}

export function parseNotes(raw: string): Note[] {
  return raw.split('\n').flatMap((line) => {
    const match = /^- \[(\d+)\] session (\d+) (\S+?)(?: (F-\S+))? (NOTE|TRICK): (.*)$/.exec(line);
    if (match === null) return [];
    const [, iteration, session, , feature, kind] = match;
    return [
      {
        iteration: Number(iteration),
        session: Number(session),
        role: groupOf(match, 3),
        feature: feature ?? null,
        kind: kind as Note['kind'],
        text: groupOf(match, 6),
      },
    ];
  });
}

/** The notes of the whole mission; those of a session that is in there already are not added twice. */
export function withNotes(raw: string, notes: readonly Note[]): string {
  const known = parseNotes(raw);
  const fresh = notes.filter(
    (note) => !known.some((one) => one.session === note.session && one.text === note.text && one.kind === note.kind),
  );
  const all = [...known, ...fresh];
  return all.length === 0 ? '' : `${all.map(renderNote).join('\n')}\n`;
}

export const MOST_LINES = 40;
export const MOST_TOKENS = 800;
const CHARACTERS_PER_TOKEN = 3.5;

export function fitsCap(summary: string): boolean {
  return summary.trimEnd().split('\n').length <= MOST_LINES && summary.length / CHARACTERS_PER_TOKEN <= MOST_TOKENS;
}

export const CuratedSchema = z.looseObject({
  summary: z.string().max(100_000).optional(),
  memory: z.string().max(200_000).optional(),
  identities: z.record(z.string(), z.string().max(50_000)).optional(),
});

export interface Curated {
  summary: string | null;
  memory: string | null;
  identities: { role: string; lines: string[] }[];
  remarks: string[];
}

/** `tricks`: every trick that is known, with the places that reported it (`<mission>/<feature>`); `mission` is the name of this one. */
export function readCurated(text: string | null, tricks: readonly Trick[], roles: readonly string[], mission: string): Curated {
  const parsed = CuratedSchema.safeParse(text === null ? null : parseJson(text));
  if (!parsed.success)
    return { summary: null, memory: null, identities: [], remarks: ['the memory was not written; everything stays as it was'] };
  const { summary, memory, identities = {} } = parsed.data;
  const remarks: string[] = [];
  const fits = summary === undefined || fitsCap(summary);
  if (!fits) remarks.push(`the summary is over ${MOST_LINES} lines or ${MOST_TOKENS} tokens: the old one stays`);
  const taken = Object.entries(identities).flatMap(([role, lines]) => {
    if (!roles.includes(role)) {
      remarks.push(`there is no role ${role.slice(0, 40)}: nothing was added for it`);
      return [];
    }
    const all = lines.split('\n').filter((line) => line.trim() !== '');
    const counted = all
      .filter((line) => isCounted(line, tricks, mission))
      .map((line) => cleanText(line).replaceAll('~~~', '~ ~ ~').slice(0, LONGEST_NOTE));
    if (counted.length < all.length)
      remarks.push(
        `lessons for ${role} that are left out, because no two features or missions reported them: ${all.length - counted.length}`,
      );
    return counted.length === 0 ? [] : [{ role, lines: counted }];
  });
  return { summary: fits ? (summary ?? null) : null, memory: memory ?? null, identities: taken, remarks };
}

export interface Trick {
  text: string;
  places: string[];
}

/** `- lesson (F-001, calc-1a2b3c/F-004)`: each place named, of this mission or of another, has reported a trick that says so. */
function isCounted(line: string, tricks: readonly Trick[], mission: string): boolean {
  const match = /^- (.+)\(([^()]+)\)\s*$/.exec(line);
  if (match === null) return false;
  const [, lesson, cited] = match as unknown as [string, string, string];
  const places = new Set(cited.split(/,\s*/).map((name) => (name.includes('/') ? name : `${mission}/${name}`)));
  return (
    places.size >= 2 && [...places].every((place) => tricks.some((trick) => trick.places.includes(place) && saysSo(lesson, trick.text)))
  );
}

const SHARED_WORDS = 0.5;

/** Most of the lesson's words stand in the trick. */
function saysSo(lesson: string, trick: string): boolean {
  const [said, known] = [wordsOf(lesson), new Set(wordsOf(trick))];
  return said.length > 0 && said.filter((word) => known.has(word)).length >= said.length * SHARED_WORDS;
}

const COMMON_WORDS = 0.25;

/** Whether another place reported this trick, or one with some of its words: a lesson needs two places that say so. */
export function mayBecomeLesson(text: string, tricks: readonly Trick[]): boolean {
  const places = tricks.find((trick) => trick.text === text)?.places ?? [];
  const words = wordsOf(text);
  const isAlike = (other: Trick): boolean => {
    const known = new Set(wordsOf(other.text));
    return words.filter((word) => known.has(word)).length >= Math.min(words.length, known.size) * COMMON_WORDS;
  };
  return places.length > 0 && new Set(tricks.filter(isAlike).flatMap((trick) => trick.places)).size >= 2;
}

const WORDS = new Intl.Segmenter(undefined, { granularity: 'word' });

function wordsOf(text: string): string[] {
  const words = [...WORDS.segment(text.toLowerCase())].filter(({ isWordLike }) => isWordLike === true).map(({ segment }) => segment);
  return [...new Set(words)];
}

/** What another mission can be told of a trick: its places, and what they reported. */
export function tricksElsewhere(tricks: readonly Trick[], mission: string): string {
  return tricks
    .flatMap(({ text, places }) => places.filter((place) => !place.startsWith(`${mission}/`)).map((place) => `- ${place}: ${text}`))
    .join('\n');
}

/** The ledger of tricks with those of these notes. */
export function countTricks(known: readonly Trick[], notes: readonly Note[], mission: string): Trick[] {
  const all = new Map<string, Set<string>>();
  for (const { text, places } of known)
    for (const place of places) all.set(text.replace(BULLET, ''), (all.get(text.replace(BULLET, '')) ?? new Set()).add(place));
  for (const { kind, text, feature } of notes) {
    if (kind !== 'TRICK' || feature === null) continue;
    all.set(text, (all.get(text) ?? new Set()).add(`${mission}/${feature}`));
  }
  return [...all].map(([text, places]) => ({ text, places: [...places].toSorted() }));
}
