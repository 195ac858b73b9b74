/** From the specification to a plan that can be proved, and its review. */
import { counted } from '../../../domain/counted.ts';
import { usageError } from '../../../domain/errors.ts';
import type { MissionState } from '../../../kernel/mission-schema.ts';
import type { MissionPlace, MissionProgress, StepFunction } from '../contract.ts';
import { renderContract, renderQueue } from '../machine/contract-text.ts';
import { readPlan } from '../machine/plan.ts';
import { writeEscalationNote } from '../../../kernel/escalation-note.ts';
import { callMissionRole, data, lineWith, type Called } from '../role-call.ts';
import { remarksText } from '../words/texts.ts';
import { tryClaims, headTree } from './try-claims.ts';

export const plan: StepFunction = async (place, { mission }) => {
  const called = await callMissionRole(place, mission, {
    role: 'planner',
    output: 'plan.json',
    tree: await headTree(place),
    variables: {
      spec: data('specification', place.spec, 200_000),
      remarks: remarksText([...mission.plan.remarks, ...reviewRemark(mission.review)]),
    },
  });
  if (called.kind === 'delayed') return called.progress;
  const { result } = called;
  if (result.stop !== null) return refused([`the planner was stopped: ${result.stop.message}`]);
  const read = readPlan(result.output);
  if (read.plan === null) return refused(read.problems);
  return { event: { type: 'planned', plan: read.plan } };
};

function refused(remarks: string[]): MissionProgress {
  return { event: { type: 'plan.refused', remarks } };
}

function reviewRemark(review: string | null): string[] {
  return review === null || review === '' ? [] : [`a reviewer rejected an earlier plan: ${review.slice(0, 8_000)}`];
}

/** Every proof on the untouched base: it has to be able to run, and it must not hold yet. */
export const tryProofs: StepFunction = async (place, { mission }) => {
  const { problems, held } = await tryClaims(place, await headTree(place), mission.claims);
  await place.rooms.dispose();
  if (problems.length > 0) {
    if (mission.plan.tries === 0) throw usageError(`${place.documents.where('contract')} cannot be used.`, ...problems.slice(0, 10));
    return refused(problems);
  }
  if (held.length > 0 && !mission.plan.told)
    return {
      event: {
        type: 'plan.refused',
        told: true,
        remarks: held.map((id) => `claims.${id}: its proof holds already on the untouched project; plan what is missing, or leave it out`),
      },
    };
  for (const id of held)
    place.emit({ type: 'warning', message: `${id} holds already, before anything was built: its proof shows nothing about this mission` });
  return { event: { type: 'plan.tried', notes: held.map((id) => `${id} held already when the plan was made`) } };
};

export const review: StepFunction = async (place, { mission }) => {
  let called = await callReviewer(place, mission, '');
  for (let tries = 1; called.kind === 'answered' && verdictOf(called.result.reply) === undefined && tries < MOST_REVIEWS; tries++)
    called = await callReviewer(place, mission, UNHEARD);
  if (called.kind === 'delayed') return called.progress;
  const { reply, output } = called.result;
  const verdict = verdictOf(reply);
  const text = (output ?? '').slice(0, 20_000);
  if (verdict === undefined) {
    const why = `the plan reviewer gave no verdict, asked ${counted(MOST_REVIEWS, 'time')}`;
    place.emit({ type: 'warning', message: `${why}: the plan is taken as the code checked it` });
    return { event: { type: 'reviewed', verdict: 'accept', text: text === '' ? why : text } };
  }
  place.emit({ type: 'decision', session: null, text: `plan review: ${verdict}`, by: 'agent' });
  if (verdict === 'reject')
    await writeEscalationNote(place, {
      trigger: 'mission.plan',
      why: 'The plan reviewer rejected the plan.',
      ways: [
        'Change the specification or the settings, then plan again with: harness mission run',
        `Correct the plan yourself in ${place.documents.where('queue')} and ${place.documents.where('contract')}, then: harness mission run`,
        'Plan again with the review as it stands: harness mission run',
        'Go on with this plan, without a reviewer: set mission.plan_reviewer.enabled: false in .harness.yaml, then: harness mission run',
      ],
      facts: text === '' ? [] : [text],
    });
  return { event: { type: 'reviewed', verdict, text } };
};

const MOST_REVIEWS = 2;
const UNHEARD = 'Your last reply had none of the lines "REVIEW: accept", "REVIEW: accept-with-notes" and "REVIEW: reject". End with one.';

async function callReviewer(place: MissionPlace, mission: MissionState, remarks: string): Promise<Called> {
  return await callMissionRole(place, mission, {
    role: 'plan-reviewer',
    output: 'review.md',
    tree: await headTree(place),
    variables: {
      spec: data('specification', place.spec, 200_000),
      queue: data('queue', renderQueue(mission), 200_000),
      contract: data('contract', renderContract(mission), 200_000),
      remarks,
    },
  });
}

function verdictOf(reply: string): 'accept' | 'accept-with-notes' | 'reject' | undefined {
  return lineWith(reply, /^REVIEW: (accept|accept-with-notes|reject)$/)?.[1] as ReturnType<typeof verdictOf>;
}
