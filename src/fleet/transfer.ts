/**
 * The documents of a project, from one store to another: into the fleet and back.
 *
 * 1. Bytes are copied as they are. What is sealed is read with the seal of the one place and written with that of the other; a decision
 *    whose seal does not fit is left behind.
 * 2. What belongs to one machine stays there: the lock, processes, copies, and what was being written.
 */
import { join } from 'node:path';
import { GATE_ID } from '../domain/gate-id.ts';
import { answerGate, lookAtAnswer, readGate, writeGate } from '../gates/gate-files.ts';
import { CATALOGUE, type DocumentName } from '../kernel/documents/catalogue.ts';
import { openDocuments } from '../kernel/documents/documents.ts';
import { openRequests } from '../kernel/documents/requests.ts';
import { TEMPORARY_PREFIX } from '../platform/files.ts';
import { isoNow, type Platform } from '../platform/platform.ts';
import type { DocumentStore } from '../store/shelf.ts';

export interface Bytes {
  name: string;
  content: Uint8Array;
}

const OF_THE_MACHINE = /^(?:lock|\.gitignore$|agent-processes\/|worktrees\/|logs\/)/;
const SEALED = ['state', 'mission', 'self-check'] as const satisfies readonly DocumentName[];

/** Everything in a project's folder of documents that is not this machine's own. */
export async function documentsIn(platform: Platform, folder: string): Promise<Bytes[]> {
  const found: Bytes[] = [];
  const walk = async (prefix: string): Promise<void> => {
    for (const entry of await platform.files.list(join(folder, prefix)).catch(() => [])) {
      const { name } = entry;
      const path = prefix === '' ? name : `${prefix}/${name}`;
      if (name.startsWith(TEMPORARY_PREFIX) || OF_THE_MACHINE.test(entry.isDirectory() ? `${path}/` : path)) continue;
      if (entry.isDirectory()) await walk(path);
      else if (entry.isFile()) found.push({ name: path, content: await platform.files.read(join(folder, path)) });
    }
  };
  await walk('');
  return found;
}

export async function transfer(platform: Platform, from: DocumentStore, to: DocumentStore, documents: readonly Bytes[]): Promise<void> {
  for (const { name, content } of documents) if (!name.startsWith('requests/') && !name.startsWith('gates/')) await to.write(name, content);
  await sealAgain(platform, from, to);
  await askAgain(platform, from, to);
  await moveGates(platform, from, to);
}

async function sealAgain(platform: Platform, from: DocumentStore, to: DocumentStore): Promise<void> {
  const [before, after] = [from, to].map((store) => openDocuments(platform, store, { onNewerState: 'abort' }));
  for (const name of SEALED) {
    if (!(await from.has(CATALOGUE[name].file))) continue;
    const value = await before!.read(name, { writer: false });
    if (value !== null) await after!.write(name, value as never);
  }
}

async function askAgain(platform: Platform, from: DocumentStore, to: DocumentStore): Promise<void> {
  const after = openRequests(platform, to.in('requests'));
  for (const { wish } of await openRequests(platform, from.in('requests')).waiting()) if (wish.kind !== 'stop') await after.ask(wish);
}

async function moveGates(platform: Platform, from: DocumentStore, to: DocumentStore): Promise<void> {
  const [before, after] = [from.in('gates'), to.in('gates')];
  const ids = (await before.list()).map((name) => name.replace(/(?:\.answer)?\.json$/, '')).filter((id) => GATE_ID.test(id));
  for (const id of new Set(ids)) {
    const gate = await readGate(before, id);
    if (gate === null) continue;
    await writeGate(after, gate);
    const answer = await lookAtAnswer(before, gate);
    if (answer !== null) await answerGate(after, id, { option: answer.option, text: answer.text ?? null, at: isoNow(platform.clock) });
  }
}
