/** The state document at the start of a command that writes: read, or rebuilt from the journal, and the journal completed from it. */
import { join } from 'node:path';
import { HARNESS_VERSION } from '../../domain/version.ts';
import type { ProjectState } from '../../domain/session.ts';
import { SessionRecordSchema } from '../../domain/session-record.ts';
import { STATE_FILE } from '../../kernel/documents/catalogue.ts';
import { keptWork } from '../../kernel/flight/keep-work.ts';
import { spentBy } from '../../kernel/books/spent.ts';
import type { Project } from './project.ts';
import { rebuildState } from './machine/rebuild-state.ts';
import { readState } from './state-files.ts';

export async function readOrRebuild(project: Project): Promise<ProjectState> {
  const { documents } = project;
  if (await documents.has('state')) return await completeJournal(project, await readState(project, { writer: true }));
  const aside = (await documents.setAside('state')).at(-1);
  const records = aside === undefined ? [] : await project.history.sessions().catch(() => []);
  if (aside === undefined || records.length === 0) return await readState(project, { writer: true });
  const state = rebuildState({
    records,
    kept: await keptWork(project),
    harnessVersion: HARNESS_VERSION,
    now: project.now(),
  });
  await documents.write('state', state);
  project.emit({
    type: 'state.recovered',
    what: `${STATE_FILE}, which was set aside as ${aside}`,
    action: `rebuilt from the records of ${records.length} session${records.length === 1 ? '' : 's'}`,
  });
  project.emit({
    type: 'warning',
    message: `The journal does not tell which features you had set aside or overridden, and whether the project was paused, handed over or waiting for an answer: say so again where it matters (harness skip, override, pause). The old text is in ${join(project.stateDir, aside)}.`,
  });
  return state;
}

/** A record that the journal does not have yet is written now. */
async function completeJournal(project: Project, state: ProjectState): Promise<ProjectState> {
  const record = SessionRecordSchema.safeParse(state.last_record);
  if (!record.success || project.journal === null) return state;
  const { session_id: session, feature_id: feature, outcome, reasons, cost_usd, commit, verdict } = record.data;
  const latest = await project.history.sessions(20);
  if (latest.some((known) => known.session_id === session)) return state;
  project.journal.session(record.data);
  project.emit({
    type: 'session.end',
    session,
    feature,
    outcome,
    reasons,
    duration_ms: record.data.duration_seconds * 1000,
    cost_usd,
    usage: spentBy(record.data.tokens_used, cost_usd).usage,
    ...(commit === null ? {} : { commit }),
    ...(verdict === null ? {} : { verdict }),
    message: 'recorded after the harness was cut off',
  });
  await project.journal.flush();
  return state;
}
