/** The copy that an agent works in: made, and found again after a crash. */
import { prepareWorkspace, reopenWorkspace, type AgentCopy } from '../../workspace/agent-copy.ts';
import type { Place } from '../place.ts';
import type { Head } from './contract.ts';
import { inTurn } from './in-turn.ts';

/** `lane`: null for sessions that work alone. `more`: what is put into the copy beside the tree. */
export async function prepareCopy(
  place: Place,
  head: Head,
  { tree, lane }: { tree: string; lane: string | null },
  more?: (copy: AgentCopy) => Promise<void>,
): Promise<AgentCopy> {
  const { platform, home, trees: store, harnessHome, stateDir } = place;
  const where = { home, store, harnessHome, stateDir, ...inLane(lane) };
  const copy = await inTurn(`copy ${home.root}`, () =>
    prepareWorkspace(platform, { ...where, base: head.commit, branch: head.branch, tree }),
  );
  await more?.(copy);
  if (copy.dependencies.failed)
    place.emit({ type: 'warning', message: `the dependencies could not be installed for the agent: ${copy.dependencies.detail}` });
  const { path, files_changed, duration_ms } = copy;
  place.emit({ type: 'workspace.prepared', path, files_changed, duration_ms: Math.round(duration_ms) });
  return copy;
}

/** Null: there is none. */
export function reopenCopy(
  { platform, home, harnessHome }: Pick<Place, 'platform' | 'home' | 'harnessHome'>,
  lane: string | null,
): ReturnType<typeof reopenWorkspace> {
  return reopenWorkspace(platform, { home, harnessHome, ...inLane(lane) });
}

function inLane(lane: string | null): { lane?: string } {
  return lane === null ? {} : { lane };
}
