/** What a project has behind it, read without the lock and without running anything. */
import { join } from 'node:path';
import type { Feature } from '../../../domain/feature.ts';
import type { Gate } from '../../../domain/gate.ts';
import type { ProjectState } from '../../../domain/session.ts';
import { waitingGates, recordedAnswers } from '../../../gates/gate-files.ts';
import { onceEach, type PastRecord } from '../../../kernel/books/sums.ts';
import { checkFeatureList, type Project } from '../project.ts';
import { readState } from '../state-files.ts';

export interface Past {
  project: string;
  features: readonly Feature[];
  state: ProjectState;
  /** Oldest first; a session that was recorded again after a crash stands once. */
  sessions: readonly PastRecord[];
  /** What came onto the branch, oldest first: also work that a person accepted after its session. */
  landings: readonly Landing[];
  /** What waits for a person, oldest first. */
  questions: readonly Gate[];
  /** What people answered and no run has carried out yet. */
  answers: ReadonlyMap<string, string | null>;
}

export interface Landing {
  at: string;
  feature: number | null;
  commit: string;
}

export async function readPast(project: Project): Promise<Past> {
  const { platform, config, history } = project;
  const [text, state, records, landed, questions, answers] = await Promise.all([
    platform.files.readTextIfExists(join(project.root, config.paths.features)),
    readState(project, { writer: false }),
    history.all(),
    history.events('type=commit.created'),
    waitingGates(project.documents.folder('gates')),
    recordedAnswers(project.documents.folder('gates')),
  ]);
  const { list } = checkFeatureList(project, text, config.paths.features, { skipped: 'all' });
  return {
    project: config.project.name,
    features: list.features,
    state,
    sessions: onceEach(records),
    landings: landed.map(landingOf),
    questions,
    answers,
  };
}

type Entry = Awaited<ReturnType<Project['history']['events']>>[number];

function landingOf(entry: Entry): Landing {
  return { at: entry.ts, feature: typeof entry['feature'] === 'number' ? entry['feature'] : null, commit: String(entry['commit'] ?? '') };
}
