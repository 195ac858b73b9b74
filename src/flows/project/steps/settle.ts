/** The end of a flight as the project sees it: a session, or a candidate that a person had accepted. */
import type { Flight } from '../../../domain/session.ts';
import { renewBaseline } from '../../../kernel/flight/baseline.ts';
import type { Brief } from '../../../kernel/flight/contract.ts';
import { isAcceptedByPerson } from '../../../kernel/flight/machine.ts';
import { settle as settleFlight, type Landed } from '../../../kernel/flight/steps/settle.ts';
import { readVerdict } from '../../../kernel/flight/verdict-files.ts';
import { tokensOf } from '../../../domain/money.ts';
import type { Closing, Ending } from '../machine/settlement.ts';
import type { RunEvent } from '../machine/running.ts';
import { pendingFor } from '../people/pending.ts';
import { syncAfterSession } from '../mirror.ts';
import { publishAfterSession } from '../pulls.ts';
import type { Project } from '../project.ts';
import { inPhase } from '../../../domain/must-have.ts';

export async function settle(project: Project, flight: Flight, brief: Brief): Promise<RunEvent> {
  const landed = await settleFlight(project, flight, brief);
  if (isAcceptedByPerson(flight)) return await settleAccepted(project, flight, landed, brief.open);
  await syncAfterSession(project, flight);
  await publishAfterSession(project, flight);
  const { spent, model, backend, end } = landed;
  const closing: Closing = { spent: { ...spent, tokens: tokensOf(spent.usage) }, model, backend, message: end.message };
  return { type: 'settled', ending: endingOf(flight, landed, brief.open), closing };
}

function endingOf(flight: Flight, { end, kept }: Landed, open: number): Ending {
  const { reasons } = end;
  switch (end.kind) {
    case 'verified':
      return { kind: 'verified', commit: inPhase(flight, 'commit'), open };
    case 'needs_human':
      return { kind: 'needs_human', reasons, pending: pendingFor(flight, reasons) };
    case 'rejected':
      return { kind: 'rejected', reasons, wip: kept };
    case 'partial':
      return { kind: 'partial', reasons, wip: kept, outage: end.outage };
    case 'not_started':
      return { kind: 'not_started', reasons };
    case 'cut_off':
      return { kind: 'cut_off', wip: kept };
  }
}

/** What a person let through was judged with trusted files in place of some of its own: what passes now is asked again. */
async function settleAccepted(project: Project, flight: Flight, { end, kept }: Landed, open: number): Promise<RunEvent> {
  if (end.kind !== 'verified') {
    project.emit({ type: 'warning', message: `the accepted candidate can no longer land: ${end.message}` });
    return { type: 'stale', wip: kept };
  }
  const commit = inPhase(flight, 'commit');
  const tree = inPhase(flight, 'tree');
  await renewBaseline(project, { commit, tree }, flight.session, { noCache: false });
  await syncAfterSession(project, flight);
  await publishAfterSession(project, flight);
  const vouched = (await readVerdict(project, inPhase(flight, 'verdict')))?.decision === 'rejected';
  return { type: 'settled', ending: { kind: 'verified', commit, open, vouched }, closing: null };
}
