/** What the session left that could not finish a feature: its notes, its files, its last words. Reads only. */
import type { Feature } from '../../domain/feature.ts';
import type { ProjectState } from '../../domain/session.ts';
import type { SessionRecord } from '../../domain/session-record.ts';
import { testFilesOf } from '../../domain/test-files.ts';
import { partialDetails } from '../../prompts/partial-details.ts';
import { parseProgress } from '../../prompts/progress-file.ts';
import { lastSummaryIn } from '../../verify/checks/evidence.ts';
import type { Place } from '../place.ts';

const RECORDS_LOOKED_AT = 200;
const ENTRIES_LOOKED_AT = 40;

export async function unfinishedWork(
  place: Place,
  feature: Feature,
  state: ProjectState,
  head: { tree: string; startsFrom?: string; endingWords: (record: SessionRecord) => string },
): Promise<string> {
  const wip = [state.wip, ...state.shelved].find((kept) => kept?.feature === feature.id) ?? null;
  const { progress } = place.config.paths;
  const records = await place.history.sessions(RECORDS_LOOKED_AT);
  const keeper = records.findLast((record) => record.session_id === wip?.session);
  const worked = records.findLast((record) => record.feature_id === feature.id && record.outage !== true);
  // A session that an outage ended keeps what it found, and has left nothing of its own.
  const left = keeper === undefined || keeper.outage === true ? worked : keeper;
  const session = keeper?.outage === true ? (worked?.session_id ?? null) : (wip?.session ?? worked?.session_id ?? null);
  const notes = wip === null ? null : await place.trees.read(wip.tree, progress);
  const entries = parseProgress(notes?.toString('utf8') ?? '').filter((candidate) => candidate.feature === feature.id);
  const entry = entries.find((candidate) => candidate.session === session) ?? entries[0];
  // Only foreseen, it is shown against what it was built on: what the branch gained meanwhile is no part of it.
  const base = wip === null || head.startsFrom !== undefined ? null : await place.trees.resolve(`${wip.ref}^`);
  const changes = wip === null ? [] : await place.trees.diff(base ?? head.tree, head.startsFrom ?? wip.tree);
  const said = session === null ? [] : await place.history.said(session, ENTRIES_LOOKED_AT);
  const lines = (by: readonly string[]): string[] =>
    said
      .filter((one) => by.includes(one.by))
      .flatMap((one) => one.text.split('\n'))
      .map((line) => line.trim())
      .filter((line) => line !== '');
  return partialDetails({
    feature: { id: feature.id, description: feature.description },
    test_files: testFilesOf(feature),
    session,
    reason:
      wip?.conflict !== undefined ? 'it conflicts with work that has landed' : left === undefined ? 'unfinished' : head.endingWords(left),
    done: entry?.did ?? [],
    left: entry?.left ?? [],
    decisions: entry?.decisions ?? [],
    files: changes.filter((change) => change.path !== progress).map((change) => `${change.path} (${change.status})`),
    said: lines(['agent']).slice(-6),
    last_test: lastSummaryIn(lines(['agent', 'tool'])),
  });
}
