/**
 * Each feature with what became of it. Pure.
 *
 * 1. One state a feature, the one that a person has to know first: what waits for them, then what stands in the way, then what is done.
 * 2. Money that nobody knows is told as unknown, never as nothing.
 */
import { recordedWords } from '../../../gates/gate-files.ts';
import { flightsOf } from '../machine/lanes.ts';
import { releasedFeatures } from '../machine/next-feature.ts';
import { parkedId, waitingEntries } from '../machine/parked.ts';
import { isRoleRecord, moneyOf, type PastRecord } from '../../../kernel/books/sums.ts';
import type { Past } from './past.ts';

export const FEATURE_STATES = [
  'verified',
  'on trust',
  'waiting',
  'needs a person',
  'answered',
  'set aside',
  'blocked',
  'under way',
  'refused',
  'open',
] as const;
export type FeatureState = (typeof FEATURE_STATES)[number];

export interface FeatureRow {
  id: number;
  description: string;
  state: FeatureState;
  /** Sessions that worked on it. */
  attempts: number;
  cost_usd: number | null;
  sessions_without_cost: number;
  seconds: number;
  /** The commit that proved it, and its verdict. */
  commit: string | null;
  verdict: string | null;
  /** The last session that worked on it. */
  session: number | null;
  /** Features that have to pass first. */
  waits_for: number[];
  /** The question that waits. */
  question: string | null;
  /** Why it stands as it does, in a sentence; empty where the state says all. */
  note: string;
}

export function featureRows(past: Past): FeatureRow[] {
  const passing = new Set(past.features.filter((feature) => feature.passes).map((feature) => feature.id));
  const released = releasedFeatures(past.state.skipped);
  return past.features.map((feature) => {
    const sessions = past.sessions.filter((record) => !isRoleRecord(record) && record.feature_id === feature.id);
    const proof = sessions.findLast((record) => record.outcome === 'verified');
    const waits_for = feature.passes ? [] : (feature.depends_on ?? []).filter((id) => !passing.has(id) && !released.has(id));
    return {
      id: feature.id,
      description: feature.description,
      ...standing(past, feature, sessions.at(-1) ?? null, waits_for),
      attempts: sessions.length,
      ...moneyOf(sessions),
      seconds: sessions.reduce((sum, record) => sum + record.duration_seconds, 0),
      commit: feature.passes ? (proof?.commit ?? past.landings.findLast((landed) => landed.feature === feature.id)?.commit ?? null) : null,
      verdict: feature.passes ? (proof?.verdict ?? null) : null,
      session: sessions.at(-1)?.session_id ?? null,
      waits_for,
    };
  });
}

/** What a person has to decide about a feature, with the id to answer by. */
function waitingFor({ state, answers }: Past, feature: number): (Pick<FeatureRow, 'state' | 'question'> & { note: string | null }) | null {
  const entries = waitingEntries(state);
  const entry = entries.find(({ pending, escalation }) => (pending ?? escalation)?.feature === feature);
  if (entry === undefined) return null;
  const answer = answers.get(parkedId(entry));
  if (answer !== undefined) return { state: 'answered', question: null, note: recordedWords(answer) };
  const question = parkedId(entry);
  return entry.escalation === null
    ? { state: 'waiting', question, note: null }
    : { state: 'needs a person', question, note: entry.escalation.message };
}

type Standing = Pick<FeatureRow, 'state' | 'question' | 'note'>;

function standing(past: Past, feature: Past['features'][number], last: PastRecord | null, waitsFor: readonly number[]): Standing {
  const { state } = past;
  const { id } = feature;
  const said = last?.message ?? '';
  const waits = waitingFor(past, id);
  if (waits !== null) return { ...waits, note: waits.note ?? said };
  if (feature.passes) {
    const onTrust = state.overrides.some((entry) => entry.feature === id && entry.passes);
    return { state: onTrust ? 'on trust' : 'verified', question: null, note: '' };
  }
  const aside = state.skipped.find((entry) => entry.feature === id);
  if (aside !== undefined) return { state: 'set aside', question: null, note: aside.reason };
  const flight = flightsOf(state).find(({ feature }) => feature === id);
  if (flight !== undefined)
    return {
      state: 'under way',
      question: null,
      note: `session ${flight.session}${flight.lane === null ? '' : `, ${flight.lane.replace('-', ' ')}`}`,
    };
  if (waitsFor.length > 0)
    return { state: 'blocked', question: null, note: `waits for ${waitsFor.map((other) => `#${other}`).join(', ')}` };
  if (last?.outcome === 'rejected') return { state: 'refused', question: null, note: said };
  return { state: 'open', question: null, note: last === null ? '' : said };
}
