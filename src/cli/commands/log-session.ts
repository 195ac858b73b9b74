/** `harness log session N`: the story of one session; with `--json` everything that the logs know about it. */
import { usageError } from '../../domain/errors.ts';
import { EXIT } from '../../domain/reasons.ts';
import { allSessionRecords, queryJournal, saidIn, sessionEntries, type JournalEntry } from '../../journal/query.ts';
import type { Command } from '../command.ts';
import { entryOf, logFolders } from '../log-folders.ts';
import { cleanText } from '../../domain/clean-text.ts';
import { counted } from '../../domain/counted.ts';
import type { HarnessEvent } from '../../domain/event.ts';
import { createPaint } from '../paint.ts';
import { renderText } from '../render-text.ts';
import { itemAt } from '../../domain/items.ts';

export const run: Command = async ({ platform, store, args, output }) => {
  const session = sessionNumber(args[0] ?? '');
  const folders = await logFolders(platform, store);
  const found = await Promise.all(folders.map(({ path }) => sessionEntries(platform, path, session)));
  // No two sessions of a place share a number: one journal knows of it.
  const at = Math.max(
    0,
    found.findIndex((known) => known.length > 0),
  );
  const logs = itemAt(folders, at).path;
  const entries = itemAt(found, at).map((entry) => entryOf(itemAt(folders, at), entry));
  const records = (await Promise.all(folders.map(({ path }) => allSessionRecords(platform, path))))
    .flat()
    .toSorted((one, other) => one.session_id - other.session_id);
  const summary = records.findLast((record) => record.session_id === session) ?? null;
  if (entries.length === 0 && summary === null)
    throw unknownSession(
      session,
      records.map((record) => record.session_id),
      store.where('logs'),
    );
  const said = await saidIn(platform, logs, session);
  const events = output.json ? [] : await queryJournal(platform, logs, `session=${session}`);
  output.object({ session, summary, entries, said }, output.json ? '' : sessionStory(events, said));
  return { exitCode: EXIT.done };
};

function sessionNumber(word: string): number {
  if (!/^\d{1,9}$/.test(word))
    throw usageError(`The session is a number, not "${word}".`, 'harness log tail --in sessions shows the latest ones.');
  return Number(word);
}

function unknownSession(session: number, known: readonly number[], logs: string): Error {
  const hint = known.length === 0 ? 'No session has ended here yet.' : `Sessions known here: ${known[0]} to ${known[known.length - 1]}.`;
  return usageError(`The logs in ${logs} know no session ${session}.`, hint);
}

const PLAIN = createPaint(false);
const SHOWN_OUTPUT = 12;
const OF_THE_AGENT: ReadonlySet<string> = new Set(['agent.text', 'agent.tool', 'agent.result']);

/** `said`: all of what the agent said and did; null: it is not kept any more. */
export function sessionStory(events: readonly JournalEntry[], said: readonly JournalEntry[] | null): string {
  const kept = said ?? events.filter(({ type }) => OF_THE_AGENT.has(type));
  const all = [...events.filter(({ type }) => !OF_THE_AGENT.has(type)), ...kept].toSorted(inOrder);
  const lines = all.flatMap((entry) => timed(entry.ts, linesOf(entry)));
  return [...lines, ...(said === null ? ['What else the agent said is no longer kept.'] : [])].join('\n');
}

function inOrder(a: JournalEntry, b: JournalEntry): number {
  const [first, second] = [a['seq'], b['seq']];
  return typeof first === 'number' && typeof second === 'number' ? first - second : Date.parse(a.ts) - Date.parse(b.ts);
}

function linesOf(entry: JournalEntry): string[] {
  if (entry.type === 'agent.result') return outputLines(entry);
  return renderText(entry as unknown as HarnessEvent, PLAIN, { quiet: false }).filter((line) => line !== '');
}

function outputLines(entry: JournalEntry): string[] {
  const lines = cleanText(String(entry['output'] ?? ''))
    .trimEnd()
    .split('\n');
  const more = lines.length - SHOWN_OUTPUT;
  return [...lines.slice(0, SHOWN_OUTPUT), ...(more > 0 ? [`… ${counted(more, 'more line')}`] : [])].map((line) => `    ${line}`);
}

function timed(at: string, lines: readonly string[]): string[] {
  const time = new Date(at).toTimeString().slice(0, 8);
  return lines.map((line, index) => `${index === 0 ? time : ' '.repeat(time.length)} ${line}`);
}
