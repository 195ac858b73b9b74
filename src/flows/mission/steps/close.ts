/** What happens around the work: waits, the race of a competition, the smoke run, the documenter, and the curator. */
import { counted } from '../../../domain/counted.ts';
import { featureKey, missionFeatureNumber } from '../../../domain/feature-name.ts';
import { commitCandidate, landCandidate } from '../../../kernel/flight/land-candidate.ts';
import { judgeWork } from '../../../kernel/flight/judge-work.ts';
import { runCommand } from '../../../kernel/flight/run-context.ts';
import { inTreeTurn } from '../../../kernel/flight/tree-turn.ts';
import { headOf } from '../../../kernel/ground/head.ts';
import { waitUntil } from '../../../kernel/wait-until.ts';
import { changedLines, differenceText } from '../../../kernel/lanes/difference.ts';
import { laneNumber } from '../../../kernel/lanes/air.ts';
import type { MissionPlace, StepFunction } from '../contract.ts';
import { featureOf } from '../machine/changes.ts';
import { undocumented } from '../machine/machine.ts';
import { readCurated } from '../machine/memory.ts';
import { testsOf } from '../machine/plan.ts';
import { readIdentities, readMemory, writeCurated } from '../memory-files.ts';
import { callMissionRole, data } from '../role-call.ts';
import { featureText } from '../words/texts.ts';
import { headTree } from './head-tree.ts';

const SHORTEST_WAIT_MS = 15_000;
const LONGEST_WAIT_MS = 30 * 60_000;

export const wait: StepFunction = async (place, { mission }) => {
  const { clock } = place.platform;
  const until = mission.wait!.until ?? clock.now() + Math.min(LONGEST_WAIT_MS, SHORTEST_WAIT_MS * 2 ** Math.max(0, mission.outages - 1));
  if (until > clock.now()) {
    const kind = mission.wait!.why === 'usage_limit' ? 'usage' : 'outage';
    place.emit({
      type: 'session.limit',
      session: 0,
      kind,
      level: 'warn',
      message: `waiting, because of ${mission.wait!.why}`,
      until: new Date(until).toISOString(),
    });
    await waitUntil(place, until);
  }
  return place.signal.aborted
    ? { event: { type: 'held.up', reason: 'interrupted', message: 'interrupted', until: null } }
    : { event: { type: 'waited', until } };
};

/** The fewest changed lines outside of the tests, then the known cost, then the lane's number: a referee that cannot be talked to. */
export const referee: StepFunction = async (place, { mission }, { feature }) => {
  const id = missionFeatureNumber(feature!)!;
  const tests = testsOf(featureOf(mission, feature!), mission.claims);
  const rows = await Promise.all(
    mission.flights
      .filter((flight) => flight.feature === id)
      .map(async ({ session, base, tree, lane }) => ({
        session,
        lines: await changedLines(place, await place.trees.of(base), tree!, tests),
        cost: place.live.get(session)?.conversation?.session.totals().cost_usd ?? Number.POSITIVE_INFINITY,
        lane: laneNumber(lane),
      })),
  );
  const [best] = rows.toSorted((a, b) => a.lines - b.lines || a.cost - b.cost || a.lane - b.lane);
  place.emit({
    type: 'decision',
    session: best!.session,
    text: `${featureKey(id)}: the work of session ${best!.session} is taken, ${counted(best!.lines, 'changed line')}; others: ${rows
      .filter((row) => row !== best)
      .map((row) => `session ${row.session} ${row.lines}`)
      .join(', ')}`,
    by: 'harness',
  });
  return { event: { type: 'refereed', winner: best!.session } };
};

/** The real program, started for itself in a clean room, and asked over HTTP. */
export const smoke: StepFunction = async (place) => {
  const { urls, startup_cmd, startup_wait_seconds } = place.config.mission.smoke_test;
  const probe = `const urls = ${JSON.stringify(urls)}; const end = Date.now() + ${startup_wait_seconds * 1000}; let why = 'no address is set'; const look = async () => { for (const { url, expect_status } of urls) { try { const { status } = await fetch(url, { redirect: 'manual' }); if (status !== expect_status) return url + ' answered ' + status; } catch (error) { return url + ' did not answer: ' + error.message; } } return null; }; do { why = await look(); if (why === null) process.exit(0); await new Promise((resolve) => setTimeout(resolve, 200)); } while (Date.now() < end); console.log(why); process.exit(1);`;
  const start = startup_cmd === null ? '' : `( ${startup_cmd}\n) & app=$!; `;
  const command = `${start}node --input-type=module -e ${quoted(probe)}; code=$?; ${startup_cmd === null ? '' : 'kill $app 2>/dev/null; '}exit $code`;
  const ran = await runCommand(place, { tree: await headTree(place), command }, { noCache: true, signal: place.signal });
  await place.rooms.dispose();
  const failure =
    ran.exit_code === 0
      ? null
      : ran.output_tail.trim().split('\n').slice(-3).join(' | ') || `it ended with ${ran.exit_code ?? 'no status'}`;
  place.emit({
    type: 'preflight.check',
    name: 'smoke',
    state: failure === null ? 'passed' : 'failed',
    detail: failure ?? `${counted(urls.length, 'address', 'addresses')} ${urls.length === 1 ? 'answers' : 'answer'}`,
    duration_ms: Math.round(ran.duration_ms),
  });
  return { event: { type: 'smoked', failure } };
};

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** Documentation lands only when nothing but `docs/` changed and everything that passed still does. */
export const document: StepFunction = async (place, { mission }) => {
  const id = undocumented(mission, place.rules)!;
  const feature = featureOf(mission, id);
  const head = (await headOf(place))!;
  const called = await callMissionRole(place, mission, {
    role: 'documenter',
    output: null,
    tree: head.tree,
    feature: id,
    keeps: 'tree',
    variables: { feature: featureText(feature), difference: data('what landed', await lastCommitOf(place, id, head.commit)) },
  });
  if (called.kind === 'delayed') return called.progress;
  const { capture } = called.result;
  const why = capture === null || capture.tree === head.tree ? 'nothing was written' : await refusal(place, head, capture);
  if (why !== null) place.emit({ type: 'warning', message: `documentation of ${id} is dropped: ${why}` });
  else await landDocs(place, head, capture!.tree, id);
  return { event: { type: 'documented', feature: id } };
};

async function refusal(
  place: MissionPlace,
  head: { commit: string; tree: string },
  capture: { tree: string; findings: readonly { kind: string; path: string; detail: string }[] },
): Promise<string | null> {
  const outside = (await place.trees.diff(head.tree, capture.tree)).map(({ path }) => path).filter((path) => !path.startsWith('docs/'));
  if (outside.length > 0) return `it changes more than docs/: ${outside.slice(0, 5).join(', ')}`;
  const judged = await judgeWork(place, {
    base: head,
    candidate: { tree: capture.tree, findings: capture.findings as never },
    testCommand: place.config.testing.full,
  });
  await place.rooms.dispose();
  const against = [...judged.findings, ...(judged.tests?.findings ?? [])].filter(({ weight }) => weight !== 'warn');
  const failed = judged.tests?.suite.tests.find(({ status }) => status === 'failed' || status === 'error');
  return against[0]?.message ?? (failed === undefined ? null : `${failed.id} fails with it`);
}

async function landDocs(place: MissionPlace, head: { commit: string; branch: string }, tree: string, id: string): Promise<void> {
  await inTreeTurn(place, async () => {
    const commit = await commitCandidate(
      place,
      { base: head.commit, tree },
      { subject: `Document ${id}`, trailers: { 'Harness-Feature': id } },
    );
    const landed = await landCandidate(place, { branch: head.branch, base: head.commit, commit });
    if (landed.kind !== 'landed')
      place.emit({ type: 'warning', message: `documentation of ${id} could not land: the branch moved in the meantime` });
  });
}

async function lastCommitOf(place: MissionPlace, id: string, head: string): Promise<string> {
  const tree = await place.trees.of(head);
  const before = await place.trees.of(`${head}~1`).catch(() => tree);
  return `${id}\n${await differenceText(place, before, tree)}`;
}

export const curate: StepFunction = async (place, { mission }) => {
  const memory = await readMemory(place);
  if (memory.notes.length === 0) return { event: { type: 'curated' } };
  const roles = Object.keys(place.config.mission.models).map((role) => role.replaceAll('_', '-'));
  const called = await callMissionRole(place, mission, {
    role: 'curator',
    output: 'memory.json',
    tree: await headTree(place),
    variables: {
      raw: data('raw notes', memory.raw),
      summary: data('summary', memory.summary),
      memory: data('memory', memory.memory),
      identities: data('identities', await readIdentities(place, roles)),
    },
  });
  if (called.kind === 'delayed') return called.progress;
  const curated = readCurated(called.result.output, memory.tricks, roles);
  for (const remark of curated.remarks) place.emit({ type: 'warning', message: `curator: ${remark}` });
  await writeCurated(place, curated);
  return { event: { type: 'curated' } };
};
