/**
 * The mission flow: what each step does, what is taken up between steps, and how a drive of it ends.
 *
 * 1. Every event is one write of `mission.json`; queue and contract follow it.
 * 2. Grants, edits, a pause and an interrupt are taken up between steps.
 */
import { counted } from '../../domain/counted.ts';
import { EXIT } from '../../domain/reasons.ts';
import { drive } from '../../kernel/drive.ts';
import type { Flow } from '../../kernel/flow.ts';
import { tellCutOff } from '../../kernel/flight/leftovers.ts';
import type { MissionState } from '../../kernel/mission-schema.ts';
import { ended, type MissionPlace, type MissionProgress, type MissionReport, type StepFunction } from './contract.ts';
import { writeMission } from './documents.ts';
import { due } from './machine/machine.ts';
import type { MissionEvent, MissionStep, OwnStep, Running } from './machine/state.ts';
import { transition } from './machine/transition.ts';
import { askAboutCandidate, askAboutEscalation, leaveQuestion } from './steps/ask.ts';
import { curate, referee, wait } from './steps/close.ts';
import { decide } from './steps/decide.ts';
import { document } from './steps/document.ts';
import { fly } from './steps/fly.ts';
import { takeEdits, keepHours } from './steps/take-up.ts';
import { convert, debug, resolve } from './steps/improve.ts';
import { plan, review, tryProofs } from './steps/plan.ts';
import { lookForMerges, prove } from './steps/prove.ts';
import { smoke } from './steps/smoke.ts';
import { validate } from './steps/validate.ts';

const OWN: Readonly<Record<OwnStep | 'validate', StepFunction>> = {
  plan,
  'try proofs': tryProofs,
  review,
  decide,
  debug,
  convert,
  resolve,
  referee,
  'ask about candidate': askAboutCandidate,
  'leave question': leaveQuestion,
  'look for merges': lookForMerges,
  'ask about escalation': askAboutEscalation,
  wait,
  prove,
  smoke,
  document,
  curate,
  validate,
};

export async function driveMission(place: MissionPlace, begin: MissionState): Promise<MissionReport> {
  let written: MissionState | null = begin;
  let isEdit = false;
  const flow = missionFlow(place);
  const from = begin.iteration;
  const driven = await drive(
    flow,
    place,
    {
      opens: true,
      write: async ({ mission }) => {
        await place.home.publish?.();
        await writeMission(place, mission, written, isEdit);
        written = mission;
        isEdit = false;
      },
      told: (event, after, before) => tell(place, event, after, before),
      between: async (state) => {
        const taken = await takeUp(place, state);
        isEdit = taken !== null && 'event' in taken && taken.event.type === 'edited';
        return taken;
      },
    },
    { mission: begin, run: { from } },
  );
  return driven.rest;
}

function missionFlow({ rules }: MissionPlace): Flow<Running, MissionEvent, MissionStep, MissionReport, MissionPlace> {
  return {
    due: (state) => due(state, rules),
    transition: ({ mission, run }, event) => ({ mission: transition(mission, event, rules), run }),
    resting: ({ mission }) => resting(mission),
    reopened: { type: 'reopened' },
    perform: (place, step, state) => (OWN[step.name as OwnStep] ?? fly)(place, state, step),
  };
}

function tell(place: MissionPlace, event: MissionEvent, { mission: after }: Running, { mission: before }: Running): void {
  if (event.type === 'reopened')
    for (const flight of before.flights.filter(({ session }) => !after.flights.some((one) => one.session === session)))
      tellCutOff(place, flight, 'dropped: its agent had not started');
  if (after.stage !== before.stage)
    place.emit({ type: 'flow.phase', flow: 'mission', phase: after.stage, label: `Mission: ${after.stage}` });
  if (event.type === 'settled' || event.type === 'decided' || event.type === 'proved') {
    const passed = after.features.filter(({ status }) => status === 'passed').length;
    place.emit({
      type: 'progress',
      message: `mission: iteration ${after.iteration}, ${passed} of ${after.features.length} features passed, ${counted(after.flights.length, 'session')} under way`,
    });
  }
}

async function takeUp(place: MissionPlace, state: Running): Promise<MissionProgress | null> {
  const { mission } = state;
  if (place.signal.aborted)
    return { rest: ended('partial', ['interrupted'], 'interrupted; the state is saved, and the same command continues') };
  const { requests } = place.documents;
  if (await requests.has('pause')) {
    await requests.drop('pause');
    return { rest: ended('partial', ['user_pause'], 'paused; the same command continues') };
  }
  const [grant] = await requests.waiting('grant');
  if (grant?.wish.kind === 'grant') {
    await requests.drop(grant);
    place.emit({ type: 'decision', session: null, text: `checkpoint ${grant.wish.name} is granted`, by: 'user' });
    return { event: { type: 'granted', name: grant.wish.name } };
  }
  return (await takeEdits(place, mission)) ?? (await keepHours(place, state));
}

/** How a command ends when nothing is due any more. */
export function resting(mission: MissionState): MissionReport {
  if (mission.stop !== null) {
    const { reason, message } = mission.stop;
    if (reason === 'git.conflict') return ended('error', [reason], `${message}. Move or commit them, then: harness mission run`);
    const failed =
      reason === 'agent.failed' ||
      reason === 'api.auth' ||
      reason.startsWith('git.') ||
      reason.startsWith('env.') ||
      reason.startsWith('preflight.');
    return ended(reason.startsWith('budget.') ? 'escalated' : failed ? 'error' : 'partial', [reason], message);
  }
  if (mission.checkpoint !== null)
    return ended(
      'needs_human',
      ['gate.pending'],
      `the mission waits at the checkpoint ${mission.checkpoint}: harness mission grant ${mission.checkpoint}`,
      EXIT.waiting,
    );
  if (mission.stage === 'rejected')
    return ended('escalated', ['plan.rejected'], 'the plan was rejected by its reviewer: see escalation.md', EXIT.planRejected);
  if (mission.stage === 'done') return { ...ended('complete', [], doneText(mission)), commit: mission.proved?.commit ?? null };
  return ended('partial', [], `the decisions of this command are used up (${mission.iteration} in all); the same command continues`);
}

function doneText({ features, claims, validator, issues }: MissionState): string {
  const noted = issues.filter(({ state }) => state === 'noted').length;
  return [
    `every claim is proved on the branch: ${counted(claims.length, 'claim')} of ${counted(features.length, 'feature')}.`,
    `Accepted work was looked at ${counted(validator.asked, 'time')}. Of the validators' passes, ${validator.believed} quoted what was recorded, ${validator.unquoted} did not${validator.contradicted === 0 ? '' : `, and ${validator.contradicted} were contradicted by a proof`}.`,
    ...(noted === 0 ? [] : [`${counted(noted, 'issue')} ${noted === 1 ? 'was' : 'were'} noted without a test that fails.`]),
  ].join(' ');
}
