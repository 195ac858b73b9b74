/** For tests only: a project in whose repository single steps are performed. Real git and files; documents in memory. */
import type { ProjectState } from '../../domain/session.ts';
import { HARNESS_VERSION } from '../../domain/version.ts';
import { openFlightBench, STARTED, type FlightBench } from '../../kernel/flight/test-support.ts';
import { initialState } from './machine/document.ts';
import { beginRun, type Run, type Running } from './machine/running.ts';
import type { Pending } from './people/pending.ts';
import type { Escalated } from './people/followed.ts';
import { asProject, type Project } from './project.ts';

export interface ProjectBench extends FlightBench {
  project: Project;
  state(change?: Partial<ProjectState>): ProjectState;
  /** A run of one session, unless it says otherwise. */
  running(state?: Partial<ProjectState>, run?: Partial<Run>): Running;
  /** A candidate that waits: its verdict is on the disk. */
  candidate(change?: Partial<Pending>): Promise<Pending>;
}

export async function openProjectBench(settings = '', files: Readonly<Record<string, string>> = {}): Promise<ProjectBench> {
  const bench = await openFlightBench(settings, files);
  const { live, laneRooms } = bench.place;
  const state: ProjectBench['state'] = (change = {}) => ({ ...initialState(HARNESS_VERSION, STARTED), ...change });
  return {
    ...bench,
    project: { ...asProject(bench.place), live, laneRooms },
    state,
    running: (change, run = {}) => ({
      project: state(change),
      run: { ...beginRun({ wanted: 1, cleanup: false, knownSound: true }), ...run },
    }),
    candidate: async (change = {}) => {
      const tree = await bench.tree({ 'src/new.txt': 'new\n' });
      const verdict = await bench.verdict({ decision: 'needs_human', reasons: ['hidden.failed'], candidate_tree: tree });
      const { commit: base } = bench.head();
      return { session: 3, feature: 1, base, branch: 'main', tree, verdict: verdict.id, gate: 'project.review', ...change };
    },
  };
}

/** Feature 1 is stuck, and a person is asked. */
export const STUCK: Escalated = { gate: 'project.stuck', feature: 1, facts: { feature: 1, sessions: 3 }, message: 'Feature #1 is stuck.' };
