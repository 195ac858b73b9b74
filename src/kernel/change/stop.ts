/**
 * The Stop hook: whether a session of a host may end here.
 *
 * 1. It blocks only where tests changed and the change is rejected. It never blocks for what only a person can decide, for time, or for words.
 * 2. After so many blocks in a row it gives way. A host may override a block as well: so the record says *not verified* until a stop passes.
 * 3. Where nothing changed since the last verdict or the session's start, it answers at once.
 */
import { HarnessError } from '../../domain/errors.ts';
import { isoNow, type Platform } from '../../platform/platform.ts';
import { isTestFile, isTestPath } from '../../verify/checks/protected-paths.ts';
import { keepReport, reportOf, type ChangeReport } from './change-record.ts';
import { judgeChange, type JudgedChange } from './judge-change.ts';
import {
  emptyRecord,
  readStopRecord,
  treeState,
  writeStopRecord,
  type RecordedStop,
  type StopRecord,
  type TreeState,
} from './stop-record.ts';

export interface StopCall {
  session: string;
  cwd: string;
  /** A session begins, or wants to end. */
  event: 'start' | 'stop';
  /** The host goes on because of an earlier block. */
  active: boolean;
}

export interface StopLimits {
  seconds: number;
  blocks: number;
  signal: AbortSignal;
}

/** Null: let it through without a word. */
export type StopAnswer = Pick<RecordedStop, 'blocked' | 'message'> | null;

export async function answerStop(platform: Platform, call: StopCall, limits: StopLimits): Promise<StopAnswer> {
  const state = await treeState(platform, call.cwd);
  if (state === null) return null;
  const record = (await readStopRecord(platform, state.root, call.session)) ?? emptyRecord(call.session, state.root);
  if (call.event === 'start') {
    if (record.start === null)
      await writeStopRecord(platform, state.root, { ...record, start: { head: state.head, fingerprint: state.fingerprint } });
    return null;
  }
  const last = record.stops.at(-1) ?? null;
  const isKnown = state.fingerprint === (last ?? record.start)?.fingerprint;
  // The model stopped again without a change: what was wrong still is.
  const insists = isKnown && call.active && last?.blocked === true;
  if (isKnown && !insists) return null;
  const before = call.active ? record.blocks : 0;
  const judged = insists ? last : await judgeStop(platform, record, state, limits);
  const stop = { ...judged, at: isoNow(platform.clock), ...blockOf(judged, before < limits.blocks) };
  await writeStopRecord(platform, state.root, { ...record, blocks: stop.blocked ? before + 1 : 0, stops: [...record.stops, stop] });
  return { blocked: stop.blocked, message: stop.message };
}

function blockOf({ blocked, message }: RecordedStop, mayBlock: boolean): Pick<RecordedStop, 'blocked' | 'message'> {
  if (!blocked || mayBlock) return { blocked, message };
  return { blocked: false, message: 'The harness let this session end after several blocks: its work is not verified.' };
}

/** `blocked`: it should be, if that is still allowed. */
async function judgeStop(
  platform: Platform,
  record: StopRecord,
  state: TreeState & { root: string },
  limits: StopLimits,
): Promise<RecordedStop> {
  const found = { at: '', fingerprint: state.fingerprint, blocked: false, message: '' };
  const limit = AbortSignal.timeout(limits.seconds * 1_000);
  try {
    const request = { base: record.start?.head ?? null, head: null, test: null, description: null };
    const options = {
      emit: () => {},
      signal: AbortSignal.any([limits.signal, limit]),
      skips: (paths: readonly string[]) => paths.every(isWords),
    };
    const judged = await judgeChange(platform, state.root, request, options);
    if (judged.verdict === null && judged.paths.length > 0) return { ...found, verdict: 'words', result: 'regression_only' };
    const report = reportOf(judged);
    await keepReport(platform, judged.folder, report);
    return { ...found, ...stopFor(report, judged) };
  } catch (error) {
    const why = limit.aborted
      ? `no verdict within ${limits.seconds} seconds`
      : error instanceof HarnessError
        ? error.message
        : String(error);
    return { ...found, verdict: 'not_judged', result: 'not_verified', message: `The harness could not judge this session's work: ${why}` };
  }
}

function stopFor(report: ChangeReport, { paths }: JudgedChange): Pick<RecordedStop, 'verdict' | 'result' | 'blocked' | 'message'> {
  const { verdict } = report;
  switch (verdict) {
    case 'accepted':
      return { verdict, result: 'verified', blocked: false, message: '' };
    case 'regression_only':
    case 'nothing':
      return { verdict, result: verdict, blocked: false, message: '' };
    case 'needs_review':
      return { verdict, result: 'needs_review', blocked: false, message: `This change ${report.message.replace(/^needs/, 'needs your')}` };
    case 'rejected':
      return paths.some((path) => isTestFile(path) || isTestPath(path))
        ? { verdict, result: 'not_verified', blocked: true, message: wordsFor(report) }
        : { verdict, result: 'not_verified', blocked: false, message: `The harness judged this change: ${report.message}${named(report)}` };
    case 'not_judged':
      return { verdict, result: 'not_verified', blocked: false, message: report.message };
  }
}

function named({ findings }: ChangeReport): string {
  const subjects = findings.find(({ weight }) => weight === 'reject')?.subjects ?? [];
  return subjects.length === 0 ? '' : ` (${subjects.slice(0, MOST_SUBJECTS).join(', ')})`;
}

function findingWords({ message, subjects }: ChangeReport['findings'][number]): string {
  const unnamed = subjects.filter((subject) => !message.includes(subject)).slice(0, MOST_SUBJECTS);
  return unnamed.length === 0 ? message : `${message}: ${unnamed.join(', ')}`;
}

const MOST_SUBJECTS = 3;
const MOST_FINDINGS = 4;
const LONGEST = 1_200;

/** Words that a model can act on. */
function wordsFor({ findings }: ChangeReport): string {
  const wrong = findings.filter(({ weight }) => weight === 'reject').map((finding) => `- ${findingWords(finding)}`);
  const shown = wrong.slice(0, MOST_FINDINGS);
  const rest = wrong.length - shown.length;
  return [
    'The harness ran the tests itself and rejects this change:',
    ...shown.map((line) => line.slice(0, LONGEST / MOST_FINDINGS)),
    ...(rest > 0 ? [`- and ${rest} more`] : []),
    'Fix the code, then finish. Do not weaken or remove tests to get past this. If you cannot fix it, say so plainly.',
  ].join('\n');
}

const WORDS = /\.(?:md|mdx|markdown|txt|rst|adoc|asciidoc)$|^(?:.*\/)?(?:LICENSE|LICENCE|NOTICE|AUTHORS|CHANGELOG|README|CODEOWNERS)$/i;

function isWords(path: string): boolean {
  return WORDS.test(path) && !isTestPath(path) && !/(?:^|\/)requirements[^/]*\.txt$/i.test(path);
}
