/**
 * The memory of a mission on its shelves: raw notes, summary and MEMORY of this mission, identities for good.
 *
 * 1. An identity is read once for a mission and stays the same over it, so that the beginning of a role's prompt does.
 * 2. Lanes that end at the same time write their notes in turn, and so do missions what outlives them; none is lost to another.
 * 3. What reaches a prompt is fenced and capped. Validators, the crosscheck and the plan reviewer get nothing of it.
 */
import { createHash } from 'node:crypto';
import { basename, join } from 'node:path';
import { z } from '../../domain/zod.ts';
import { isMissionFeature } from '../../domain/feature-name.ts';
import { fence } from '../../domain/fence.ts';
import { readCosts, writeCosts } from '../../kernel/books/costs-file.ts';
import { inTurn } from '../../kernel/flight/in-turn.ts';
import type { MissionState } from '../../kernel/mission-schema.ts';
import { LESSONS_FOLDER, withLessons } from '../../kernel/shared-lessons.ts';
import type { MissionPlace } from './contract.ts';
import { countTricks, notesIn, parseNotes, textsIn, withNotes, type Curated, type Note, type Trick } from './machine/memory.ts';
import { parseJson } from './machine/plan.ts';

type Ground = Pick<MissionPlace, 'documents' | 'platform' | 'harnessHome' | 'config' | 'root' | 'signal' | 'emit'>;

const RAW = 'raw.md';
const SUMMARY = 'summary.md';
const MEMORY = 'MEMORY.md';
const SEEN = 'curated';
const LONGEST_IDENTITY = 8_000;

const WITHOUT_MEMORY: ReadonlySet<string> = new Set(['validator', 'crosscheck', 'ui-qa', 'plan-reviewer']);

/** All that the agent of a session said, also before its last reply, and what it wrote. */
export async function rememberSession(
  place: Ground & Pick<MissionPlace, 'journal' | 'history'>,
  said: { reply: string; output: string | null },
  about: Omit<Note, 'kind' | 'text'>,
  mission: string,
): Promise<void> {
  await place.journal?.flush();
  const before = (await place.history.said(about.session, MOST_SAID)).filter(({ by }) => by === 'agent').map(({ text }) => text);
  await rememberReply(place, [...before, said.reply, textsIn(said.output ?? '')].join('\n'), about, mission);
}

const MOST_SAID = 5_000;

export async function rememberReply(place: Ground, reply: string, about: Omit<Note, 'kind' | 'text'>, mission: string): Promise<void> {
  const notes = notesIn(reply, about);
  if (notes.length === 0) return;
  await inTurn(`memory ${place.root}`, async () => {
    const shelf = place.documents.folder('memory');
    const raw = (await shelf.read(RAW)) ?? '';
    await shelf.write(RAW, withNotes(raw, notes));
  });
  if (notes.every(({ kind }) => kind !== 'TRICK')) return;
  await withLessons(place, async () => writeTricks(place, countTricks(await readTricks(place), notes, mission)));
}

/** The name under which tricks of a mission are counted: no two missions share it, also in one repository. */
export function missionName({ root }: Pick<Ground, 'root'>, { started_at }: Pick<MissionState, 'started_at'>): string {
  const mark = createHash('sha256').update(`${root}\n${started_at}`).digest('hex').slice(0, 6);
  return `${basename(root).replace(/[^\w.-]/g, '-')}-${mark}`;
}

/** What a role has learned; empty: nothing. The same text over the whole mission. */
export async function identityOf(place: Ground, role: string): Promise<string> {
  if (WITHOUT_MEMORY.has(role)) return '';
  const shelf = place.documents.folder('memory');
  const name = `identity-${role}.md`;
  const frozen = await shelf.read(name);
  const text = frozen ?? (await readIdentity(place, role));
  if (frozen === null) await shelf.write(name, text);
  return text.trim() === '' ? '' : `What this role has learned in other missions:\n\n${fence('lessons', text.slice(0, LONGEST_IDENTITY))}`;
}

export async function summaryFor(place: Ground, role: string): Promise<string> {
  if (WITHOUT_MEMORY.has(role)) return '';
  const text = (await place.documents.folder('memory').read(SUMMARY)) ?? '';
  return text.trim() === '' ? '' : `What is known of this mission:\n\n${fence('summary', text)}`;
}

export interface MemoryText {
  raw: string;
  summary: string;
  memory: string;
  notes: Note[];
  tricks: Trick[];
  /** How many of the notes a curator has seen. */
  curated: number;
}

/** How many notes a worker is given as they are. */
export const MOST_NOTES = 15;

export async function readMemory(place: Ground): Promise<MemoryText> {
  const shelf = place.documents.folder('memory');
  const read = async (name: string): Promise<string> => (await shelf.read(name)) ?? '';
  const [raw, summary, memory, seen] = await Promise.all([read(RAW), read(SUMMARY), read(MEMORY), read(SEEN)]);
  const curated = Number.parseInt(seen) || 0;
  return { raw, summary, memory, notes: parseNotes(raw), tricks: await readTricks(place), curated };
}

/** `seen`: how many notes it was made from. */
export async function writeCurated(place: Ground, { summary, memory, identities }: Curated, seen: number): Promise<void> {
  const shelf = place.documents.folder('memory');
  await shelf.write(SEEN, `${seen}\n`);
  if (summary !== null) await shelf.write(SUMMARY, `${summary.trimEnd()}\n`);
  if (memory !== null) await shelf.write(MEMORY, `${memory.trimEnd()}\n`);
  if (identities.length === 0) return;
  await withLessons(place, async () => {
    for (const { role, lines } of identities) {
      const old = await readIdentity(place, role);
      const added = lines.filter((line) => !old.split('\n').includes(line));
      if (added.length > 0) await place.platform.files.writeAtomic(identityPath(place, role), `${old}${added.join('\n')}\n`);
    }
  });
}

/** A new mission begins with what outlives the old one: its features are others, also where they have the same names. */
export async function forgetMission(place: Ground): Promise<void> {
  for (const name of ['memory', 'queue', 'contract', 'snapshots', 'debug'] as const) await place.documents.remove(name);
  const costs = await readCosts(place, { writer: true });
  const by_feature = costs.cumulative.by_feature.filter(({ feature_id }) => !isMissionFeature(feature_id));
  await writeCosts(place, { ...costs, cumulative: { ...costs.cumulative, by_feature } });
}

async function readIdentity(place: Ground, role: string): Promise<string> {
  const text = (await place.platform.files.readTextIfExists(identityPath(place, role))) ?? '';
  return text === '' || text.endsWith('\n') ? text : `${text}\n`;
}

export async function readIdentities(place: Ground, roles: readonly string[]): Promise<string> {
  const parts = await Promise.all(roles.map(async (role) => ({ role, text: await readIdentity(place, role) })));
  return parts
    .filter(({ text }) => text !== '')
    .map(({ role, text }) => `# ${role}\n${text}`)
    .join('\n');
}

function identityPath({ harnessHome }: Ground, role: string): string {
  return join(harnessHome, LESSONS_FOLDER, `${role}.md`);
}

const TricksSchema = z.array(z.object({ text: z.string(), places: z.array(z.string()) }));

function tricksPath({ harnessHome }: Ground): string {
  return join(harnessHome, LESSONS_FOLDER, 'tricks.json');
}

async function readTricks(place: Ground): Promise<Trick[]> {
  const parsed = TricksSchema.safeParse(parseJson((await place.platform.files.readTextIfExists(tricksPath(place))) ?? '[]'));
  return parsed.success ? parsed.data : [];
}

async function writeTricks(place: Ground, tricks: readonly Trick[]): Promise<void> {
  await place.platform.files.writeAtomic(tricksPath(place), `${JSON.stringify(tricks, null, 2)}\n`);
}
