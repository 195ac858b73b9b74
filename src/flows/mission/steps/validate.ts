/** Somebody else looks at accepted work. Their word is advice; a proof of theirs that fails in the harness's own run holds the work back. */
import { differenceText } from '../../../kernel/lanes/difference.ts';
import { runProof } from '../../../kernel/flight/proofs.ts';
import { visitProgram, type ProgramVisit } from '../../../kernel/flight/visit-program.ts';
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
  const seen = await lookAtProgram(place, flight.tree!, feature);
  const roles = ['validator', ...(place.config.mission.crosscheck.enabled ? ['crosscheck'] : []), ...(seen === null ? [] : [UI_QA])];
  for (const role of roles) {
    const asked = await ask(place, mission, role, { flight, feature, recorded, seen: seen?.record ?? '' });
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
  const proofs = held.length === 0 ? [] : [`a proof of the validator fails: ${held.join('; ')}`];
  const against = [
    ...(seen?.against === undefined || seen.against === null ? [] : [`the program was visited: ${seen.against}`]),
    ...proofs,
  ];
  const holds = against.length === 0 ? null : against.join('; ');
  return { event: { type: 'validated', session: flight.session, holds, issues, counts } };
};

const UI_QA = 'ui-qa';

/** The harness's own look at the running program, where the settings want one. */
async function lookAtProgram(place: MissionPlace, tree: string, feature: QueueFeature): Promise<ProgramVisit | null> {
  const { enabled, url } = place.config.mission.ui_qa;
  const startup = startupOf(place.config);
  if (!enabled || url === null || startup === null) return null;
  const seen = await visitProgram(place, { tree, url, startup, name: `${UI_QA}-${feature.id}` });
  place.emit({
    type: 'preflight.check',
    name: UI_QA,
    state: seen.against === null ? 'passed' : 'failed',
    detail: seen.against ?? `${url} was visited`,
    duration_ms: 0,
  });
  return seen;
}

/** How the program is served for a look at it. */
export function startupOf({ mission, environment }: MissionPlace['config']): string | null {
  return mission.smoke_test.startup_cmd ?? environment.init;
}

interface Subject {
  flight: Flight;
  feature: QueueFeature;
  recorded: ReadonlyMap<string, string>;
  /** Of the visit. */
  seen: string;
}

/** Asked once more where nothing can be read, or a pass has no quotation. */
async function ask(
  place: MissionPlace,
  mission: MissionState,
  role: string,
  { flight, feature, recorded: proofs, seen }: Subject,
): Promise<Validation | MissionProgress> {
  const looks = role === UI_QA;
  const recorded = looks ? new Map(feature.claims.map((id) => [id, seen])) : proofs;
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
        ...(looks
          ? { visit: data('visit', seen, 20_000) }
          : {
              difference: data('difference', await differenceText(place, await place.trees.of(flight.base), flight.tree!), 60_000),
              runs: data('records', [...recorded].map(([id, text]) => `## ${id}\n${text}`).join('\n\n'), 60_000),
            }),
        again,
      },
    });
    if (called.kind === 'delayed') return called.progress;
    const { output, reply } = called.result;
    const read = readValidation(output, feature, recorded, role);
    const verdict = lineWith(reply, looks ? /^UI: (pass|fail)$/ : /^VERDICT: (pass|fail)$/)?.[1];
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
