/** The status of a project, read properly: settings and state are checked, and what they were read from is marked first. */
import { cleanLine } from '../domain/clean-text.ts';
import { counted } from '../domain/counted.ts';
import { join, resolve } from 'node:path';
import { CONFIG_FILE, loadConfig } from '../config/read-config.ts';
import { harnessHome } from '../config/user-settings.ts';
import type { Config } from '../config/schema.ts';
import { missionStatus } from '../flows/mission/people/status.ts';
import { describeMission } from './mission-text.ts';
import { projectStatus, type StatusReport } from '../flows/project/look/status.ts';
import { lastLintFile } from '../flows/project/look/last-lint.ts';
import { openDocuments, type Documents } from '../kernel/documents/documents.ts';
import { workerRows, type WorkerRow } from '../flows/worker/look.ts';
import { listTasks } from '../kernel/list-tasks.ts';
import { TASKS_FOLDER } from '../kernel/task-lane.ts';
import { workerLines } from './worker-text.ts';
import { SIZES_FILE } from '../kernel/flight/memory-files.ts';
import { tryGit } from '../platform/git.ts';
import { isoNow, type Platform } from '../platform/platform.ts';
import { folderStore } from '../store/folder-store.ts';
import { dollars } from './figures.ts';
import { flowStatus } from './flow-status.ts';
import { findStateDir } from './state-dir.ts';
import { markFiles, type Marks, type StatusAnswer } from './status-memo.ts';

export async function readStatus(platform: Platform, root: string): Promise<StatusAnswer & { marks: Marks; lock: string }> {
  const settings = await markFiles(platform, [join(root, CONFIG_FILE), ...(await placesOfState(platform, root))]);
  const flowOnly = await flowWithoutProject(platform, root);
  if (flowOnly !== null) return { ...flowOnly, marks: { ...settings, ...flowOnly.marks } };
  const { config } = await loadConfig(platform, root);
  const stateDir = join(root, config.paths.state_dir);
  const store = harnessHome(platform);
  const documents = documentsIn(platform, stateDir, config.compatibility.on_newer_state);
  const marks = await markFiles(platform, [
    join(root, config.paths.features),
    join(root, '.git', 'HEAD'),
    ...(['session', 'mission', 'gates', 'state', 'costs', 'baseline', 'requests'] as const).map((name) => documents.where(name)),
    join(stateDir, SIZES_FILE),
    lastLintFile(store, root),
  ]);
  const workers = await tasksIn(platform, stateDir);
  Object.assign(marks, workers.marks);
  const lock = workers.lock ?? join(stateDir, 'lock');
  const hasList = await platform.files.exists(join(root, config.paths.features));
  const mission = hasList ? null : await missionAnswer(documents, config);
  const known = mission ?? (hasList || workers.rows.length === 0 ? null : NOTHING_ELSE);
  if (known !== null) return { ...withWorkers(known, workers.rows), marks: { ...settings, ...marks }, lock };
  const report = await projectStatus({
    platform,
    root,
    config,
    stateDir,
    documents,
    harnessHome: store,
    now: () => isoNow(platform.clock),
  });
  const flow = await flowStatus(documents);
  const answer =
    flow === null
      ? { report, text: describe(report) }
      : { report: { ...report, flow: flow.report }, text: `${describe(report)}\n\n${flow.text}` };
  return { ...withWorkers(answer, workers.rows), marks: { ...settings, ...marks }, lock };
}

/** What tells whether the state is the harness's own: the folder itself, and what git tracks. */
async function placesOfState(platform: Platform, root: string): Promise<string[]> {
  const index = await tryGit(platform, ['rev-parse', '--git-path', 'index'], { cwd: root });
  const stateDir = join(root, await findStateDir(platform, root));
  return index.code === 0 ? [stateDir, resolve(root, index.stdout.toString('utf8').trimEnd())] : [stateDir];
}

interface Tasks {
  rows: WorkerRow[];
  marks: Marks;
  /** Of one that somebody works on. */
  lock: string | null;
}

/** Marked before they are read. */
async function tasksIn(platform: Platform, stateDir: string): Promise<Tasks> {
  const listed = await listTasks(platform, stateDir);
  const marks = await markFiles(platform, [join(stateDir, TASKS_FOLDER), ...listed.flatMap((task) => task.files)]);
  const held = listed.find(({ lock }) => marks[lock] !== 'missing');
  return { rows: await workerRows(platform, stateDir), marks, lock: held?.lock ?? null };
}

const NOTHING_ELSE: StatusAnswer = { report: {}, text: '' };

function withWorkers({ report, text }: StatusAnswer, rows: readonly WorkerRow[]): StatusAnswer {
  if (rows.length === 0) return { report, text };
  return {
    report: { ...(report as object), workers: rows },
    text: [text, workerLines(rows).join('\n')].filter((part) => part !== '').join('\n\n'),
  };
}

/** A mission without a project around it is what there is to tell. */
async function missionAnswer(documents: Documents, config: Config): Promise<StatusAnswer | null> {
  const mission = await documents.read('mission', { writer: false });
  if (mission === null) return null;
  const report = await missionStatus({ documents, config }, mission);
  return { report: { mission: report }, text: describeMission(report) };
}

function documentsIn(platform: Platform, stateDir: string, onNewerState: 'abort' | 'warn'): Documents {
  return openDocuments(platform, folderStore(platform, stateDir), { onNewerState });
}

/** A session of another flow needs no project around it. */
async function flowWithoutProject(platform: Platform, root: string): Promise<(StatusAnswer & { marks: Marks; lock: string }) | null> {
  const stateDir = join(root, '.harness');
  if (await platform.files.exists(join(root, CONFIG_FILE))) return null;
  const documents = documentsIn(platform, stateDir, 'abort');
  const marks = await markFiles(platform, [documents.where('session')]);
  const workers = await tasksIn(platform, stateDir);
  const flow = await flowStatus(documents);
  if (flow === null && workers.rows.length === 0) return null;
  const answer = flow === null ? NOTHING_ELSE : { report: { flow: flow.report }, text: flow.text };
  return { ...withWorkers(answer, workers.rows), marks: { ...marks, ...workers.marks }, lock: workers.lock ?? join(stateDir, 'lock') };
}

function describe(status: StatusReport): string {
  const { passing, total, skipped, unverified } = status.features;
  const percent = total === 0 ? 0 : Math.floor((100 * passing) / total);
  const rows: [string, string][] = [
    ['Project', status.project],
    ['Session', `${status.session} (${status.status}${status.last_outcome === null ? '' : `, ${status.last_outcome}`})`],
    [
      'Features',
      `${passing}/${total} passing (${percent}%)${skipped > 0 ? `, ${skipped} set aside` : ''}${unverified.length > 0 ? `, ${unverified.length} on a person's word alone` : ''}`,
    ],
    ['Tests', status.tests === null ? 'no baseline yet' : `${status.tests.passing}/${status.tests.total} passing in the baseline`],
    [
      'Lint',
      status.lint === null
        ? 'not run yet (harness health)'
        : `${counted(status.lint.errors, 'error')}, ${counted(status.lint.warnings, 'warning')} last time`,
    ],
    ['Health', status.health],
    ['Now', status.current],
    ...(status.lanes.length < 2 ? [] : status.lanes.map(laneRow)),
    ...(status.said.length === 0 ? [] : [['Said', `${counted(status.said.length, 'message')} not heard yet`] satisfies [string, string]]),
    ...(status.questions.length === 0 ? [] : [['Questions', `${status.questions.join(', ')} (harness gates)`] satisfies [string, string]]),
    ['Next prompt', status.next_in_words],
    ['Stuck count', String(status.stuck_count)],
    ['Costs', describeCosts(status.costs)],
  ];
  return rows.map(([name, value]) => `${`${name}:`.padEnd(13)}${cleanLine(value)}`).join('\n');
}

function laneRow({ lane, session, feature, phase, addresses }: StatusReport['lanes'][number]): [string, string] {
  const name = lane === null ? 'Lane' : `Lane ${lane.replace(/^lane-/, '')}`;
  return [name, `session ${session}, ${feature === null ? 'cleanup' : `feature #${feature}`}, ${[phase, ...addresses].join(', ')}`];
}

function describeCosts(costs: StatusReport['costs']): string {
  const parts = [`${dollars(costs.total_usd)} of ${dollars(costs.budget_usd)}`];
  if (costs.last_session_usd !== null) parts.push(`${dollars(costs.last_session_usd)} in the last session`);
  if (costs.sessions_without_cost > 0) parts.push(`without ${counted(costs.sessions_without_cost, 'session')} of unknown cost`);
  return parts.join(', ');
}
