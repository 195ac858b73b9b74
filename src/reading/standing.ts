/**
 * Where a place stands: project, mission, the session of a flow, the tasks of workers. Read without the lock and without running anything.
 *
 * 1. Settings and state are checked; what they were read from is marked first, so that a change during the reading shows.
 * 2. A place without settings may still have the session of a flow, or workers.
 */
import { join, resolve } from 'node:path';
import { CONFIG_FILE, loadConfig } from '../config/read-config.ts';
import { harnessHome } from '../config/user-settings.ts';
import { missionStatus, type MissionStatus } from '../flows/mission/people/status.ts';
import { lastLintFile } from '../flows/project/look/last-lint.ts';
import { projectStatus, type StatusReport } from '../flows/project/look/status.ts';
import { workerRows, type WorkerRow } from '../flows/worker/look.ts';
import { openDocuments, type Documents } from '../kernel/documents/documents.ts';
import { SIZES_FILE } from '../kernel/flight/memory-files.ts';
import { listTasks } from '../kernel/list-tasks.ts';
import { TASKS_FOLDER } from '../kernel/task-lane.ts';
import { tryGit } from '../platform/git.ts';
import { markFiles, type Marks } from '../platform/mark-files.ts';
import { isoNow, type Platform } from '../platform/platform.ts';
import { folderShelf, folderStore } from '../store/folder-store.ts';
import { flowStatus, type FlowStatus } from './flow-status.ts';
import { findStateDir } from './state-dir.ts';

export interface Standing {
  /** Null: no feature list. */
  project: StatusReport | null;
  mission: MissionStatus | null;
  flow: FlowStatus | null;
  workers: readonly WorkerRow[];
  /** Of everything it was read from. */
  marks: Marks;
  /** While this file is there, nothing of it may be remembered. */
  lock: string;
}

export async function readStanding(platform: Platform, root: string): Promise<Standing> {
  const settings = await markFiles(platform, [join(root, CONFIG_FILE), ...(await placesOfState(platform, root))]);
  const bare = await withoutSettings(platform, root);
  if (bare !== null) return { ...bare, marks: { ...settings, ...bare.marks } };
  const { config } = await loadConfig(platform, root);
  const stateDir = join(root, config.paths.state_dir);
  const home = harnessHome(platform);
  const documents = documentsIn(platform, stateDir, config.compatibility.on_newer_state);
  const marks = await markFiles(platform, [
    join(root, config.paths.features),
    join(root, '.git', 'HEAD'),
    ...(['session', 'mission', 'gates', 'state', 'costs', 'baseline', 'requests', 'follow'] as const).map((name) => documents.where(name)),
    join(stateDir, SIZES_FILE),
    lastLintFile(home, root),
  ]);
  const { rows: workers, ...tasks } = await tasksIn(platform, stateDir);
  const hasList = await platform.files.exists(join(root, config.paths.features));
  const written = await documents.read('mission', { writer: false });
  const mission = written === null ? null : await missionStatus({ documents, config }, written);
  // Without a list, a mission or workers are what there is to tell; without any of them, the missing list is the answer.
  const isProject = hasList || (mission === null && workers.length === 0);
  const now = (): string => isoNow(platform.clock);
  return {
    project: isProject
      ? await projectStatus({ platform, root, config, shelf: folderShelf(platform, stateDir), documents, harnessHome: home, now })
      : null,
    mission,
    flow: isProject ? await flowStatus(documents) : null,
    workers,
    marks: { ...settings, ...marks, ...tasks.marks },
    lock: tasks.lock ?? join(stateDir, 'lock'),
  };
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

function documentsIn(platform: Platform, stateDir: string, onNewerState: 'abort' | 'warn'): Documents {
  return openDocuments(platform, folderStore(platform, stateDir), { onNewerState });
}

/** A session of another flow needs no project around it. Null: there is neither, or there are settings. */
async function withoutSettings(platform: Platform, root: string): Promise<Standing | null> {
  if (await platform.files.exists(join(root, CONFIG_FILE))) return null;
  const stateDir = join(root, '.harness');
  const documents = documentsIn(platform, stateDir, 'abort');
  const marks = await markFiles(platform, [documents.where('session')]);
  const { rows: workers, ...tasks } = await tasksIn(platform, stateDir);
  const flow = await flowStatus(documents);
  if (flow === null && workers.length === 0) return null;
  const lock = tasks.lock ?? join(stateDir, 'lock');
  return { project: null, mission: null, flow, workers, marks: { ...marks, ...tasks.marks }, lock };
}
