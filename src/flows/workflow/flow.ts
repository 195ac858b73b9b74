/**
 * The workflow flow: what is due, what each step does, and how a drive of it ends.
 *
 * 1. Every event is one write of the session, before anything that follows from it is done.
 * 2. A drive ends at the end of the session, where its style says so, at a question that nobody answers, or where an agent was stopped.
 */
import { drive } from '../../kernel/drive.ts';
import type { Flow, Progress } from '../../kernel/flow.ts';
import type { Place } from '../../kernel/place.ts';
import { benchFor, type Bench } from './bench.ts';
import type { WorkflowReport } from './contract.ts';
import { clearWorkFolder } from './documents.ts';
import { verifyCandidate, evaluate } from './steps/layers.ts';
import { land, tidyUp } from './steps/finish.ts';
import { askGate, autofix } from './steps/ask-gate.ts';
import { generate, repair } from './steps/generate.ts';
import { halted } from './people/status.ts';
import { actionFor, transition, type Action } from './machine/machine.ts';
import type { WorkflowEvent } from './machine/event.ts';
import { narrate } from './people/narrate.ts';
import { makePlan, scan } from './steps/plan.ts';
import { isStopped, partial, type Stopped } from './role-call.ts';
import { saveSession, type Session } from './session.ts';
import { send, type Step } from './steps/contract.ts';

/** An event of the machine, and what the person turned out to write in. */
interface Happened {
  event: WorkflowEvent;
  language?: string;
}

interface Due {
  key: string;
  action: Exclude<Action, { kind: 'halt' }>;
}

type Moved = Progress<Happened, WorkflowReport>;

export const workflowFlow: Flow<Session, Happened, Due, WorkflowReport, Place> = {
  due: (session) => {
    const action = actionFor(session, session.rules);
    return action.kind === 'halt' ? [] : [{ key: `${session.phase} ${action.kind}`, action }];
  },
  transition: after,
  resting: ({ phase }) => {
    throw new Error(`the table knows no step for the phase ${phase}`);
  },
  perform,
  reopened: { event: { type: 'reopened' } },
};

export async function driveWorkflow(place: Place, start: Session): Promise<WorkflowReport> {
  let written = start;
  const seat = {
    opens: true,
    write: async (session: Session) => {
      await saveSession(place, written, session);
      written = session;
    },
    told: ({ event }: Happened, session: Session, before: Session) => narrate(benchFor(place, session), before, event),
    between: (session: Session) => interruption(place, session),
  };
  return (await drive(workflowFlow, place, seat, start)).rest;
}

function after(session: Session, { event, language }: Happened): Session {
  const { state, actions } = transition(session, event, session.rules);
  const next: Session = { ...session, ...state, user_lang: language ?? session.user_lang };
  return { ...next, harness: { ...next.harness, under_way: actions[0]?.kind !== 'halt' } };
}

/** Somebody wants the command to end: at the terminal, by `harness stop` or by `harness pause`. */
async function interruption(place: Place, session: Session): Promise<Moved | null> {
  if (place.signal.aborted) return interrupted(place, session);
  if (!(await place.documents.requests.has('pause'))) return null;
  await place.documents.requests.drop('pause');
  return {
    rest: partial(['user_pause'], benchFor(place, session).words.roles.stopped({ role: 'harness workflow', why: 'harness pause' })),
  };
}

function interrupted(place: Place, session: Session): Moved {
  return { rest: partial(['interrupted'], benchFor(place, session).words.roles.interrupted) };
}

async function perform(place: Place, { action }: Due, session: Session): Promise<Moved> {
  let step: Step;
  try {
    step = await carryOut(benchFor(place, session), action);
  } catch (error) {
    if (place.signal.aborted) return interrupted(place, session);
    throw error;
  }
  if (step.kind === 'end') return { rest: step.report };
  const { kind: _kind, end, ...happened } = step;
  const next = after(session, happened);
  const rest = end ?? (next.harness.under_way ? undefined : halted(benchFor(place, next), happened.event));
  return rest === undefined ? { event: happened } : { event: happened, rest };
}

async function carryOut(bench: Bench, action: Due['action']): Promise<Step> {
  switch (action.kind) {
    case 'send':
      if (bench.session.phase === 'generate_ready') await clearRound(bench);
      return send(action.event);
    case 'scan':
      return await scan(bench);
    case 'plan':
      return unlessStopped(await makePlan(bench), () => ({ type: 'planned' }));
    case 'generate':
      return unlessStopped(await generate(bench), (candidate) => ({ type: 'generated', candidate }));
    case 'repair':
      return unlessStopped(await repair(bench), (candidate) => ({ type: 'generated', candidate }));
    case 'verify':
      return unlessStopped(await verifyCandidate(bench), (checked) => ({ type: 'checked', ...checked }));
    case 'auto-fix':
      return await autofix(bench);
    case 'evaluate':
      return unlessStopped(await evaluate(bench), (evaluated) => ({ type: 'evaluated', ...evaluated }));
    case 'ask':
      return await askGate(bench, action.gate);
    case 'land':
      return await finish(bench);
  }
}

function unlessStopped<Result extends object | null>(result: Result, eventOf: (result: Exclude<Result, Stopped>) => WorkflowEvent): Step {
  return isStopped(result) ? { kind: 'end', report: result.stopped } : send(eventOf(result as Exclude<Result, Stopped>));
}

/** A new round plans and reviews anew; what layer 1 knows about the base stays true. */
async function clearRound({ place, session }: Bench): Promise<void> {
  if (session.harness.retry === null) await clearWorkFolder(place, 'generator');
}

async function finish(bench: Bench): Promise<Step> {
  const { landing } = bench.session.harness;
  if (landing === null) throw new Error('nothing was chosen to land');
  const objection = await land(bench, landing);
  if (objection === null) return { kind: 'end', report: await tidyUp(bench, landing) };
  return { kind: 'event', event: { type: 'landing.refused' }, end: objection };
}
