/** A session in the user's own working tree: lent for as long as the agent's work lies there, and put back before anything lands or ends. */
import { join } from 'node:path';
import { NOTHING_HELD } from '../../workspace/held-copy.ts';
import { counted } from '../../domain/counted.ts';
import { usageError } from '../../domain/errors.ts';
import type { Flight } from '../../domain/session.ts';
import { chosenSandbox } from '../../platform/sandbox.ts';
import { lendWorkingTree, openLoans, returnWorkingTree, workOfLoan, type Loan } from '../../workspace/loan.ts';
import type { Place } from '../place.ts';
import { captureAgentWork } from './agent-session.ts';
import type { Brief, FlightPlace } from './contract.ts';

export function worksInPlace({ config }: Pick<Place, 'config'>, flight: Pick<Flight, 'lane'>): boolean {
  return config.workspace.mode === 'in_place' && flight.lane === null;
}

/** For what works in lanes only. `what` begins the sentence. */
export function refuseInPlace({ config }: Pick<Place, 'config'>, what: string): void {
  if (config.workspace.mode !== 'in_place') return;
  throw usageError(`.harness.yaml: workspace.mode is in_place, and ${what}.`, 'Set workspace.mode: copy there.');
}

/** Only a sandbox can keep the agent from the user's git directory. */
export async function lendHome(place: FlightPlace, session: number, base: string, start: string): Promise<void> {
  const { platform, home, config } = place;
  const sandbox = await chosenSandbox(platform, config.sandbox.mode);
  if (!sandbox.hides)
    throw usageError(
      `.harness.yaml: workspace.mode is in_place, which needs a sandbox to keep the agent from your git directory, and there is none: ${sandbox.detail}`,
      'Set workspace.mode: copy, or make the sandbox work (harness doctor).',
    );
  if (home.gitDir !== home.commonDir || !home.gitDir.startsWith(`${home.root}/`))
    throw usageError(
      `.harness.yaml: workspace.mode is in_place, which does not work in a linked worktree (${home.root}).`,
      'Set workspace.mode: copy.',
    );
  await lendWorkingTree(platform, loanOf(place, session), base, start);
}

export async function captureHome(
  place: FlightPlace,
  flight: Flight,
  { head }: Pick<Brief, 'head'>,
): Promise<Awaited<ReturnType<typeof workOfLoan>>> {
  const captured = await captureAgentWork(
    place,
    { path: place.home.root, held: NOTHING_HELD },
    { session: flight.session, baseTree: head.tree },
  );
  return await workOfLoan(loanOf(place, flight.session), head.commit, captured);
}

export async function takeHomeBack(place: FlightPlace, session: number): Promise<void> {
  const changed = await returnWorkingTree(place.platform, loanOf(place, session));
  if (changed !== null && changed > 0)
    place.emit({
      type: 'progress',
      message: `your working tree is as it was before the session (${counted(changed, 'file')}); what the agent left is kept under refs/harness/saved/loan-${session}`,
    });
}

/** Of sessions that a process died over before they began. */
export async function takeBackLeftLoans(place: FlightPlace, flying: readonly number[]): Promise<void> {
  for (const session of await openLoans(place.platform, place.home)) if (!flying.includes(session)) await takeHomeBack(place, session);
}

function loanOf({ home, trees, stateDir }: FlightPlace, session: number): Loan {
  return { home, store: trees, session, aside: join(stateDir, 'left', `session-${session}`) };
}
