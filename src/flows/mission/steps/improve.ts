/** Those who look at what goes wrong: issues that become features, claims in question, and causes of repeated failures. */
import { committedHead } from '../../../kernel/ground/head.ts';
import { relativePaths } from '../../../kernel/ground/relative-paths.ts';
import { pathSetOf } from '../../../domain/tree-index.ts';
import { runProof } from '../../../kernel/flight/proofs.ts';
import type { Claim, Issue, MissionState } from '../../../kernel/mission-schema.ts';
import type { MissionPlace, StepFunction } from '../contract.ts';
import { featureOf, nextFix } from '../machine/changes.ts';
import { renderContract } from '../machine/contract-text.ts';
import { deservesFix, ripeIssues, testForFix } from '../machine/issues.ts';
import { ASKED } from '../machine/machine.ts';
import { checkPlan, ClaimsInput, parseJson, testsOf, toClaim } from '../machine/plan.ts';
import { callMissionRole, data, lineWith } from '../role-call.ts';
import { claimsText, featureText } from '../words/texts.ts';
import { headTree } from './head-tree.ts';
import { failingToday } from './issue-proofs.ts';
import { tryClaims } from './try-claims.ts';
import { itemAt } from '../../../domain/items.ts';
import { mustHave } from '../../../domain/must-have.ts';

/** An issue with a test that fails on the branch becomes a feature, once; any other is noted. */
export const convert: StepFunction = async (place, { mission }) => {
  const { tree } = await committedHead(place);
  const promoted: { issue: number; feature: string; title: string; claim: Claim; once?: true }[] = [];
  const noted: number[] = [];
  const taken = new Set(mission.claims.flatMap(({ proof }) => proof.tests));
  for (const at of ripeIssues(mission)) {
    const issue = itemAt(mission.issues, at);
    const isFree = issue.proof !== null && !issue.proof.tests.some((path) => taken.has(path));
    const why = isFree ? await failingToday(place, tree, issue) : null;
    const feature = nextFix(mission, promoted.length);
    const shown =
      why === null
        ? await shownByCommand(place, mission, tree, { issue, feature, begun: promoted.filter(({ once }) => once).length, taken })
        : null;
    if (why === null && shown === null) {
      noted.push(at);
      const missing = issue.proof === null ? 'no test or command shows it' : 'no test of it fails today';
      place.emit({ type: 'decision', session: null, text: `noted, because ${missing}: ${issue.title}`, by: 'harness' });
      continue;
    }
    const claim = claimOf(feature, shown ?? issue);
    for (const path of claim.proof.tests) taken.add(path);
    promoted.push({
      issue: at,
      feature,
      title: `Fix: ${issue.title}`.slice(0, 300),
      claim,
      ...(shown === null ? {} : { once: true as const }),
    });
    const reason = why ?? 'one session has to show it by a test';
    place.emit({ type: 'decision', session: null, text: `CONVERTED: ${feature}, ${issue.title} (${reason})`, by: 'harness' });
  }
  return { event: { type: 'converted', promoted, noted } };
};

/** An issue that a command shows, with the test that has to be written for it and what the command printed here; null: none. */
async function shownByCommand(
  place: MissionPlace,
  mission: MissionState,
  tree: string,
  { issue, feature, begun, taken }: { issue: Issue; feature: string; begun: number; taken: ReadonlySet<string> },
): Promise<Issue | null> {
  const near = mission.claims.flatMap(({ proof }) => proof.tests)[0];
  const { proof } = issue;
  if (near === undefined || proof === null || !deservesFix(mission, issue, begun)) return null;
  const test = testForFix(feature, near);
  const isThere = pathSetOf(await place.trees.list(tree)).has(test) || taken.has(test);
  if (isThere) return null;
  const { recorded } = await runProof(place, tree, { tests: [], command: proof.command, person: false });
  await place.rooms.dispose();
  const text = [
    issue.text,
    'Write a test that fails because of this, then repair it.',
    relativePaths(place, recorded).slice(-2_000),
  ].filter((part) => part !== '');
  return { ...issue, text: text.join('\n'), proof: { ...proof, tests: [test] } };
}

/**
 * Its tests prove it. An issue names a defect and a claim has to be true of the finished program, so the claim is that it is fixed. The reporter's
 * command is only shown to the worker.
 */
function claimOf(feature: string, { title, text, proof }: Issue): Claim {
  const { tests, command } = mustHave(proof, 'only an issue with a proof becomes a claim');
  const notes = command === null ? text : `${text}${text === '' ? '' : '\n'}Reported with: ${command}`;
  return { id: `VAL-${feature.slice(2)}`, text: `Fixed: ${title}`, proof: { tests, command: null, person: false }, notes };
}

/** The architect may change the claims of features that have not passed, and nothing else. */
export const resolve: StepFunction = async (place, { mission }) => {
  const { feature: id, text } = mustHave(mission.question, 'this step is due only while the architect is asked');
  const feature = featureOf(mission, id);
  const called = await callMissionRole(place, mission, {
    role: 'architect',
    output: 'claims.json',
    tree: await headTree(place),
    feature: id,
    variables: {
      spec: data('specification', place.spec, 200_000),
      contract: data('contract', renderContract(mission), 200_000),
      feature: featureText(feature),
      question: data('question', text.slice(ASKED.length)),
    },
  });
  if (called.kind === 'delayed') return called.progress;
  const { reply, output } = called.result;
  const ask = lineWith(reply, /^ASK (.+)$/)?.[1];
  if (ask !== undefined) return { event: { type: 'unresolved', feature: id, question: ask.slice(0, 500) } };
  const parsed = ClaimsInput.safeParse(output === null ? null : parseJson(output));
  if (lineWith(reply, /^RESOLVED (\S+)$/)?.[1] !== id || !parsed.success)
    return {
      event: {
        type: 'unresolved',
        feature: id,
        question: `the architect's reply has no line "RESOLVED ${id}" or "ASK …", or its claims.json is not usable: ${text.slice(ASKED.length, 400)}`,
      },
    };
  const claims = parsed.data.claims.map(toClaim);
  const features = mission.features.map((one) => (one.id === id ? { ...one, claims: claims.map((claim) => claim.id) } : one));
  const others = mission.claims.filter((claim) => !feature.claims.includes(claim.id));
  const problems = checkPlan({ features, claims: [...others, ...claims] });
  if (problems.length === 0) {
    const known = new Set(mission.claims.map(({ proof }) => JSON.stringify(proof)));
    const fresh = claims.filter(({ proof }) => !known.has(JSON.stringify(proof)));
    const tried = await tryClaims(place, await headTree(place), fresh);
    problems.push(...tried.problems, ...tried.held.map((one) => `claims.${one}: its proof holds already, before the feature is built`));
  }
  if (problems.length > 0)
    return { event: { type: 'unresolved', feature: id, question: `the architect's claims cannot be used: ${problems[0]}` } };
  const reason = (parsed.data.reason ?? 'no reason was given').replace(/\s+/g, ' ').slice(0, 500);
  place.emit({ type: 'decision', session: null, text: `the contract of ${id} was changed: ${reason}`, by: 'agent' });
  return { event: { type: 'resolved', feature: id, claims, reason } };
};

export const debug: StepFunction = async (place, { mission }, { feature: id }) => {
  const feature = featureOf(mission, mustHave(id, 'a debugger works on a feature'));
  const attempts = mission.evidence
    .filter((one) => one.feature === id)
    .map((one) => `session ${one.session}: ${one.message === '' ? 'it left no result' : one.message}`);
  const called = await callMissionRole(place, mission, {
    role: 'debugger',
    output: 'debug.md',
    tree: await headTree(place),
    feature: feature.id,
    testFiles: testsOf(feature, mission.claims),
    variables: {
      feature: featureText(feature),
      claims: claimsText(feature, mission.claims),
      attempts: data('attempts', attempts.join('\n')),
    },
  });
  if (called.kind === 'delayed') return called.progress;
  const { reply, output } = called.result;
  if (output !== null) await place.documents.folder('debug').write(`${feature.id}.md`, output);
  const cause = lineWith(reply, /^CAUSE: (.+)$/)?.[1] ?? 'no cause was found';
  return { event: { type: 'debugged', feature: feature.id, cause: cause.slice(0, 500) } };
};
