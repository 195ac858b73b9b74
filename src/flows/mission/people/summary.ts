/**
 * What a mission came to, for whoever finds it in the morning.
 *
 * 1. It tells of the whole mission, over all its commands; with `since`, the sums and commits are those from then on.
 * 2. It ends with the one command that goes on.
 */
import { featureLabel } from '../../../domain/feature-name.ts';
import type { Gate } from '../../../domain/gate.ts';
import { waitingGates } from '../../../gates/gate-files.ts';
import { isOfMission, onceEach, roleOf, sumOf, sumsBy, type PastRecord, type Spent, type Sum } from '../../../kernel/books/sums.ts';
import type { MissionState, QueueFeature } from '../../../kernel/mission-schema.ts';
import type { Place } from '../../../kernel/place.ts';
import { findingsOf, type MissionFinding } from './status.ts';
import { mustHave } from '../../../domain/must-have.ts';

export interface MissionSummary extends Sum {
  spec: string;
  stage: MissionState['stage'];
  since: string | null;
  until: string | null;
  features: { passing: number; total: number };
  verified: Told[];
  refused: Told[];
  /** Waits for a person. */
  parked: Told[];
  /** Not begun, or waiting for another feature. */
  open: Told[];
  set_aside: Told[];
  commits: string[];
  by_feature: Spent[];
  by_role: Spent[];
  questions: { id: string; question: string }[];
  findings: MissionFinding[];
  /** What to type next; null: nothing is left to do. */
  next: string | null;
}

interface Told {
  feature: string;
  description: string;
  /** The last commit that landed for it. */
  commit: string | null;
  note: string;
}

/** What the logs and the shelf say about it. */
export interface MissionPast {
  records: readonly PastRecord[];
  commits: readonly { at: string; feature: string; commit: string }[];
  questions: readonly Gate[];
}

export async function readMissionSummary(
  { documents, history }: Pick<Place, 'documents' | 'history'>,
  since: string | null,
): Promise<MissionSummary | null> {
  const mission = await documents.read('mission', { writer: false });
  if (mission === null) return null;
  const [records, landed, questions] = await Promise.all([
    history.all(),
    history.events('type=commit.created'),
    waitingGates(documents.folder('gates')),
  ]);
  const commits = landed
    .filter((entry) => typeof entry['feature'] === 'string')
    .map((entry) => ({ at: entry.ts, feature: String(entry['feature']), commit: String(entry['commit'] ?? '') }));
  return summariseMission(mission, { records, commits, questions }, since);
}

export function summariseMission(mission: MissionState, past: MissionPast, since: string | null): MissionSummary {
  const from = Math.max(Date.parse(mission.started_at), since === null ? 0 : Date.parse(since));
  const records = onceEach(past.records).filter((record) => isOfMission(record) && Date.parse(record.started_at) >= from);
  const questions = past.questions.filter(({ id }) => id.startsWith('mission.')).map(({ id, question }) => ({ id, question }));
  const commits = past.commits.filter(({ at }) => Date.parse(at) >= Date.parse(mission.started_at));
  const told = (holds: (feature: QueueFeature) => boolean): Told[] =>
    mission.features.filter(holds).map((feature) => ({
      feature: feature.id,
      description: feature.title,
      commit: commits.findLast((landed) => landed.feature === feature.id)?.commit ?? null,
      note: noteOn(mission, feature, questions),
    }));
  const waits = (feature: QueueFeature): boolean => feature.status !== 'passed' && isWaiting(mission, feature.id, questions);
  const passed = mission.features.filter(({ status }) => status === 'passed');
  return {
    spec: mission.spec.path,
    stage: mission.stage,
    since: records[0]?.started_at ?? null,
    until: records.at(-1)?.ended_at ?? null,
    features: { passing: passed.length, total: mission.features.length },
    verified: told(({ status }) => status === 'passed'),
    refused: told((feature) => !waits(feature) && isRefused(feature)),
    parked: told((feature) => feature.status !== 'skipped' && waits(feature)),
    open: told((feature) => !waits(feature) && isOpen(feature) && !isRefused(feature)),
    set_aside: told(({ status }) => status === 'skipped'),
    commits: commits.filter(({ at }) => Date.parse(at) >= from).map(({ commit }) => commit),
    ...sumOf(records),
    by_feature: sumsBy(
      records.filter(({ feature_id }) => feature_id !== null),
      ({ feature_id }) => featureLabel(mustHave(feature_id, 'records without a feature are left out')),
    ),
    by_role: sumsBy(records, roleOf),
    questions,
    findings: findingsOf(mission),
    next: nextCommand(mission, questions.length),
  };
}

const isOpen = ({ status }: QueueFeature): boolean =>
  status === 'pending' || status === 'blocked' || status === 'working' || status === 'validating';

const isRefused = ({ status, attempts }: QueueFeature): boolean =>
  status === 'failed' || ((status === 'pending' || status === 'blocked') && attempts > 0);

type Questions = MissionSummary['questions'];

function isWaiting({ candidates, kept, escalation }: MissionState, id: string, questions: Questions): boolean {
  return (
    candidates.some(({ feature }) => feature === id) ||
    kept.includes(id) ||
    escalation?.feature === id ||
    questions.some((question) => question.id.endsWith(`:${id.toLowerCase()}`))
  );
}

function noteOn(mission: MissionState, feature: QueueFeature, questions: Questions): string {
  if (feature.status === 'passed') return '';
  const said = mission.evidence.findLast((one) => one.feature === feature.id)?.message ?? '';
  const question = questions.find(({ id }) => id.endsWith(`:${feature.id.toLowerCase()}`));
  if (mission.kept.includes(feature.id)) return 'accepted; its branch waits to be merged';
  if (question !== undefined) return said === '' ? question.id : `${said} (${question.id})`;
  if (mission.escalation?.feature === feature.id) return [mission.escalation.reason, said].filter((text) => text !== '').join('; ');
  if (feature.status === 'working' || feature.status === 'validating')
    return `${feature.status === 'working' ? 'in work' : 'accepted, not landed yet'}${feature.attempts === 0 ? '' : `, attempt ${feature.attempts + 1}`}`;
  if (said !== '') return said;
  const waitsFor = feature.depends_on.filter((id) => mission.features.some((other) => other.id === id && other.status !== 'passed'));
  return waitsFor.length === 0 ? '' : `waits for ${waitsFor.join(', ')}`;
}

function nextCommand({ stage, checkpoint }: MissionState, questions: number): string | null {
  if (checkpoint !== null) return `harness mission grant ${checkpoint}`;
  if (questions > 0) return 'harness gates';
  return stage === 'done' ? null : 'harness mission run';
}
