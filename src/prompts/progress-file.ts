/** Reading `claude-progress.txt`. It is the agent's to write, so everything here is lenient and bounded. */

export interface ProgressEntry {
  session: number;
  feature: number | null;
  did: string[];
  decisions: string[];
  left: string[];
}

const MAX_BYTES = 256 * 1024;
const MAX_NOTES = 20;
const SECTION: Readonly<Record<string, keyof Pick<ProgressEntry, 'did' | 'decisions' | 'left'>>> = {
  'WHAT I DID': 'did',
  DONE: 'did',
  "WHAT'S DONE": 'did',
  DECISIONS: 'decisions',
  "WHAT'S LEFT": 'left',
  LEFT: 'left',
  REMAINING: 'left',
  BLOCKED: 'left',
  NEXT: 'left',
};

/** Newest first. Only the end of a long file is looked at. */
export function parseProgress(text: string): ProgressEntry[] {
  const entries: ProgressEntry[] = [];
  let current: ProgressEntry | null = null;
  let section: (typeof SECTION)[string] | null = null;
  for (const raw of text.slice(-MAX_BYTES).split(/\r?\n/)) {
    const heading = /^SESSION\s+(\d+)\b/i.exec(raw);
    if (heading !== null) {
      current = { session: Number(heading[1]), feature: null, did: [], decisions: [], left: [] };
      entries.push(current);
      section = null;
      continue;
    }
    if (current === null) continue;
    const feature = /^FEATURE:\s*#?(\d+)/i.exec(raw);
    if (feature !== null) current.feature = Number(feature[1]);
    const title = /^([A-Z][A-Z' ]+):\s*(.*)$/.exec(raw);
    if (title !== null) {
      section = SECTION[title[1]!.trim()] ?? null;
      if (section !== null) note(current[section], title[2]!);
      continue;
    }
    const item = /^\s*[-*•]\s+(\S.*)/.exec(raw);
    if (item !== null && section !== null) note(current[section], item[1]!);
  }
  return entries.toReversed();
}

function note(notes: string[], text: string): void {
  const trimmed = text.trim();
  if (trimmed !== '' && notes.length < MAX_NOTES) notes.push(trimmed);
}
