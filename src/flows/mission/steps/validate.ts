/**
 * Somebody else looks at accepted work. Their word is advice; a test that they name, and that this work broke in the harness's own runs, holds it back,
 * and so does a program that no longer starts with it.
 */
import { collides } from '../../../kernel/flight/steps/move.ts';
import { differenceText } from '../../../kernel/lanes/difference.ts';
import { runProof } from '../../../kernel/flight/proofs.ts';
import { visitProgram, type ProgramVisit } from '../../../kernel/flight/visit-program.ts';
import { relativePaths } from '../../../kernel/ground/relative-paths.ts';
import { lanePlace } from '../../../kernel/lanes/lane-place.ts';
import type { Flight } from '../../../domain/session.ts';
import type { Issue, MissionState, QueueFeature } from '../../../kernel/mission-schema.ts';
import type { MissionPlace, MissionProgress, StepFunction } from '../contract.ts';
import { featureOf } from '../machine/changes.ts';
import { featureNameOf, flightOf } from '../machine/flying.ts';
import { testsOf } from '../machine/plan.ts';
import { readValidation, withDenials, type Validation, SHORTEST_QUOTE } from '../machine/validation.ts';
import { callMissionRole, data, lineWith } from '../role-call.ts';
import { briefAtBase } from '../words/brief.ts';
import { claimsText, featureText } from '../words/texts.ts';
import { brokenBy } from './issue-proofs.ts';
import { smokeWork } from './smoke.ts';
import { inPhase } from '../../../domain/must-have.ts';

export const validate: StepFunction = async (shared, { mission }, { session }) => {
  const flight = flightOf(mission, session);
  const place = lanePlace(shared, flight);
  const feature = featureOf(mission, featureNameOf(flight));
  const base = await place.trees.of(flight.base);
  const tree = inPhase(flight, 'tree');
  if (await collides(place, flight, await briefAtBase(place, mission, flight))) {
    place.emit({
      type: 'progress',
      message: `${feature.id}: collides with work that has landed; no validator is asked before that is settled`,
    });
    const none = { believed: 0, unquoted: 0, contradicted: 0 };
    return { event: { type: 'validated', session: flight.session, holds: null, issues: [], counts: none, unasked: true } };
  }
  const recorded = await recordProofs(place, mission, feature, tree);
  const smoked = await smokeWork(place, { tree, base, feature: feature.id });
  const issues: Issue[] = [...smoked.issues];
  const counts = { believed: 0, unquoted: 0, contradicted: 0 };
  const held: string[] = [];
  const seen = await lookAtProgram(place, tree, feature);
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
      const failing = await brokenBy(place, { tree, base }, issue);
      if (failing === null) issues.push(issue);
      else held.push(`${issue.title} (${failing})`);
    }
  }
  if (held.length > 0 && counts.believed + counts.unquoted > 0) counts.contradicted = 1;
  const proofs = held.length === 0 ? [] : [`a test that a validator named fails with this work, and not before it: ${held.join('; ')}`];
  const against = [
    ...(smoked.against === null ? [] : [smoked.against]),
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
  const tree = inPhase(flight, 'tree');
  const looks = role === UI_QA;
  const recorded = looks ? new Map(feature.claims.map((id) => [id, seen])) : proofs;
  let answer: Validation = { believed: [], unquoted: [], denied: [], issues: [] };
  let verdict: string | undefined;
  let missing = '';
  for (const last of [false, true]) {
    const called = await callMissionRole(place, mission, {
      role,
      output: 'validation.json',
      tree,
      feature: feature.id,
      testFiles: testsOf(feature, mission.claims),
      lane: flight.lane,
      variables: {
        feature: featureText(feature),
        claims: claimsText(feature, mission.claims),
        ...(looks
          ? { visit: data('visit', seen, 20_000) }
          : {
              difference: data('difference', await differenceText(place, await place.trees.of(flight.base), tree), 60_000),
              runs: data('records', [...recorded].map(([id, text]) => `## ${id}\n${text}`).join('\n\n'), 60_000),
            }),
        quote_length: String(SHORTEST_QUOTE),
        again: missing === '' ? '' : `Your last result is not complete: ${missing}.`,
      },
    });
    if (called.kind === 'delayed') return called.progress;
    const { output, reply } = called.result;
    const read = readValidation(output === null ? null : relativePaths(place, output), feature, recorded, role);
    verdict = lineWith(reply, looks ? /^UI: (pass|fail)$/ : /^VERDICT: (pass|fail)$/)?.[1] ?? verdict;
    answer = read ?? answer;
    missing = whatIsMissing(read, verdict, looks);
    if (missing === '') break;
    if (last) place.emit({ type: 'warning', message: `${role}: ${missing}; the verdict of the harness stands` });
  }
  return withDenials(answer, verdict, feature, role);
}

/** For the one who is asked again, and for people; empty: nothing. */
function whatIsMissing(read: Validation | null, verdict: string | undefined, looks: boolean): string {
  if (read === null) return 'the JSON file is not there, or is not as described';
  if (read.unquoted.length > 0) return `passed without a quotation from the records, which does not count: ${read.unquoted.join(', ')}`;
  const word = looks ? 'UI' : 'VERDICT';
  return verdict === undefined ? `the reply has no line ${word}: pass or ${word}: fail` : '';
}

async function recordProofs(place: MissionPlace, mission: MissionState, feature: QueueFeature, tree: string): Promise<Map<string, string>> {
  const recorded = new Map<string, string>();
  for (const claim of mission.claims.filter(({ id }) => feature.claims.includes(id)))
    recorded.set(
      claim.id,
      claim.proof.person && claim.proof.tests.length === 0
        ? 'this one needs review'
        : relativePaths(place, (await runProof(place, tree, claim.proof)).recorded),
    );
  await place.rooms.dispose();
  return recorded;
}
