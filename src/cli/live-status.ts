/** What a long command is doing, folded from its events, and the lines that say so. Pure. */
import { featureLabel } from '../domain/feature-name.ts';
import { cleanText } from '../domain/clean-text.ts';
import { fitWidth } from '../domain/display-width.ts';
import type { FeatureRef, HarnessEvent } from '../domain/event.ts';
import { dollars, duration, localTime, tokens } from './figures.ts';
import { liveWordsIn, type LiveWords } from './live-words.ts';
import { toolSubject } from './tool-subject.ts';
export interface LiveStatus {
  phase: string;
  session: number | null;
  feature: FeatureRef | null;
  /** Who works, where the session is one of a role: its name without its flow. */
  role: string | null;
  /** Where a flow with phases stands. */
  flow: { label: string; round: { number: number; of: number } | null; retry: number | null; language: string | null } | null;
  /** Nobody works: somebody or something is waited for. */
  waits: boolean;
  /** Sessions that are under way beside it. */
  beside: readonly { session: number; feature: FeatureRef | null }[];
  contextTokens: number;
  contextWindow: number;
  cost: number | null;
  budget: number | null;
  /** The last thing the agent did. */
  action: string;
  /** Epoch milliseconds at which a wait ends. */
  waitingUntil: number | null;
}

export const IDLE: LiveStatus = {
  phase: 'starting',
  session: null,
  feature: null,
  role: null,
  flow: null,
  waits: false,
  beside: [],
  contextTokens: 0,
  contextWindow: 0,
  cost: null,
  budget: null,
  action: '',
  waitingUntil: null,
};

const LONGEST_ACTION = 200;

export function foldStatus(status: LiveStatus, event: HarnessEvent): LiveStatus {
  switch (event.type) {
    case 'flow.phase':
      return {
        ...status,
        flow: { label: event.label, round: event.round ?? null, retry: event.retry ?? null, language: event.language ?? null },
        role: null,
      };
    case 'session.start':
      return {
        ...IDLE,
        budget: status.budget,
        flow: status.flow,
        phase: wordsOf(status).atWork,
        session: event.session,
        feature: event.feature,
        role: status.flow === null ? null : event.prompt,
        beside: besides(status, event),
      };
    case 'agent.usage':
      return {
        ...working(status),
        contextTokens: event.context_tokens,
        contextWindow: event.context_window,
        cost: plus(status.cost, event.cost_usd),
      };
    case 'agent.text':
      return working(status);
    case 'agent.tool':
      return { ...working(status), action: action(`${event.name} ${toolSubject(event.input)}`) };
    case 'preflight.check':
      return { ...status, phase: `preflight: ${event.name}`, waits: false, waitingUntil: null };
    case 'session.limit':
      if (event.until !== undefined)
        return {
          ...status,
          phase: event.kind === 'usage' || event.kind === 'outage' ? wordsOf(status).provider : wordsOf(status).waiting,
          waits: true,
          waitingUntil: Date.parse(event.until),
        };
      return event.kind === 'usage' ? working(status) : status;
    case 'verify.start':
      return { ...status, phase: wordsOf(status).verifying, action: '', waits: false, waitingUntil: null };
    case 'verify.check':
      return { ...status, phase: `${wordsOf(status).verifying}: ${event.title ?? event.name} ${event.state}` };
    case 'gate.asked':
      return { ...status, phase: wordsOf(status).answer({ gate: event.gate.id }), waits: event.left !== true, waitingUntil: null };
    case 'gate.answered':
      return working(status);
    case 'session.end':
      return withoutSession({ ...status, phase: event.outcome, action: '', waits: false, waitingUntil: null }, event.session);
    default:
      return status;
  }
}

type Start = Extract<HarnessEvent, { type: 'session.start' }>;

/** The others, once one more has begun; without a lane it works alone. */
function besides({ session, feature, beside }: LiveStatus, start: Start): LiveStatus['beside'] {
  if (start.lane === undefined || session === null) return [];
  return [...beside, { session, feature }].filter((one) => one.session !== start.session);
}

function withoutSession(status: LiveStatus, ended: number): LiveStatus {
  if (status.session !== ended) return { ...status, beside: status.beside.filter(({ session }) => session !== ended) };
  const [next, ...beside] = status.beside;
  return next === undefined ? status : { ...status, ...next, phase: wordsOf(status).atWork, beside };
}

function working(status: LiveStatus): LiveStatus {
  const { atWork } = wordsOf(status);
  return status.phase === atWork && !status.waits && status.waitingUntil === null
    ? status
    : { ...status, phase: atWork, waits: false, waitingUntil: null };
}

export function wordsOf({ flow }: Pick<LiveStatus, 'flow'>): LiveWords {
  return liveWordsIn(flow?.language);
}

function action(text: string): string {
  return cleanText(text.slice(0, LONGEST_ACTION * 4))
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, LONGEST_ACTION)
    .replace(/[\ud800-\udbff]$/, '');
}

function plus(sum: number | null, cost: number | null): number | null {
  return cost === null ? sum : (sum ?? 0) + cost;
}

export interface Frame {
  /** Without the time in which somebody or something was waited for. */
  elapsedMs: number;
  /** Epoch milliseconds. */
  now: number;
  columns: number;
  rows: number;
}

const WIDE = 60;
const TALL = 12;
/** What a terminal itself may add to a line: the ^C of an interrupt must not make it wrap. */
const MARGIN = 3;

/** Two lines, or one short one where there is little room. None reaches the edge: a line that wraps cannot be rewritten in place. */
export function statusLines(status: LiveStatus, frame: Frame): string[] {
  const roomy = frame.columns >= WIDE && frame.rows >= TALL;
  const lines = roomy ? wideLines(status, frame) : [narrowLine(status, frame)];
  return lines.map((line) => fitWidth(line, frame.columns - MARGIN));
}

function wideLines(status: LiveStatus, frame: Frame): string[] {
  const words = wordsOf(status);
  const left = timeLeft(status, frame.now);
  const phase =
    left === null ? status.phase : `${status.phase}: ${words.left({ time: left, until: localTime(status.waitingUntil!).slice(11) })}`;
  const where = [
    ...(status.flow === null ? [...sessionOf(status), phase] : flowParts(status, phase)),
    ...(status.feature === null ? [] : [words.feature({ name: featureLabel(status.feature) })]),
    ...(status.beside.length === 0 ? [] : [words.alongside({ names: status.beside.map((one) => besideName(one, words)).join(', ') })]),
  ];
  const figures: string[] = [];
  if (status.contextWindow > 0) {
    const share = Math.round((status.contextTokens / status.contextWindow) * 100);
    figures.push(`${tokens(status.contextTokens)}/${tokens(status.contextWindow)} ${words.tokens} (${share}%)`);
  }
  if (status.cost !== null)
    figures.push(status.budget === null ? dollars(status.cost) : `${dollars(status.cost)}/${dollars(status.budget)}`);
  figures.push(duration(frame.elapsedMs), ...(status.action === '' ? [] : [`› ${status.action}`]));
  return [where.join(' · '), figures.join(' · ')];
}

function sessionOf(status: LiveStatus): string[] {
  return status.session === null ? [] : [wordsOf(status).session({ number: status.session })];
}

/** Who works comes first; that somebody works goes without saying. */
function flowParts(status: LiveStatus, phase: string): string[] {
  const words = wordsOf(status);
  const { label, round, retry } = status.flow!;
  return [
    ...(status.role === null ? [] : [status.role]),
    cleanText(label),
    ...(round === null ? [] : [words.round({ number: round.number, of: round.of })]),
    ...(retry === null ? [] : [words.retry({ number: retry })]),
    ...(phase === words.atWork ? [] : [phase]),
    ...sessionOf(status),
  ];
}

function besideName({ session, feature }: LiveStatus['beside'][number], words: LiveWords): string {
  return feature === null ? words.session({ number: session }) : featureLabel(feature);
}

function narrowLine(status: LiveStatus, frame: Frame): string {
  const left = timeLeft(status, frame.now);
  const { waiting, atWork } = wordsOf(status);
  const phase = status.phase === atWork ? (status.role ?? status.phase) : status.phase;
  const parts = [left === null ? phase : `${waiting} ${left}`, ...(status.feature === null ? [] : [featureLabel(status.feature)])];
  if (status.contextWindow > 0) parts.push(`${tokens(status.contextTokens)}/${tokens(status.contextWindow)}`);
  if (status.cost !== null) parts.push(dollars(status.cost));
  return [...parts, duration(frame.elapsedMs)].join(' · ');
}

function timeLeft(status: LiveStatus, now: number): string | null {
  const left = status.waitingUntil === null ? 0 : status.waitingUntil - now;
  return left <= 0 ? null : duration(Math.ceil(left / 1_000) * 1_000);
}
