/** What follows from an event once it is in the state: the journal's records, and requests that are fulfilled. */
import type { HarnessEvent } from '../../domain/event.ts';
import { switchReason } from '../../kernel/fallback/away.ts';
import { priceLabel } from '../../kernel/fallback/flight-agent.ts';
import { isAcceptedByPerson } from '../../kernel/flight/machine.ts';
import { tellCutOff } from '../../kernel/flight/leftovers.ts';
import type { SessionRecord } from '../../domain/session-record.ts';
import { flightOf, flightsOf, focused } from './machine/lanes.ts';
import type { Running, RunEvent } from './machine/running.ts';
import type { Project } from './project.ts';
import { mustHave } from '../../domain/must-have.ts';

export async function tell(project: Project, event: RunEvent, after: Running, before: Running): Promise<void> {
  if (after.project.paused && !before.project.paused) await project.documents.requests.drop('pause');
  if (event.type === 'taken.up') await project.documents.requests.drop({ id: event.request });
  tellSwitch(project, after, before);
  if (event.type === 'flown')
    return await tell(project, event.event, after, { ...before, project: focused(before.project, event.session) });
  if (event.type === 'reopened')
    for (const flight of flightsOf(before.project).filter(
      ({ session }) => !flightsOf(after.project).some((one) => one.session === session),
    ))
      tellCutOff(project, flight, 'dropped: its agent had not started');
  if (event.type === 'returned') tellReturn(project, event);
  if (event.type === 'settled') await tellSession(project, event, after, before);
}

/** A flight has begun whose agent is not the one of the flight before. */
function tellSwitch(project: Project, after: Running, before: Running): void {
  const [first] = project.rules.agents?.agents ?? [];
  if (first === undefined || after.run.switches === before.run.switches) return;
  const agents = mustHave(after.project.agents, 'a flight names its agent');
  const [from, to] = [before.project.agents?.last ?? first, agents.last];
  project.emit({
    type: 'agent.switched',
    session: after.project.last_session,
    from,
    to,
    why: switchReason(agents.away, from, to),
    price: priceLabel(project.config, to),
    first: after.run.switches === 1,
  });
}

function tellReturn(project: Project, { checkpoint, saved_as, before, commits }: Extract<RunEvent, { type: 'returned' }>): void {
  project.emit({ type: 'checkpoint.restored', id: checkpoint, saved_as });
  project.emit({
    type: 'rollback_completed',
    checkpoint_id: checkpoint,
    rolled_back_commits: commits,
    restored_to_session: before,
  });
  project.emit({
    type: 'decision',
    session: null,
    text: `rolled back to checkpoint ${checkpoint} (before session ${before})`,
    by: 'user',
  });
}

async function tellSession(
  project: Project,
  event: Extract<RunEvent, { type: 'settled' }>,
  after: Running,
  before: Running,
): Promise<void> {
  const flight = flightOf(before.project);
  if (event.closing === undefined || event.closing === null || isAcceptedByPerson(flight)) return;
  const record = after.project.last_record as unknown as SessionRecord;
  project.journal?.session(record);
  const { spent, message } = event.closing;
  const end: HarnessEvent = {
    type: 'session.end',
    session: flight.session,
    feature: flight.feature,
    outcome: record.outcome,
    reasons: record.reasons,
    duration_ms: Math.max(0, Date.parse(record.ended_at) - Date.parse(record.started_at)),
    cost_usd: spent.cost_usd,
    usage: spent.usage,
  };
  if (typeof record.commit === 'string') end.commit = record.commit;
  if (flight.verdict !== null) end.verdict = flight.verdict;
  const words = flight.cut_off === null ? message : 'continued after the harness was cut off';
  if (words !== '') end.message = words;
  project.emit(end);
  await project.journal?.flush();
}
