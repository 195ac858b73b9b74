/**
 * What follows from an answer to an escalation: one entry for each option that such a question offers.
 *
 * 1. `go_on`: the run tries again; `stop`: it ends, and the message says what a person does next; `leave`: what the session came to stands,
 *    and a repeated run goes on from there; `return`: the restore step is due. What changes is handed back, and written by the caller.
 * 2. An abort is confirmed by a question of its own; until then the escalation stands.
 * 3. An answer in words alone stands for what the question says it does; words that belong to another try reach the session that makes it.
 */
import { join } from 'node:path';
import type { GateAnswer } from '../../../domain/gate.ts';
import type { ProjectState } from '../../../domain/session.ts';
import { lastCheckpoint } from '../../../kernel/flight/checkpoints.ts';
import { headOf } from '../../../kernel/ground/head.ts';
import { applySplit, askForSplit } from '../split/split-questions.ts';
import type { Escalated, Followed } from './followed.ts';
import { clearState, confirmAbort } from './abort.ts';
import type { Note, ProjectEvent } from '../machine/document.ts';
import type { Pending } from './pending.ts';
import type { Project } from '../project.ts';
import { falseClaims, repairBaseline, setBack } from '../steps/set-back.ts';
import { PROJECT_GATES, type EscalationLabel, type ProjectGateId, BUDGET_KEYS } from '../../../gates/project-gates.ts';
import { idOf } from './escalate.ts';
import { readTrusted } from '../list/trusted.ts';
import { isScalar, parseDocument } from 'yaml';
import { commitRecord } from '../../../kernel/ground/record-commit.ts';

const SETTINGS = '.harness.yaml';

/** The new limit; a text says why there is none. */
async function increaseBudget(project: Project, scope: unknown, words: string | null): Promise<number | string> {
  const key = BUDGET_KEYS[scope === 'session' || scope === 'feature' ? scope : 'project'];
  const name = key.slice('costs.'.length) as keyof Project['config']['costs'];
  const before = project.config.costs[name];
  const limit = amountIn(words) ?? before * 2;
  if (limit <= before)
    return `$${limit} is not more than the limit of $${before}. Give a higher amount: harness answer project.budget "Increase budget" --text 50`;
  const text = await project.platform.files.readTextIfExists(join(project.root, SETTINGS));
  const head = await headOf(project);
  const committed = head === null ? null : ((await project.trees.read(head.tree, SETTINGS))?.toString('utf8') ?? null);
  if (committed !== null && committed !== text) return `${SETTINGS} has changes that are not committed. Commit them, then answer again.`;
  const changed = text === null ? null : withLimit(text, name, limit);
  if (changed === null) return `${SETTINGS} could not be changed; raise ${key} there yourself, commit it, and run again.`;
  await commitRecord(project, { path: SETTINGS, content: changed, subject: `Raise ${key} to ${limit}`, what: 'settings' });
  project.config.costs[name] = limit;
  project.emit({ type: 'decision', session: null, text: `${key} raised from $${before} to $${limit}`, by: 'user' });
  return limit;
}

/** The first amount in what a person said, as in "50" or "$62.50, please". */
export function amountIn(words: string | null): number | null {
  const found = /\d+(?:[.,]\d{1,2})?/.exec(words ?? '')?.[0];
  return found === undefined ? null : Number(found.replace(',', '.'));
}

/** The settings with another limit; everything else of the file stays as it is. Null: it cannot be read. */
export function withLimit(text: string, name: string, limit: number): string | null {
  const document = parseDocument(text);
  if (document.errors.length > 0) return null;
  const there = document.getIn(['costs', name], true);
  if (isScalar(there) && there.range) return `${text.slice(0, there.range[0])}${limit}${text.slice(there.range[1])}`;
  document.setIn(['costs', name], limit);
  return document.toString({ lineWidth: 0 });
}

interface Work {
  project: Project;
  state: ProjectState;
  escalated: Escalated;
  answer: GateAnswer;
  candidate: Pending | null;
}

/** `candidate`: the refused one that a person may look at; null where its files cannot be trusted. */
export async function carryOut(
  project: Project,
  state: ProjectState,
  { escalated, answer, candidate = null }: { escalated: Escalated; answer: GateAnswer; candidate?: Pending | null },
): Promise<Followed> {
  project.emit({
    type: 'decision',
    session: null,
    text: `${idOf(escalated)}: ${answer.option ?? 'in words'}${answer.text === null ? '' : ` (${answer.text})`}`,
    by: 'user',
  });
  const name = answerName(escalated.gate, answer);
  const handler = name === null ? undefined : HANDLERS[name];
  if (handler === undefined)
    return { kind: 'stop', changes: [], message: `To go on, choose an option: harness answer ${idOf(escalated)} OPTION` };
  const followed = await handler({ project, state, escalated, answer, candidate });
  if (!('changes' in followed)) return followed;
  const before = settledQuestion(state, noteOf(escalated, answer, handler));
  const raises = followed.changes.some((change) => change.type === 'escalated');
  const after = followed.kind === 'go_on' && !raises ? nextLargeFeature(escalated) : [];
  return { ...followed, changes: [...before, ...followed.changes, ...after] };
}

/** The option in lower case; for words alone, what they stand for at this question. */
export function answerName(gate: string, answer: GateAnswer): string | null {
  return answer.option?.toLowerCase() ?? (gate in PROJECT_GATES ? (PROJECT_GATES[gate as ProjectGateId].words ?? null) : null);
}

export function noteOf(escalated: Escalated, answer: GateAnswer, handler: Handler): Note | undefined {
  const text = answer.text?.trim() ?? '';
  if (text === '' || !TRIES_AGAIN.has(handler)) return undefined;
  return { feature: handler === repair ? null : escalated.feature, gate: escalated.gate, text };
}

/** The question is answered, and what was said with it is kept. */
function settledQuestion(state: ProjectState, note: Note | undefined): ProjectEvent[] {
  const kept = note === undefined ? {} : { note };
  if (state.escalation !== null) return [{ type: 'answered', ...kept }];
  return note === undefined ? [] : [{ type: 'noted', note }];
}

type Handler = (work: Work) => Promise<Followed>;

const goOn: Handler = async () => ({ kind: 'go_on', changes: [] });

const skip: Handler = async (work) => {
  const { feature, gate } = work.escalated;
  if (gate === 'project.baseline-broken') return await skipBroken(work);
  const reason = work.answer.text ?? `set aside at ${gate}`;
  return { kind: 'go_on', changes: feature === null ? [] : [{ type: 'skipped', feature, reason }] };
};

/** The features that broke are open again and set aside, and nothing waits for them. */
async function skipBroken({ project, state, answer }: Work): Promise<Followed> {
  const { changes, features } = await repairBaseline(project, state, project);
  if (features.length === 0)
    return {
      kind: 'kept',
      message:
        'The broken tests belong to no feature that could be set aside. Choose "Repair session", or repair them by hand: harness handoff',
    };
  const reason = answer.text ?? 'broke on the branch';
  return {
    kind: 'go_on',
    changes: [...changes, ...features.map((feature) => ({ type: 'skipped' as const, feature, reason, unblocks: true }))],
  };
}

const unblock: Handler = async ({ state, escalated }) => {
  const { blocked } = escalated.facts;
  if (!Array.isArray(blocked) || blocked.length === 0)
    return { kind: 'kept', message: 'Nothing waits for the features that are set aside.' };
  return { kind: 'go_on', changes: state.skipped.map(({ feature, reason }) => ({ type: 'skipped', feature, reason, unblocks: true })) };
};

const skipCircle: Handler = async ({ escalated }) => {
  const features = Array.isArray(escalated.facts['features']) ? escalated.facts['features'].filter((id) => typeof id === 'number') : [];
  const reason = 'depends on itself through others';
  return { kind: 'go_on', changes: [...new Set(features)].map((feature) => ({ type: 'skipped', feature, reason })) };
};

const handOver =
  (message: string): Handler =>
  async ({ project }) => {
    const head = await headOf(project);
    return {
      kind: 'stop',
      changes: [{ type: 'handed.off', head: head?.commit ?? '' }],
      message: `${message} When you are done: harness takeback`,
    };
  };

const stopWith =
  (message: string): Handler =>
  async () => ({ kind: 'stop', changes: [], message });

const split: Handler = async ({ project, state, escalated, answer }) => await askForSplit(project, state, escalated, answer.text);

/** To the amount that was said with it, else to twice what it was. */
const raiseBudget: Handler = async ({ project, escalated, answer }) => {
  const raised = await increaseBudget(project, escalated.facts['scope'], answer.text);
  return typeof raised === 'string' ? { kind: 'kept', message: raised } : { kind: 'go_on', changes: [] };
};

const pause: Handler = async () => ({
  kind: 'stop',
  changes: [{ type: 'paused' }],
  message: 'The project is paused. Continue with: harness resume',
});

const manualVerify: Handler = async ({ candidate }) => {
  if (candidate === null)
    return {
      kind: 'leave',
      changes: [],
      message: 'This work cannot be accepted by looking at it: what it did to the project is refused outright. The next run tries again.',
    };
  return { kind: 'go_on', changes: [{ type: 'offered', pending: candidate }] };
};

const rollback: Handler = async ({ project, escalated }) => {
  if (escalated.gate === 'project.regression')
    return {
      kind: 'leave',
      changes: [],
      message: 'The branch was never changed: the refused work is kept under refs/harness/candidates/. The next run tries again.',
    };
  const last = await lastCheckpoint(project);
  if (last === null) return { kind: 'stop', changes: [], message: 'There is no checkpoint to return to.' };
  return { kind: 'return', changes: [{ type: 'rolling.back', checkpoint: last }] };
};

const repair: Handler = async ({ project, state, escalated }) => {
  const { changes } = escalated.gate === 'project.sanity' ? { changes: [] } : await repairBaseline(project, state, project);
  if (changes.length > 0) return { kind: 'go_on', changes };
  return { kind: 'go_on', changes: [{ type: 'repairing', detail: escalated.message }] };
};

const resetFalse: Handler = async ({ project, state }) => {
  const { loaded, head } = await readTrusted(project, state);
  const { changes } = await setBack(project, state, loaded, {
    features: await falseClaims(project, loaded, head, project),
    why: 'its test fails on the current commit',
  });
  if (changes.length > 0) return { kind: 'go_on', changes };
  return {
    kind: 'stop',
    changes,
    message: "Every feature's own test passes; the failing tests belong to no feature. Repair them by hand: harness handoff",
  };
};

async function abort({ project }: Work): Promise<Followed> {
  const confirmed = await confirmAbort(project, project.asker);
  if (confirmed === 'pending') return { kind: 'waiting', gate: 'project.abort' };
  if (confirmed === 'no') return { kind: 'kept', message: 'Nothing was aborted.' };
  const { kept, undo } = await clearState(project);
  return { kind: 'aborted', message: `Aborted. Commits stay; the state is kept in ${kept} (to undo: ${undo})` };
}

/** By label in lower case; complete for every option of every question that holds up a run. */
export const HANDLERS: Readonly<Record<string, Handler>> = {
  retry: goOn,
  'retry session': goOn,
  'proceed anyway': goOn,
  skip,
  'skip both': skipCircle,
  'unblock dependents': unblock,
  'split feature': split,
  'propose again': split,
  'apply split': async ({ project, escalated }) => await applySplit(project, escalated),
  'keep feature': goOn,
  'manual implement': handOver('The project is in your hands.'),
  'manual fix': handOver('The project is in your hands.'),
  investigate: handOver('The project is in your hands: harness health and harness verify show where it stands.'),
  'manual fix environment': stopWith('Repair the environment, then run again: harness run'),
  'edit features.json': stopWith('Change the feature list and commit it, then run again: harness run'),
  'increase budget': raiseBudget,
  'manual verify': manualVerify,
  pause,
  rollback,
  'repair session': repair,
  'reset false positives': resetFalse,
  abort,
} satisfies Readonly<Record<EscalationLabel, Handler>>;

/** After these a session follows to which the person's words belong. */
const TRIES_AGAIN: ReadonlySet<Handler> = new Set([goOn, repair, rollback]);

const LARGE: ReadonlySet<string> = new Set(['project.large-feature', 'project.split']);

/** Several features may be too large: they are asked about one after the other. */
function nextLargeFeature(escalated: Escalated): ProjectEvent[] {
  const next = LARGE.has(escalated.gate) ? largeFeatureEscalation(restOf(escalated)) : null;
  return next === null ? [] : [{ type: 'escalated', escalation: next }];
}

export interface LargeFeature {
  feature: number;
  steps: number;
  limit: number;
}

/** The question about the first, with the others kept for later; null where there is none. */
export function largeFeatureEscalation(large: readonly LargeFeature[]): Escalated | null {
  const [first, ...rest] = large;
  if (first === undefined) return null;
  return {
    gate: 'project.large-feature',
    feature: first.feature,
    facts: { ...first, rest },
    message: `Feature #${first.feature} is larger than what usually fits in one session.`,
  };
}

export function restOf(escalated: Escalated): LargeFeature[] {
  return Array.isArray(escalated.facts['rest']) ? (escalated.facts['rest'] as LargeFeature[]) : [];
}
