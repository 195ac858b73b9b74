/** The end that nobody's word can reach: every claim of the contract, on the branch, in one last run; and people where only they can tell. */
import { committedHead } from '../../../kernel/ground/head.ts';
import { runProof } from '../../../kernel/flight/proofs.ts';
import { pullNote } from './pulls.ts';
import { ended, type StepFunction } from '../contract.ts';
import { featureOf } from '../machine/changes.ts';
import { claimGate, skippedGate } from '../people/gates.ts';

export const prove: StepFunction = async (place, { mission }) => {
  const head = await committedHead(place);
  const skipped = mission.features.filter(({ status }) => status === 'skipped');
  const open = mission.claims.filter(({ id }) => !skipped.some((feature) => feature.claims.includes(id)));
  const failing: { id: string; why: string }[] = [];
  for (const { id, proof } of open) {
    if (proof.tests.length === 0 && proof.command === null) continue;
    const run = await runProof(place, head.tree, proof);
    const why = proof.tests.length === 0 ? (run.why === '' ? null : run.why) : run.holds ? null : run.why;
    if (why !== null) failing.push({ id, why });
    place.emit({
      type: 'preflight.check',
      name: `proof ${id}`,
      state: why === null ? 'passed' : 'failed',
      detail: why ?? 'holds on the branch',
      duration_ms: 0,
    });
  }
  await place.rooms.dispose();
  if (failing.length > 0) return { event: { type: 'unproved', claims: failing } };
  const pending: string[] = [];
  for (const claim of open.filter(({ proof }) => proof.person)) {
    const known = mission.answers.find(({ subject, tree }) => subject === claim.id && tree === head.tree);
    if (known?.holds === true) continue;
    if (known !== undefined) return { event: { type: 'unproved', claims: [{ id: claim.id, why: 'a person says that it does not hold' }] } };
    const answer = await place.asker.ask(claimGate(claim, head.commit));
    if (answer === 'pending') pending.push(`mission.claim:${claim.id.toLowerCase()}`);
    else return { event: { type: 'person.answered', subject: claim.id, tree: head.tree, holds: answer.option === 'It holds' } };
  }
  for (const feature of skipped) {
    const known = mission.answers.find(({ subject, tree }) => subject === feature.id && tree === head.tree);
    if (known?.holds === true) continue;
    const answer = await place.asker.ask(skippedGate(feature, head.commit));
    if (answer === 'pending') {
      pending.push(`mission.skipped:${feature.id.toLowerCase()}`);
      continue;
    }
    if (answer.option === 'Leave it out') return { event: { type: 'person.answered', subject: feature.id, tree: head.tree, holds: true } };
    const features = mission.features.map((one) => (one.id === feature.id ? { ...one, status: 'pending' as const, attempts: 0 } : one));
    return { event: { type: 'edited', features, claims: mission.claims } };
  }
  if (pending.length > 0) return { rest: waiting(pending) };
  return { event: { type: 'proved', commit: head.commit, tree: head.tree } };
};

export function waiting(gates: readonly string[]) {
  const what = gates.length === 1 ? 'a question waits' : `${gates.length} questions wait`;
  return ended('needs_human', ['gate.pending'], `${what}: harness gates, then harness answer ${gates[0]} OPTION`);
}

/** Kept work counts once its proofs hold on the branch: a person has merged it. */
export const lookForMerges: StepFunction = async (place, { mission }) => {
  const head = await committedHead(place);
  const merged: string[] = [];
  for (const id of mission.kept) {
    const claims = mission.claims.filter((claim) => featureOf(mission, id).claims.includes(claim.id) && claim.proof.tests.length > 0);
    const runs: boolean[] = [];
    for (const { proof } of claims) runs.push((await runProof(place, head.tree, proof)).holds);
    if (runs.every((holds) => holds)) merged.push(id);
  }
  await place.rooms.dispose();
  if (merged.length > 0) return { event: { type: 'merged', features: merged } };
  const note = place.rules.onPass === 'pr' ? await pullNote(place, mission, head.branch) : '';
  const branches = mission.kept.map((id) => `harness/${id}`).join(', ');
  return {
    rest: ended(
      'needs_human',
      ['gate.pending'],
      `accepted work waits on ${branches}${note}: merge it, then go on with harness mission run`,
    ),
  };
};
