/**
 * `harness run`: sessions one after the other, until one of them ends the run.
 * The caller holds the lock, and what was under way before has been brought to its end: see `open.ts`.
 */
import { usageError } from '../../domain/errors.ts';
import { EXIT } from '../../domain/reasons.ts';
import type { ProjectState } from '../../domain/session.ts';
import { refuseInPlace } from '../../kernel/flight/in-place.ts';
import { runHours } from '../../kernel/hours/run-hours.ts';
import { readBaseline } from '../../kernel/flight/memory-files.ts';
import { driveProject } from './flow.ts';
import { followPulls } from './follow.ts';
import { maintain } from './maintain/maintain.ts';
import { isFree } from './machine/lanes.ts';
import { beginRun } from './machine/running.ts';
import { settleBudgetQuestion } from './people/budget-question.ts';
import { askAboutGrownFeatures, tellEstimates } from './people/large-features.ts';
import type { Project } from './project.ts';
import type { RunReport } from './machine/run-report.ts';
import { readState } from './state-files.ts';
import { isChosen, projectGate } from '../../gates/project-gates.ts';
import { consentOf, hiddenTestsLine, wantsHiddenTests, writeConsent } from '../../kernel/roles/examiner-consent.ts';
import { usualCost } from '../../kernel/roles/examiner-cost.ts';

export interface RunOptions {
  /** Infinity for `--until-done`; none where the project is only watched. */
  sessions: number;
  noCache: boolean;
  /** How many at the same time; 1 unless told. */
  lanes?: number;
  cleanup: boolean;
  /** A time of day at which it ends. */
  until?: string | null;
  /** Watched once everything is done. */
  maintains?: boolean;
  /** The test set-up is the harness's own, so that there is nothing to find out about it. */
  knownSound?: true;
}

export async function run(project: Project, before: ProjectState, options: RunOptions): Promise<RunReport> {
  const { sessions, cleanup, knownSound, noCache, lanes, maintains } = options;
  await refuseMission(project);
  await askAboutHiddenTests(project, before);
  if ((lanes ?? 1) > 1) refuseInPlace(project, `${lanes} lanes cannot share the one working tree`);
  const begin = beginRun({ wanted: sessions, cleanup, ...(lanes === undefined ? {} : { lanes }), knownSound: knownSound === true });
  const hours = runHours(project.config, { until: options.until ?? null, unattended: sessions > 1, now: project.platform.clock.now() });
  const place = { ...project, noCache, ...(hours === null ? {} : { hours }) };
  const ready = sessions === 0 ? { state: before, report: null } : await settleBudgetQuestion(place, before);
  if (ready.report !== null) return ready.report;
  const { rest } =
    sessions === 0
      ? { rest: null }
      : await driveProject(place, { project: await listLookedAt(place, ready.state), run: begin }).finally(() => place.beside.end());
  if (rest !== null && sessions === Number.POSITIVE_INFINITY && place.config.github.follow === true && rest.exitCode === EXIT.done) {
    const followed = await followPulls(place, 'quiet');
    if (followed.exitCode !== EXIT.done) return followed;
  }
  const watches = rest === null || rest.maintains === true || (maintains === true && rest.outcome === 'complete');
  return watches ? await maintain(place) : rest;
}

/** A person may have changed the list since the harness saw it last. */
async function listLookedAt(project: Project, state: ProjectState): Promise<ProjectState> {
  const seen = isFree(state) ? await readBaseline(project, { writer: true }) : null;
  if (seen === null) return state;
  await tellEstimates(project, state);
  await askAboutGrownFeatures(project, state, seen.commit, project.asker);
  return await readState(project, { writer: true });
}

/** A cut-off session of a mission lies in the copy that this run would use. */
async function refuseMission({ documents }: Project): Promise<void> {
  const mission = await documents.read('mission', { writer: false });
  if (mission === null || mission.flights.length === 0) return;
  throw usageError('A session of harness mission run was cut off here.', 'Let it finish first: harness mission run');
}

/** A project with sessions of an earlier version: hidden tests are written only once a person agreed. No unattended run waits for that. */
async function askAboutHiddenTests(project: Project, { last_session }: Pick<ProjectState, 'last_session'>): Promise<void> {
  if (!wantsHiddenTests(project) || project.config.verification.examiner === 'on') return;
  if (last_session === 0) {
    await writeConsent(project, true);
    project.emit({ type: 'progress', message: hiddenTestsLine(project) });
    return;
  }
  if ((await consentOf(project)) !== 'open') return;
  const { asker, config } = project;
  const question = projectGate('project.hidden-tests', { model: config.models.examiner, usd: usualCost(project) });
  const isExpected = (await asker.expects?.('project.hidden-tests')) === true;
  const answer = isExpected ? await asker.ask(question) : await (asker.leave ?? asker.ask)(question);
  if (answer === 'pending') return;
  await writeConsent(project, isChosen('project.hidden-tests', 'Switch on', answer));
}
