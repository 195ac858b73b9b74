/**
 * Reading `claude-progress.txt`. It is the agent's to write, so everything here is lenient and bounded: an entry begins with its session, in capitals or
 * as a heading of Markdown; notes stand below titles, or by themselves where an entry has none.
 */
import { groupOf } from '../domain/text-parts.ts';

export interface ProgressEntry {
  session: number;
  feature: number | null;
  did: string[];
  decisions: string[];
  left: string[];
}

type Section = keyof Pick<ProgressEntry, 'did' | 'decisions' | 'left'>;

const MAX_BYTES = 256 * 1024;
const MAX_NOTES = 20;
/** Of sentences below no title. */
const MAX_SENTENCES = 3;
const SECTIONS: Readonly<Record<Section, readonly string[]>> = {
  did: ['WHAT I DID', 'DID', 'DONE', "WHAT'S DONE", 'SUMMARY', 'IMPLEMENTED', 'CHANGES'],
  decisions: ['DECISION', 'DECISIONS'],
  left: ["WHAT'S LEFT", 'LEFT', 'REMAINING', 'BLOCKED', 'NEXT', 'NEXT STEPS', 'TODO'],
};
const BY_TITLE = new Map(Object.entries(SECTIONS).flatMap(([section, titles]) => titles.map((title) => [title, section as Section])));

const HEADING = /^[#*=\s]{0,8}SESSION\s+#?(\d+)\b(.{0,200})/i;
const FEATURE = /^[*\s]{0,4}FEATURE[*]{0,2}:[*]{0,2}\s*#?(\d+)/i;
/** In capitals, as a heading or in bold; with what stands behind it. */
const TITLE = /^(#{1,6}\s+|\*\*)?([A-Za-z][A-Za-z' ]{1,30}?)(?:\*\*)?(?::\s*(?:\*\*)?\s*(.*)|\**\s*)$/;
const INLINE = /\bDecisions?:\s+(\S.*)$/i;

/** Newest first. Only the end of a long file is looked at. */
export function parseProgress(text: string): ProgressEntry[] {
  const entries: ProgressEntry[] = [];
  let current: ProgressEntry | null = null;
  let section: Section | 'none yet' | null = null;
  let isFenced = false;
  for (const line of text.slice(-MAX_BYTES).split(/\r?\n/)) {
    const heading = HEADING.exec(line);
    if (heading !== null) {
      const feature = /#(\d+)/.exec(groupOf(heading, 2));
      current = { session: Number(heading[1]), feature: feature === null ? null : Number(feature[1]), did: [], decisions: [], left: [] };
      entries.push(current);
      section = 'none yet';
      isFenced = false;
      continue;
    }
    const isFence = /^\s{0,3}```/.test(line);
    if (isFence) isFenced = !isFenced;
    const isRule = /^\s*[-=*_~#]{3,}\s*$/.test(line);
    if (current === null || isFenced || isFence || isRule) continue;
    const feature = FEATURE.exec(line);
    if (feature !== null) current.feature = Number(feature[1]);
    const title = line.length > 500 ? null : TITLE.exec(line);
    const named = title === null ? undefined : BY_TITLE.get(groupOf(title, 2).trim().toUpperCase());
    if (title !== null && (named !== undefined || title[1] !== undefined || title[2] === groupOf(title, 2).toUpperCase())) {
      section = named ?? null;
      if (named !== undefined) note(current[named], title[3] ?? '');
      continue;
    }
    const item = /^\s*[-*•]\s+(\S.*)/.exec(line);
    if (section === 'none yet') sentence(current, item?.[1] ?? (/^\s/.test(line) ? '' : line));
    else if (item !== null && section !== null) note(current[section], groupOf(item, 1));
  }
  return entries.toReversed();
}

/** A sentence of its own is what was done; a decision may stand at its end. */
function sentence(entry: ProgressEntry, text: string): void {
  const decision = text.length > 2_000 ? null : INLINE.exec(text);
  if (decision !== null) note(entry.decisions, groupOf(decision, 1));
  if (entry.did.length < MAX_SENTENCES) note(entry.did, decision === null ? text : text.slice(0, decision.index));
}

function note(notes: string[], text: string): void {
  const trimmed = text.trim();
  if (trimmed !== '' && notes.length < MAX_NOTES) notes.push(trimmed);
}
