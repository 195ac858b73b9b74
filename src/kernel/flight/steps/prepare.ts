/**
 * Before the agent: the checks, its copy, its environment, and the checkpoint to return to.
 * A check that fails is a result: no agent was started, and the flight is dropped.
 */
import { notesOf } from '../keep-work.ts';
import { NOTHING_HELD } from '../../../workspace/held-copy.ts';
import type { Flight } from '../../../domain/session.ts';
import type { AgentCopy } from '../../../workspace/agent-copy.ts';
import { loadRefused, loadWip } from '../../../workspace/wip.ts';
import { portBase } from '../../lanes/air.ts';
import { makeAgentPlace, type AgentPlace } from '../agent-place.ts';
import { prepareCopy } from '../copies.ts';
import { includeIn } from '../included-files.ts';
import { inTreeTurn } from '../in-turn.ts';
import { keepOutput } from '../foreign-output.ts';
import { checkBaselineOnHead, sanityChecks } from '../baseline.ts';
import { checkpointSession, type CheckpointReason } from '../checkpoints.ts';
import type { Brief, FlightPlace, LiveFlight } from '../contract.ts';
import { createEnvironment, type EnvironmentSettings } from '../environment.ts';
import { lendHome, takeHomeBack, worksInPlace } from '../in-place.ts';
import { endLive, newLive } from '../live.ts';
import type { FlightEvent } from '../machine.ts';
import { preflight, type PreflightResult } from '../preflight.ts';
import { firstItem } from '../../../domain/items.ts';

export type Prepared = FlightEvent | { type: 'dropped'; failure: NonNullable<PreflightResult['failure']> };

export async function prepare(place: FlightPlace, flight: Flight, brief: Brief): Promise<Prepared> {
  const live = newLive();
  place.live.set(flight.session, live);
  let cleanAt = -Infinity;
  const { failure, baseline } = await preflight(place, {
    setAside: (stash) => (live.stash = stash),
    seenClean: (at) => (cleanAt = at),
    repairs: flight.repairs !== null,
    budget: (await place.books.account(brief.feature?.id ?? null)).budget,
    hasList: brief.list !== null,
    environment: async () => {
      const { copy, agent } = await workplace(place, flight, brief, live);
      live.environment = createEnvironment(place.platform, environmentSettings(place), {
        workspace: copy.path,
        env: agent.env,
        sandbox: agent.sandbox,
        signal: place.signal,
        keepOutput: (name, output) => keepOutput(place, name, output),
      });
      return live.environment;
    },
    baseline: () =>
      checkBaselineOnHead(place, brief.head, flight.session - 1, {
        noCache: place.noCache,
        signal: place.signal,
        unwritten: new Set(brief.unwritten),
      }),
    sanity: async () => (live.sanity = await sanityChecks(place, brief.head, place)),
  });
  if (failure !== null) {
    await endLive(place, flight.session);
    await takeHomeBack(place, flight.session);
    return { type: 'dropped', failure };
  }
  live.baseline = baseline;
  const { copy } = await workplace(place, flight, brief, live);
  const clean = place.platform.clock.monotonic() - cleanAt < MOMENT_MS && !worksInPlace(place, flight);
  const start = { session: flight.session, feature: flight.feature, copies: brief.documents, reason: reasonFor(flight), clean };
  const checkpoint = await inTreeTurn(place, () => checkpointSession(place, start));
  return { type: 'prepared', workspace: copy.path, checkpoint: checkpoint.id };
}

/** What was seen of the user's files is believed for this long. */
const MOMENT_MS = 1_000;

function reasonFor({ feature, repairs }: Flight): CheckpointReason {
  if (feature !== null) return 'pre_feature';
  return repairs === null ? 'pre_cleanup' : 'pre_repair';
}

/** The agent's copy and its surroundings, made once. */
async function workplace(
  place: FlightPlace,
  flight: Flight,
  brief: Brief,
  live: LiveFlight,
): Promise<{ copy: AgentCopy; agent: NonNullable<LiveFlight['agent']> }> {
  live.startTree ??= await startTree(place, brief);
  live.copy ??= await lent(place, flight, brief, {
    start: live.startTree,
    copy: await prepareCopy(place, brief.head, { tree: live.startTree, lane: flight.lane }, (copy) =>
      includeIn(place, copy, brief.head.tree),
    ),
  });
  live.agent ??= await agentPlaceIn(place, live.copy, flight.lane);
  return { copy: live.copy, agent: live.agent };
}

/** With `in_place` the agent works in the user's own tree; the copy then gives it a git directory of its own. */
async function lent(
  place: FlightPlace,
  flight: Flight,
  { head }: Brief,
  { start, copy }: { start: string; copy: AgentCopy },
): Promise<AgentCopy> {
  if (!worksInPlace(place, flight)) return copy;
  await lendHome(place, flight.session, head.commit, start);
  return { ...copy, path: place.home.root, held: NOTHING_HELD };
}

/** The work that an earlier session left, refused work that is to be repaired, or the base. */
async function startTree(place: FlightPlace, { head, unfinished, refused, list }: Brief): Promise<string> {
  const { platform, home } = place;
  const loaded =
    unfinished === null ? null : await loadWip(platform, { home, feature: unfinished.feature, head: head.commit, notes: notesOf(place) });
  if (loaded !== null && loaded.state === 'conflict' && unfinished?.marked === true && loaded.marked !== null) return loaded.marked;
  if (loaded !== null && loaded.state !== 'current') place.emit({ type: 'progress', message: loaded.detail });
  if (loaded !== null || refused === null) return loaded?.start ?? head.tree;
  const edits = list === null ? [] : [{ path: list.path, kind: 'write' as const, content: list.text }];
  const kept = await loadRefused(platform, { home, notes: notesOf(place), ...refused, head: head.commit, edits });
  if (kept === null)
    place.emit({ type: 'progress', message: 'the refused work no longer fits the branch: the agent starts from the branch' });
  return kept ?? head.tree;
}

/** Servers of lanes that share a network keep apart. */
async function agentPlaceIn(place: FlightPlace, copy: AgentCopy, lane: string | null): Promise<AgentPlace> {
  const port = portBase(lane, place.root);
  const made = await makeAgentPlace(place, copy);
  const isAlone = made.sandbox !== null && !place.config.sandbox.network;
  return port === null || isAlone ? made : { ...made, env: { ...made.env, HARNESS_PORT_BASE: String(port) } };
}

function environmentSettings(place: FlightPlace): EnvironmentSettings {
  const { environment, preflight: before, testing } = place.config;
  const health = [...new Set([environment.health_check, testing.sanity.health])].filter((command) => command !== null);
  return {
    init: environment.init,
    reset: environment.reset,
    healthCheck:
      health.length === 0 ? null : health.length === 1 ? firstItem(health) : health.map((command) => `( ${command}\n)`).join(' && '),
    stop: environment.stop,
    autoReset: before.on_failure.auto_reset,
    maxResetAttempts: before.on_failure.max_reset_attempts,
    timeoutMs: 10 * 60_000,
    healthRetryMs: 5_000,
  };
}
