/** From the specification to a plan that can be proved, and its review. */
import { headOf } from '../../../kernel/ground/head.ts';
import { isCollected, runProof } from '../../../kernel/flight/proofs.ts';
import type { MissionPlace, MissionProgress, StepFunction } from '../contract.ts';
import { renderContract, renderQueue } from '../machine/contract-text.ts';
import { readPlan } from '../machine/plan.ts';
import { writeEscalationNote } from '../people/escalation.ts';
import { callMissionRole, data, lineWith } from '../role-call.ts';
import { remarksText } from '../words/texts.ts';

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
  const tree = await headTree(place);
  const problems: string[] = [];
  const held: string[] = [];
  for (const { id, proof } of mission.claims) {
    const unseen = proof.tests.filter((path) => !isCollected(place, path));
    if (unseen.length > 0)
      problems.push(`claims.${id}.proof.tests: the test runner would not collect ${unseen.join(', ')}; name it as tests are named here`);
    if (unseen.length > 0 || (proof.tests.length === 0 && proof.command === null)) continue;
    const run = await runProof(place, tree, proof);
    if (!run.starts) problems.push(`claims.${id}.proof.command: "${proof.command}" cannot be started here; name a command that can`);
    else if (run.holds) held.push(id);
  }
  await place.rooms.dispose();
  if (problems.length > 0) return refused(problems);
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
  const called = await callMissionRole(place, mission, {
    role: 'plan-reviewer',
    output: 'review.md',
    tree: await headTree(place),
    variables: {
      spec: data('specification', place.spec, 200_000),
      queue: data('queue', renderQueue(mission), 200_000),
      contract: data('contract', renderContract(mission), 200_000),
    },
  });
  if (called.kind === 'delayed') return called.progress;
  const { reply, output } = called.result;
  const verdict = lineWith(reply, /^REVIEW: (accept|accept-with-notes|reject)$/)?.[1] as
    | 'accept'
    | 'accept-with-notes'
    | 'reject'
    | undefined;
  const text = (output ?? '').slice(0, 20_000);
  if (verdict === undefined) {
    place.emit({ type: 'warning', message: 'the plan reviewer gave no verdict: the plan is taken as the code checked it' });
    return { event: { type: 'reviewed', verdict: 'accept', text } };
  }
  place.emit({ type: 'decision', session: null, text: `plan review: ${verdict}`, by: 'agent' });
  if (verdict === 'reject')
    await writeEscalationNote(
      place,
      'mission.plan',
      'The plan reviewer rejected the plan.',
      [
        'Change the specification or the settings, then plan again with: harness mission run',
        'Plan again with the review as it stands: harness mission run',
        'Go on without a reviewer: set mission.plan_reviewer.enabled: false in .harness.yaml',
      ],
      text === '' ? [] : [text],
    );
  return { event: { type: 'reviewed', verdict, text } };
};

export async function headTree(place: MissionPlace): Promise<string> {
  return (await headOf(place))?.tree ?? EMPTY_TREE;
}

const EMPTY_TREE = '4b825dc642cb6eb9a060e54bf8d69288fbee4904';
