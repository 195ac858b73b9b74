/** The lines that say what a long command is doing: one for each lane. Pure; what is done is folded in `reading/watch.ts`. */
import { cleanText } from '../domain/clean-text.ts';
import { displayWidth, fitWidth } from '../domain/display-width.ts';
import { featureLabel } from '../domain/feature-name.ts';
import { dollars, duration, localTime, tokens } from '../reading/figures.ts';
import type { Flow, Lane, Watch } from '../reading/watch.ts';
import { liveWordsIn, type LiveWords } from './live-words.ts';

export interface Frame {
  /** Without the time in which somebody or something was waited for. */
  elapsedMs: number;
  /** Epoch milliseconds. */
  now: number;
  columns: number;
  rows: number;
  /** What a session may cost; null: no limit is known. */
  budget: number | null;
}

const WIDE = 72;
/** What a terminal itself may add to a line: the ^C of an interrupt must not make it wrap. */
const MARGIN = 3;
const WIDEST_NAME = 28;
const BAR_CELLS = 8;
/** Rows that the lanes leave to what scrolls by. */
const ROOM_ABOVE = 6;

/** Nobody works: somebody or something is waited for. */
export function isWaiting({ asked, lanes }: Watch): boolean {
  return asked.length > 0 || (lanes.length > 0 && lanes.every(({ stage }) => stage === 'waiting' || stage === 'asking'));
}

/** Empty: nothing has begun. None reaches the edge: a line that wraps cannot be rewritten in place. */
export function statusLines(watch: Watch, frame: Frame): string[] {
  const words = wordsOf(watch);
  const most = Math.max(1, frame.rows - ROOM_ABOVE);
  const shown = watch.lanes.length > most ? watch.lanes.slice(0, most - 1) : watch.lanes;
  const rest = watch.lanes.length - shown.length;
  const width = frame.columns - MARGIN;
  const names = shown.map((lane) => nameOf(lane, watch, words, frame.columns));
  const widest = Math.min(WIDEST_NAME, Math.max(0, ...names.map(displayWidth)));
  const lines = [
    ...(watch.flow === null || frame.columns < WIDE ? [] : [flowLine(watch.flow, words)]),
    ...shown.map((lane, at) => laneLine(lane, padded(names[at] ?? '', widest), words, frame)),
    ...(rest === 0 ? [] : [`+${rest}`]),
    ...(watch.lanes.length > 0 || watch.ended === null
      ? []
      : [`${words.session({ number: watch.ended.session })} · ${watch.ended.outcome} · ${duration(frame.elapsedMs)}`]),
  ];
  return lines.map((line) => fitWidth(line, width));
}

export function wordsOf({ flow }: Pick<Watch, 'flow'>): LiveWords {
  return liveWordsIn(flow?.language);
}

function flowLine({ label, round, retry }: Flow, words: LiveWords): string {
  return [
    cleanText(label),
    ...(round === null ? [] : [words.round({ number: round.number, of: round.of })]),
    ...(retry === null ? [] : [words.retry({ number: retry })]),
  ].join(' · ');
}

/** In a flow who works, else on what; and in which session, where there is room. */
function nameOf(lane: Lane, watch: Watch, words: LiveWords, columns: number): string {
  const session = words.session({ number: lane.session });
  const about = lane.feature === null ? (watch.flow === null ? '' : lane.role) : featureLabel(lane.feature);
  if (about === '') return session;
  return columns < WIDE ? about : `${about} ${session}`;
}

/** What it does on the left, its figures on the right; the figures are whole whatever room there is. */
function laneLine(lane: Lane, name: string, words: LiveWords, frame: Frame): string {
  const width = frame.columns - MARGIN;
  const figures = frame.columns < WIDE ? shortFigures(lane, frame) : wideFigures(lane, frame);
  const room = Math.max(0, width - displayWidth(figures) - 2);
  const left = fitWidth(`${name}  ${doing(lane, words, frame)}`, room);
  return `${padded(left, room)}  ${figures}`;
}

function doing(lane: Lane, words: LiveWords, { now }: Frame): string {
  if (lane.stage === 'waiting') {
    const what = lane.detail === 'usage' || lane.detail === 'outage' ? words.provider : words.waiting;
    const left = lane.until === null ? 0 : lane.until - now;
    return left <= 0
      ? what
      : `${what}: ${words.left({ time: duration(Math.ceil(left / 1_000) * 1_000), until: localTime(lane.until ?? 0).slice(11) })}`;
  }
  if (lane.stage === 'asking') return words.answer({ gate: lane.detail });
  if (lane.stage === 'verifying') return lane.detail === '' ? words.verifying : `${words.verifying}: ${lane.detail}`;
  return lane.action === '' ? words.atWork : `› ${lane.action}`;
}

function wideFigures(lane: Lane, frame: Frame): string {
  const { context_tokens: used, context_window: window, cost_usd: cost } = lane;
  return [
    ...(window === 0 ? [] : [`${bar(used / window)} ${tokens(used)}/${tokens(window)}`]),
    ...(cost === null
      ? []
      : [frame.budget === null ? dollars(cost) : `${bar(cost / Math.max(frame.budget, 0.01))} ${dollars(cost)}/${dollars(frame.budget)}`]),
    duration(frame.elapsedMs),
  ].join('  ');
}

function shortFigures(lane: Lane, frame: Frame): string {
  const { context_tokens: used, context_window: window, cost_usd: cost } = lane;
  return [
    ...(window === 0 ? [] : [`${Math.round((used / window) * 100)}%`]),
    ...(cost === null ? [] : [dollars(cost)]),
    duration(frame.elapsedMs),
  ].join(' ');
}

/** ASCII: the width of other signs is not the same on every terminal. */
function bar(share: number): string {
  const filled = Math.min(BAR_CELLS, Math.max(0, Math.round(share * BAR_CELLS)));
  return `[${'#'.repeat(filled)}${'-'.repeat(BAR_CELLS - filled)}]`;
}

function padded(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - displayWidth(text)));
}
