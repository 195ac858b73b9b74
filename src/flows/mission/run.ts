/** `harness mission run`: one drive of the mission, from wherever it stands. */
import { usageError } from '../../domain/errors.ts';
import { exitCodeFor } from '../../domain/reasons.ts';
import type { HarnessEvent } from '../../domain/event.ts';
import { refuseInPlace } from '../../kernel/flight/in-place.ts';
import { clearCheckpoints, clearIndexLock, finishPendingCommit, giveBackStash } from '../../kernel/flight/leftovers.ts';
import { endAllLive } from '../../kernel/flight/live.ts';
import { visitObstacle } from '../../kernel/flight/visit-program.ts';
import { runHours } from '../../kernel/hours/run-hours.ts';
import { knownSelfCheck, performSelfCheck, selfCheckKey } from '../../kernel/ground/self-check.ts';
import { holdPlace, type HoldOptions } from '../../kernel/hold-place.ts';
import type { Place } from '../../kernel/place.ts';
import { ended, type MissionPlace, type MissionReport } from './contract.ts';
import { writeMission } from './documents.ts';
import { driveMission } from './flow.ts';
import { groundOf } from './ground.ts';
import { testsOf } from './machine/plan.ts';
import { forgetMission } from './memory-files.ts';
import { asMission, openMission, readSpec, rulesOf, type MissionWish } from './open.ts';
import { removeEscalationNote, writeEscalationNote } from '../../kernel/escalation-note.ts';
import { readMissionSummary, type MissionSummary } from './people/summary.ts';
import { startupOf } from './steps/validate.ts';
import type { MissionState } from '../../kernel/mission-schema.ts';

export interface MissionOptions extends Omit<HoldOptions, 'needs' | 'command'> {
  mission: MissionWish;
  /** What the mission has come to so far, before the place is let go. */
  told?(summary: MissionSummary): void;
  /** The test set-up is the harness's own, so that there is nothing to find out about it. */
  knownSound?: true;
}

export async function runMission(platform: Place['platform'], root: string, options: MissionOptions): Promise<MissionReport> {
  const tally = openTally();
  const emit = (event: HarnessEvent): void => {
    tally.see(event);
    options.emit(event);
  };
  return await holdPlace(platform, root, { ...options, emit, needs: 'project', command: 'harness mission run' }, async (base) => {
    const known = await base.documents.read('mission', { writer: true });
    const spec = await readSpec(base, options.mission.spec, known);
    const hours = runHours(base.config, { until: null, unattended: true, now: platform.clock.now() });
    const place = { ...asMission(base, rulesOf(base, options.mission), spec.text), ...(hours === null ? {} : { hours }) };
    refuseInPlace(place, 'a mission works in lanes');
    await refuseOthers(place);
    await refuseBlindLook(place);
    try {
      await tidy(place, known);
      const begin = await openMission(place, spec, known);
      if (known !== null && isAnother(known, begin)) await forgetMission(place);
      const unsound = await guard(place, begin, options.knownSound === true);
      if (unsound !== null) return unsound;
      await removeEscalationNote(place, 'mission');
      await writeMission(place, begin, known);
      const report = await driveMission(place, begin);
      if (report.reasons.some((reason) => reason.startsWith('budget.'))) await tellBudget(place, report.message);
      for (const line of tally.lines()) place.emit({ type: 'progress', message: line });
      await tellSummary(place, options);
      return report;
    } finally {
      await endAllLive(place);
    }
  });
}

async function tellBudget(place: MissionPlace, why: string): Promise<void> {
  await writeEscalationNote(place, {
    trigger: 'mission.budget',
    why: `A budget is used up: ${why}.`,
    ways: [
      'Raise the limit under costs in .harness.yaml, then go on with: harness mission run',
      'Look at what was spent on what: harness cost',
      'Leave it as it stands; every commit that landed stays',
    ],
  });
}

/** A look at the program that nobody could take would pass everything. */
async function refuseBlindLook(place: MissionPlace): Promise<void> {
  const { enabled, url } = place.config.mission.ui_qa;
  if (!enabled) return;
  const off = 'or set mission.ui_qa.enabled: false in .harness.yaml';
  if (url === null)
    throw usageError('mission.ui_qa is on, but no setting says where the program answers.', `fix: set mission.ui_qa.url, ${off}`);
  if (startupOf(place.config) === null)
    throw usageError(
      'mission.ui_qa is on, but no setting says how the program is started.',
      `fix: set mission.smoke_test.startup_cmd or environment.init, ${off}`,
    );
  const obstacle = await visitObstacle(place);
  if (obstacle !== null)
    throw usageError(`mission.ui_qa is on, and the harness cannot look here: ${obstacle}.`, `fix: run harness doctor, ${off}`);
}

async function tellSummary(place: MissionPlace, { told }: MissionOptions): Promise<void> {
  await place.journal?.flush();
  const summary = await readMissionSummary(place, null);
  if (summary === null || summary.sessions === 0) return;
  place.emit({ type: 'run.summary', summary: { mission: summary } });
  told?.(summary);
}

/** Not a state of the mission that is there. */
function isAnother(known: MissionState, begin: MissionState): boolean {
  return known.started_at !== begin.started_at;
}

/** A cut-off session of the project lies in the copy that a mission would use. */
async function refuseOthers({ documents }: MissionPlace): Promise<void> {
  const project = await documents.read('state', { writer: false });
  if (project === null || (project.flight === null && project.beside.length === 0)) return;
  throw usageError('A session of harness run was cut off here.', 'Let it finish first: harness run');
}

/** What a process that died left lying about. */
async function tidy(place: MissionPlace, known: MissionState | null): Promise<void> {
  await finishPendingCommit(place);
  if (known?.flights.some(({ phase }) => phase === 'landing') === true) await clearIndexLock(place);
  await clearCheckpoints(place);
  await giveBackStash(place);
}

/** Nothing goes on without a person unless verification holds in the project's own test set-up. */
async function guard(place: MissionPlace, mission: MissionState, isKnownSound: boolean): Promise<MissionReport | null> {
  const head = await groundOf(place);
  if ('outcome' in head) return head;
  if (isKnownSound) return null;
  const trusted = { tree: head.tree, features: mission.features.map((feature) => ({ test_file: testsOf(feature, mission.claims) })) };
  const known = await knownSelfCheck(place, await selfCheckKey(place, head.tree));
  const found = known ?? (await checkNow(place, trusted));
  if (found.state === 'sound' || found.accepted !== null) return null;
  if (found.state !== 'unsound') {
    place.emit({
      type: 'warning',
      message: `The self-check of the test set-up was inconclusive: ${found.detail}. Until it has run properly, claims may end as questions.`,
    });
    return null;
  }
  return ended(
    'error',
    ['verification.unsound'],
    `verification does not hold in this test set-up (${found.detail}). Look at it with: harness doctor --verify`,
    exitCodeFor('error', ['verification.unsound']),
  );
}

async function checkNow(
  place: MissionPlace,
  trusted: Parameters<typeof performSelfCheck>[1],
): Promise<Awaited<ReturnType<typeof performSelfCheck>>['stored']> {
  place.emit({
    type: 'progress',
    message: "Self-check: planting cheats in this project's own test set-up, once per set-up. This takes a moment.",
  });
  const { stored } = await performSelfCheck(place, trusted, place);
  if (stored.state === 'sound') await place.documents.write('self-check', stored);
  return stored;
}

interface Tally {
  see(event: HarnessEvent): void;
  lines(): string[];
}

/** What the roles of this command read from the provider's cache, by role. Pure but for what it counts. */
function openTally(): Tally {
  const roles = new Map<number, string>();
  const sums = new Map<string, { cached: number; input: number }>();
  return {
    see: (event) => {
      if (event.type === 'session.start') roles.set(event.session, event.prompt);
      if (event.type !== 'session.end' || event.usage === undefined) return;
      const { input_tokens, cache_read_input_tokens, cache_creation_input_tokens } = event.usage;
      const role = roles.get(event.session) ?? 'worker';
      const sum = sums.get(role) ?? { cached: 0, input: 0 };
      sums.set(role, {
        cached: sum.cached + cache_read_input_tokens,
        input: sum.input + input_tokens + cache_creation_input_tokens + cache_read_input_tokens,
      });
    },
    lines: () => {
      const rows = [...sums].filter(([, { input }]) => input > 0);
      if (rows.length === 0) return [];
      const total = rows.reduce((sum, [, row]) => ({ cached: sum.cached + row.cached, input: sum.input + row.input }), {
        cached: 0,
        input: 0,
      });
      return [
        `read from the cache: ${percent(total)} of ${total.input} input tokens`,
        ...rows.toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([role, row]) => `  ${role}: ${percent(row)}`),
      ];
    },
  };
}

function percent({ cached, input }: { cached: number; input: number }): string {
  return `${((100 * cached) / input).toFixed(1)} %`;
}
