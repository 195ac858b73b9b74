/** Somebody else looks at accepted work. Their word is advice; a proof of theirs that fails in the harness's own run holds the work back. */
import { differenceText } from '../../../kernel/lanes/difference.ts';
import { runProof } from '../../../kernel/flight/proofs.ts';
import { lanePlace } from '../../../kernel/lanes/lane-place.ts';
import type { Flight } from '../../../domain/session.ts';
import type { Issue, MissionState, QueueFeature } from '../../../kernel/mission-schema.ts';
import type { MissionPlace, MissionProgress, StepFunction } from '../contract.ts';
import { featureOf } from '../machine/changes.ts';
import { nameOf } from '../machine/flying.ts';
import { testsOf } from '../machine/plan.ts';
import { readValidation, type Validation } from '../machine/validation.ts';
import { callMissionRole, data, lineWith } from '../role-call.ts';
import { claimsText, featureText } from '../words/texts.ts';

export const validate: StepFunction = async (shared, { mission }, { session }) => {
  const flight = mission.flights.find((one) => one.session === session)!;
  const place = lanePlace(shared, flight);
  const feature = featureOf(mission, nameOf(flight)!);
  const recorded = await recordProofs(place, mission, feature, flight.tree!);
  const issues: Issue[] = [];
  const counts = { believed: 0, unquoted: 0, contradicted: 0 };
  const held: string[] = [];
  for (const role of ['validator', ...(place.config.mission.crosscheck.enabled ? ['crosscheck'] : [])]) {
    const asked = await ask(place, mission, role, { flight, feature, recorded });
    if ('event' in asked || 'rest' in asked) return asked;
    counts.believed += asked.believed.length;
    counts.unquoted += asked.unquoted.length;
    if (asked.unquoted.length > 0)
      place.emit({
        type: 'decision',
        session: flight.session,
        text: `${role}: pass without a quotation that the harness recorded, not counted: ${asked.unquoted.join(', ')}`,
        by: 'harness',
      });
    for (const issue of asked.issues) {
      const failing = issue.proof === null ? null : await failingProof(place, flight.tree!, issue);
      if (failing === null) issues.push(issue);
      else held.push(`${issue.title}: ${failing}`);
    }
  }
  if (held.length > 0 && counts.believed + counts.unquoted > 0) counts.contradicted = 1;
  const holds = held.length === 0 ? null : `a proof of the validator fails: ${held.join('; ')}`;
  return { event: { type: 'validated', session: flight.session, holds, issues, counts } };
};

interface Subject {
  flight: Flight;
  feature: QueueFeature;
  recorded: ReadonlyMap<string, string>;
}

/** Asked once more where nothing can be read, or a pass has no quotation. */
async function ask(
  place: MissionPlace,
  mission: MissionState,
  role: string,
  { flight, feature, recorded }: Subject,
): Promise<Validation | MissionProgress> {
  let answer: Validation = { believed: [], unquoted: [], issues: [] };
  let again = '';
  for (const last of [false, true]) {
    const called = await callMissionRole(place, mission, {
      role,
      output: 'validation.json',
      tree: flight.tree!,
      feature: feature.id,
      testFiles: testsOf(feature, mission.claims),
      lane: flight.lane,
      variables: {
        feature: featureText(feature),
        claims: claimsText(feature, mission.claims),
        difference: data('difference', await differenceText(place, await place.trees.of(flight.base), flight.tree!), 60_000),
        runs: data('records', [...recorded].map(([id, text]) => `## ${id}\n${text}`).join('\n\n'), 60_000),
        again,
      },
    });
    if (called.kind === 'delayed') return called.progress;
    const { output, reply } = called.result;
    const read = readValidation(output, feature, recorded, role);
    const verdict = lineWith(reply, /^VERDICT: (pass|fail)$/)?.[1];
    answer = read ?? answer;
    if (read !== null && verdict !== undefined && read.unquoted.length === 0) return answer;
    again =
      read === null
        ? 'Your last result could not be read: write the JSON file as described.'
        : `These claims were passed without a quotation from the records, which does not count: ${read.unquoted.join(', ')}.`;
    if (last)
      place.emit({
        type: 'warning',
        message: `${role}: ${read === null ? 'it left nothing readable' : 'what it says is not backed by the record'}; the verdict of the harness stands`,
      });
  }
  return answer;
}

async function recordProofs(place: MissionPlace, mission: MissionState, feature: QueueFeature, tree: string): Promise<Map<string, string>> {
  const recorded = new Map<string, string>();
  for (const claim of mission.claims.filter(({ id }) => feature.claims.includes(id)))
    recorded.set(
      claim.id,
      claim.proof.person && claim.proof.tests.length === 0
        ? 'a person is asked about this one'
        : (await runProof(place, tree, claim.proof)).recorded,
    );
  await place.rooms.dispose();
  return recorded;
}

/** Why the proof of an issue fails on the work; null: it does not, or it proves nothing. */
export async function failingProof(place: MissionPlace, tree: string, { proof }: Pick<Issue, 'proof'>): Promise<string | null> {
  if (proof === null || proof.tests.length === 0) return null;
  const present = new Set((await place.trees.list(tree)).map((entry) => entry.path));
  if (!proof.tests.every((path) => present.has(path))) return null;
  const run = await runProof(place, tree, proof);
  await place.rooms.dispose();
  return run.starts && !run.holds ? run.why : null;
}
