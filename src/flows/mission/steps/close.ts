/** What happens around the work: waits, the race of a competition, and the curator. */
import { counted } from '../../../domain/counted.ts';
import { featureKey, numberOfFeature } from '../../../domain/feature-name.ts';
import type { Flight } from '../../../domain/session.ts';
import { spentIn } from '../../../kernel/books/spent.ts';
import { waitUntil } from '../../../kernel/wait-until.ts';
import { changedLines } from '../../../kernel/lanes/difference.ts';
import { laneNumber } from '../../../kernel/lanes/air.ts';
import type { MissionPlace, StepFunction } from '../contract.ts';
import { featureOf } from '../machine/changes.ts';
import { mayBecomeLesson, readCurated, tricksElsewhere } from '../machine/memory.ts';
import { testsOf } from '../machine/plan.ts';
import type { MissionState } from '../../../kernel/mission-schema.ts';
import { missionName, MOST_NOTES, readIdentities, readMemory, writeCurated, type MemoryText } from '../memory-files.ts';
import { callMissionRole, data } from '../role-call.ts';
import { headTree } from './head-tree.ts';
import { firstItem } from '../../../domain/items.ts';
import { inPhase, mustHave } from '../../../domain/must-have.ts';

const SHORTEST_WAIT_MS = 15_000;
const LONGEST_WAIT_MS = 30 * 60_000;

export const wait: StepFunction = async (place, { mission }) => {
  const { clock } = place.platform;
  const { why, until: known } = mustHave(mission.wait, 'this step is due only while the mission waits');
  const until = known ?? clock.now() + Math.min(LONGEST_WAIT_MS, SHORTEST_WAIT_MS * 2 ** Math.max(0, mission.outages - 1));
  if (until > clock.now()) {
    const kind = why === 'usage_limit' ? 'usage' : 'outage';
    place.emit({
      type: 'session.limit',
      session: 0,
      kind,
      level: 'warn',
      message: `waiting, because of ${why}`,
      until: new Date(until).toISOString(),
    });
    await waitUntil(place, until);
  }
  return place.signal.aborted
    ? { event: { type: 'held.up', reason: 'interrupted', message: 'interrupted', until: null } }
    : { event: { type: 'waited', until } };
};

/** The fewest changed lines outside of the tests, then the known cost, then the lane's number: a referee that cannot be talked to. */
export const referee: StepFunction = async (place, { mission }, step) => {
  const feature = featureOf(mission, mustHave(step.feature, 'a referee decides about a feature'));
  const id = numberOfFeature(feature.id);
  const tests = testsOf(feature, mission.claims);
  const rows = await Promise.all(
    mission.flights
      .filter((flight) => flight.feature === id)
      .map(async (flight) => ({
        session: flight.session,
        lines: await changedLines(place, await place.trees.of(flight.base), inPhase(flight, 'tree'), tests),
        cost: (await costOf(place, flight)) ?? Number.POSITIVE_INFINITY,
        lane: laneNumber(flight.lane),
      })),
  );
  const best = firstItem(rows.toSorted((a, b) => a.lines - b.lines || a.cost - b.cost || a.lane - b.lane));
  place.emit({
    type: 'decision',
    session: best.session,
    text: `${featureKey(id)}: the work of session ${best.session} is taken, ${counted(best.lines, 'changed line')}; others: ${rows
      .filter((row) => row !== best)
      .map((row) => `session ${row.session} ${row.lines}`)
      .join(', ')}`,
    by: 'harness',
  });
  return { event: { type: 'refereed', winner: best.session } };
};

/** By what it reported in this command, else by what the journal has of it: a session may be older than the command. */
async function costOf(place: MissionPlace, { session, started_at }: Flight): Promise<number | null> {
  const conversation = place.live.get(session)?.conversation ?? null;
  const spent = conversation === null ? await spentIn(place, session, started_at) : conversation.session.totals();
  return spent?.cost_usd ?? null;
}

/**
 * Workers see the newest notes as they are. While features are open, a summary is worth its price once there are more notes than a prompt takes; at the end
 * only tricks that two places may have reported are left to hand on, to other missions; before a person comes, whatever is new.
 */
function hasToHandOn({ stage }: MissionState, { notes, curated, tricks }: MemoryText): boolean {
  const fresh = notes.slice(curated);
  if (stage === 'closing') return fresh.some(({ kind, text }) => kind === 'TRICK' && mayBecomeLesson(text, tricks));
  return fresh.length > (stage === 'escalated' ? 0 : MOST_NOTES);
}

export const curate: StepFunction = async (place, { mission }) => {
  const memory = await readMemory(place);
  if (!hasToHandOn(mission, memory)) return { event: { type: 'curated' } };
  const name = missionName(place, mission);
  const roles = Object.keys(place.config.mission.models).map((role) => role.replaceAll('_', '-'));
  const called = await callMissionRole(place, mission, {
    role: 'curator',
    output: 'memory.json',
    tree: await headTree(place),
    variables: {
      raw: data('raw notes', newest(memory.raw)),
      tricks: data('tricks of other missions', newest(tricksElsewhere(memory.tricks, name), 10_000)),
      summary: data('summary', memory.summary),
      memory: data('memory', memory.memory),
      identities: data('identities', await readIdentities(place, roles)),
    },
  });
  if (called.kind === 'delayed') return called.progress;
  const curated = readCurated(called.result.output, memory.tricks, roles, name);
  for (const remark of curated.remarks) place.emit({ type: 'warning', message: `curator: ${remark}` });
  await writeCurated(place, curated, memory.notes.length);
  return { event: { type: 'curated' } };
};

/** The last lines, as many as fit. */
function newest(text: string, longest = 40_000): string {
  return text.length <= longest ? text : text.slice(-longest).replace(/^[^\n]*\n/, '');
}
