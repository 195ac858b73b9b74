/** The state document at the start of a command that writes: read, or rebuilt from the journal, and the journal completed from it. */
import { join } from 'node:path';
import { HARNESS_VERSION } from '../../domain/version.ts';
import type { ProjectState } from '../../domain/session.ts';
import { sessionRecords } from '../../journal/query.ts';
import { SessionRecordSchema, type SessionRecord } from '../../domain/session-record.ts';
import { isoNow } from '../../platform/platform.ts';
import { listWip } from '../../workspace/wip.ts';
import { spentBy } from '../../kernel/books/spent.ts';
import type { Project } from './project.ts';
import { rebuildState } from './machine/rebuild-state.ts';
import { readState, STATE_FILE, writeState } from './state-files.ts';

export async function readOrRebuild(project: Project): Promise<ProjectState> {
  const { platform, stateDir } = project;
  const path = join(stateDir, STATE_FILE);
  if (await platform.files.exists(path)) return await completeJournal(project, await readState(project, { writer: true }));
  const aside = (await platform.files.list(stateDir))
    .map((entry) => entry.name)
    .filter((name) => name.startsWith(`${STATE_FILE}.unreadable-`))
    .toSorted()
    .at(-1);
  const records = aside === undefined ? [] : await recordsOf(project);
  if (aside === undefined || records.length === 0) return await readState(project, { writer: true });
  const state = rebuildState({
    records,
    kept: await listWip(platform, project.home),
    harnessVersion: HARNESS_VERSION,
    now: isoNow(platform.clock),
  });
  await writeState(platform, stateDir, state);
  project.emit({
    type: 'state.recovered',
    what: `${STATE_FILE}, which was set aside as ${aside}`,
    action: `rebuilt from the records of ${records.length} session${records.length === 1 ? '' : 's'}`,
  });
  project.emit({
    type: 'warning',
    message: `The journal does not tell which features you had set aside or overridden, and whether the project was paused, handed over or waiting for an answer: say so again where it matters (harness skip, override, pause). The old text is in ${join(stateDir, aside)}.`,
  });
  return state;
}

/** A record that the journal does not have yet is written now. */
async function completeJournal(project: Project, state: ProjectState): Promise<ProjectState> {
  const record = SessionRecordSchema.safeParse(state.last_record);
  if (!record.success || project.journal === null) return state;
  const { session_id: session, feature_id: feature, outcome, reasons, cost_usd, commit, verdict } = record.data;
  const latest = await sessionRecords(project.platform, join(project.stateDir, 'logs'), 20);
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

async function recordsOf(project: Project): Promise<SessionRecord[]> {
  return await sessionRecords(project.platform, join(project.stateDir, 'logs')).catch(() => []);
}
