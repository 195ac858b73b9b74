/**
 * What the next run would settle before it plans a session: requests, a session that was cut off, and the answers that are there.
 *
 * 1. Nothing is changed and no answer is used up; the same machine as in a run makes the next state.
 * 2. Where only the run itself can find out what follows (tests, a judgement), that is said.
 */
import type { FeatureList } from '../../../domain/feature.ts';
import type { Gate, GateAnswer } from '../../../domain/gate.ts';
import type { ProjectState } from '../../../domain/session.ts';
import { answerName, HANDLERS, largeFeatureEscalation, noteOf, restOf } from './carry-out.ts';
import { idOf, questionOf } from './escalate.ts';
import { questionId } from '../../../gates/project-gates.ts';
import { inOrder } from '../machine/lanes.ts';
import { parkedId } from '../machine/parked.ts';
import { transition, type ProjectEvent } from '../machine/document.ts';
import { closingOf, isAcceptance, questionFor } from './pending.ts';
import type { LoadedList, Project } from '../project.ts';
import { mustHave } from '../../../domain/must-have.ts';

export interface Foreseen {
  state: ProjectState;
  list: FeatureList;
  /** What the run does before its session, for a person. */
  first: string[];
  /** Set when the run would end before a session. */
  ends: string | null;
}

export interface Answers {
  foresee(question: Omit<Gate, 'asked_at'>): Promise<GateAnswer | null>;
}

export async function foresee(project: Project, before: ProjectState, loaded: LoadedList, answers: Answers): Promise<Foreseen> {
  const now = project.now();
  const after = (state: ProjectState, event: ProjectEvent): ProjectState => transition(state, event, project.rules, now).state;
  let seen: Foreseen = afterCrash({ state: before, list: loaded.list, first: [], ends: null }, after);
  if (await project.documents.requests.has('pause'))
    seen = { ...seen, state: after(seen.state, { type: 'paused' }), first: [...seen.first, 'the pause that was asked for is taken up'] };
  if (seen.state.paused || seen.state.handoff !== null) return seen;
  for (;;) {
    const [parked] = seen.state.parked;
    if (seen.state.pending === null && seen.state.escalation === null && parked !== undefined)
      seen = { ...seen, state: after(seen.state, { type: 'recalled', id: parkedId(parked) }) };
    const { pending, escalation } = seen.state;
    if (seen.ends !== null) return seen;
    const question = pending !== null ? await questionFor(project, pending, loaded) : escalation !== null ? questionOf(escalation) : null;
    if (question === null) return seen;
    const answer = await answers.foresee(question);
    if (answer === null) return seen;
    seen = pending !== null ? afterDecision(seen, answer, after) : afterAnswer(seen, answer, after);
  }
}

type After = (state: ProjectState, event: ProjectEvent) => ProjectState;

/** A session that nobody is flying any more. Its work is taken for kept where the harness could still find it. */
function afterCrash(seen: Foreseen, after: After): Foreseen {
  if (seen.state.flight === null) return seen;
  const state = after(seen.state, { type: 'reopened' });
  const settled = flightAfterCrash(seen, state, after);
  return afterCrash({ ...settled, state: inOrder(settled.state) }, after);
}

function flightAfterCrash(seen: Foreseen, state: ProjectState, after: After): Foreseen {
  const { flight } = state;
  if (flight === null) return { ...seen, state };
  if (['landing', 'pushing'].includes(flight.phase) || flight.end?.kind === 'verified')
    return landed(seen, state, { feature: flight.feature, said: `the accepted work of session ${flight.session} is put in place` }, after);
  return {
    ...seen,
    state: after(state, { type: 'settled', ending: { kind: 'cut_off', wip: null } }),
    first: [...seen.first, `session ${flight.session}, which was cut off, is settled; what follows may depend on it`],
  };
}

function afterDecision(seen: Foreseen, answer: GateAnswer, after: After): Foreseen {
  const pending = mustHave(seen.state.pending, 'a candidate waits for this decision');
  if (!isAcceptance(answer)) {
    const said = `the work of session ${pending.session} is dropped, as answered at ${questionId(pending.gate, pending.feature)}`;
    return { ...seen, state: after(seen.state, closingOf(pending, answer)), first: [...seen.first, said] };
  }
  const flying = after(seen.state, { type: 'accepted', pending });
  return landed(
    seen,
    flying,
    {
      feature: pending.feature,
      said: `the work of session ${pending.session} lands, as answered at ${questionId(pending.gate, pending.feature)}`,
    },
    after,
  );
}

function landed(seen: Foreseen, flying: ProjectState, { feature, said }: { feature: number | null; said: string }, after: After): Foreseen {
  const features = seen.list.features.map((entry) => (entry.id === feature ? { ...entry, passes: true } : entry));
  const open = features.filter((entry) => !entry.passes).length;
  const state = after(flying, { type: 'settled', ending: { kind: 'verified', commit: '', open } });
  return { ...seen, state, list: { ...seen.list, features }, first: [...seen.first, said] };
}

function afterAnswer(seen: Foreseen, answer: GateAnswer, after: After): Foreseen {
  const escalated = mustHave(seen.state.escalation, 'an escalation waits for this answer');
  const name = answerName(escalated.gate, answer);
  const handler = name === null ? undefined : HANDLERS[name];
  const first = [...seen.first, `${idOf(escalated)} is answered with ${answer.option === null ? 'words' : `"${answer.option}"`}`];
  if (name === null || handler === undefined || !SESSION_FOLLOWS.has(name))
    return { ...seen, first, ends: STAYS.has(name ?? '') ? idOf(escalated) : 'what was answered ends the run before a session' };
  const note = noteOf(escalated, answer, handler);
  let state = after(seen.state, { type: 'answered', ...(note === undefined ? {} : { note }) });
  if (name === 'skip' && escalated.feature !== null)
    state = after(state, { type: 'skipped', feature: escalated.feature, reason: answer.text ?? '' });
  const next = escalated.gate === 'project.large-feature' ? largeFeatureEscalation(restOf(escalated)) : null;
  return { ...seen, first, state: next === null ? state : after(state, { type: 'escalated', escalation: next }) };
}

const SESSION_FOLLOWS: ReadonlySet<string> = new Set(['retry', 'retry session', 'proceed anyway', 'skip', 'increase budget']);
/** Asked about once more before anything happens. */
const STAYS: ReadonlySet<string> = new Set(['abort']);
