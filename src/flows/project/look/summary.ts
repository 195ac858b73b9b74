/**
 * What a run came to, for whoever finds it in the morning. Pure.
 *
 * 1. It tells of the sessions since a time: what was verified, refused, set aside, and what waits. Work that a person accepted counts when it landed.
 * 2. Sums are over those sessions; sessions of roles are told by role, those of the project by feature.
 * 3. It ends with the one command that goes on.
 */
import { agentLabel } from '../../../domain/agent-label.ts';
import { isOfMission, isRoleRecord, roleOf, sumOf, sumsBy, type Spent, type Sum } from '../../../kernel/books/sums.ts';
import { featureRows, type FeatureRow } from './feature-rows.ts';
import { parkedId, waitingEntries } from '../machine/parked.ts';
import type { Past } from './past.ts';

export interface Summary extends Sum {
  project: string;
  since: string | null;
  until: string | null;
  features: { passing: number; total: number };
  verified: Told[];
  refused: Told[];
  /** Waits for a person, with its question. */
  parked: Told[];
  /** Answered, and the answer not carried out yet. */
  answered: Told[];
  set_aside: Told[];
  /** Waits for features that have not passed. */
  blocked: Told[];
  commits: string[];
  by_feature: Spent[];
  by_role: Spent[];
  /** By backend and model. */
  by_agent: Spent[];
  questions: { id: string; question: string }[];
  /** What to type next; null: nothing is left to do. */
  next: string | null;
}

export interface Told {
  feature: number | string;
  description: string;
  session: number | null;
  /** The commit that proved it. */
  commit: string | null;
  note: string;
}

export function summarise(past: Past, since: string | null): Summary {
  const isIn = (at: string): boolean => since === null || Date.parse(at) >= Date.parse(since);
  const sessions = past.sessions.filter((record) => isIn(record.started_at));
  const landings = past.landings.filter(({ at }) => isIn(at));
  const touched = new Set([...sessions.map((record) => record.feature_id), ...landings.map(({ feature }) => feature)]);
  const rows = featureRows(past);
  const worked = rows.filter((row) => touched.has(row.id));
  const told = (states: readonly FeatureRow['state'][], among: readonly FeatureRow[]): Told[] =>
    among
      .filter((row) => states.includes(row.state))
      .map((row) => ({ feature: row.id, description: row.description, session: row.session, commit: row.commit, note: row.note }));
  const verified = sessions.filter((record) => record.outcome === 'verified');
  const proved = new Set([...verified.map((record) => record.feature_id), ...landings.map(({ feature }) => feature)]);
  return {
    project: past.project,
    since: sessions[0]?.started_at ?? since,
    until: sessions.at(-1)?.ended_at ?? null,
    features: { passing: rows.filter((row) => row.state === 'verified' || row.state === 'on trust').length, total: rows.length },
    verified: told(
      ['verified', 'on trust'],
      worked.filter((row) => proved.has(row.id)),
    ),
    refused: told(['refused'], worked),
    parked: told(['waiting', 'needs a person'], rows),
    answered: told(['answered'], rows),
    set_aside: told(['set aside'], rows),
    blocked: told(['blocked'], rows),
    commits: [...new Set([...landings.map(({ commit }) => commit), ...sessions.flatMap((record) => record.commit ?? [])])],
    ...sumOf(sessions),
    by_feature: sumsBy(
      sessions.filter((record) => !isRoleRecord(record) && !isOfMission(record)),
      (record) => (record.feature_id === null ? record.prompt : `#${record.feature_id}`),
    ),
    by_role: sumsBy(sessions, roleOf),
    by_agent: sumsBy(sessions, ({ backend, model }) => agentLabel({ backend, model })),
    questions: past.questions.map(({ id, question }) => ({ id, question })),
    next: nextCommand(past, rows),
  };
}

function nextCommand(past: Past, rows: readonly FeatureRow[]): string | null {
  const open = waitingEntries(past.state).some((entry) => !past.answers.has(parkedId(entry)));
  if (past.questions.length > 0 || open) return 'harness gates';
  if (past.state.paused) return 'harness resume';
  if (past.state.handoff !== null) return 'harness takeback';
  return rows.every((row) => row.state === 'verified' || row.state === 'on trust') ? null : 'harness run --until-done';
}
