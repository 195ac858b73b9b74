/**
 * Accepted work whose branch went on during the session is merged into the new commit, to be judged there like any claim.
 *
 * 1. The list is never merged as text: the new commit's list stands, with the one flag of the claim.
 * 2. A conflict, or a feature that changed or is gone, ends it: the work is kept.
 */
import { notesOf } from '../keep-work.ts';
import { inPhase } from '../../../domain/must-have.ts';
import type { Flight } from '../../../domain/session.ts';
import { gitLine } from '../../../platform/git.ts';
import { HARNESS_IDENTITY } from '../../../workspace/commit.ts';
import { pinTree } from '../../../workspace/capture.ts';
import { harnessRef } from '../../../workspace/refs.ts';
import { mergeInto } from '../../../workspace/replay.ts';
import type { Brief, FlightPlace, Head } from '../contract.ts';
import { headOf } from '../../ground/head.ts';
import { sinceWhen, type FlightEvent } from '../machine.ts';

/** `now`: the same brief where the branch stands now; a text says why it is not the same task there. */
export async function move(place: FlightPlace, flight: Flight, brief: Brief, now: Brief | string): Promise<FlightEvent> {
  if (typeof now === 'string') return stranded(flight, now);
  const { head } = now;
  const merged = await mergeWork(place, flight, brief, head);
  if (merged.kind === 'conflict')
    return {
      ...stranded(flight, `the same places were changed there (${merged.paths.slice(0, 5).join(', ')})`),
      conflict: merged.paths.slice(0, MOST_PATHS),
    };
  if (merged.kind === 'unsupported') return stranded(flight, `this git cannot merge it by itself (${merged.detail})`);
  place.emit({
    type: 'progress',
    message: `branch ${head.branch} moved ${sinceWhen(flight)}: the work is brought onto ${head.commit.slice(0, 10)} and judged again`,
  });
  const tree = now.list === null ? merged.tree : await withList(place, merged.tree, { path: now.list.path, text: now.list.accepted });
  await pinTree(place.platform, place.home, {
    tree,
    parent: null,
    ref: harnessRef('candidates', flight.session),
    message: `harness: work of session ${flight.session} on the moved branch`,
  });
  return { type: 'rebased', base: now.tip ?? head.commit, tree };
}

/** Whether accepted work would collide with what the branch has by now: then nothing more is paid for it before that is settled. */
export async function collides(place: FlightPlace, flight: Flight, brief: Brief): Promise<boolean> {
  const head = await headOf(place);
  if (head === null || head.branch !== flight.branch || head.commit === brief.head.commit) return false;
  return (await mergeWork(place, flight, brief, head)).kind === 'conflict';
}

const MOST_PATHS = 50;

function stranded(flight: Flight, why: string): Extract<FlightEvent, { type: 'stranded' }> {
  return { type: 'stranded', reason: 'git.moved', message: `branch ${flight.branch} moved ${sinceWhen(flight)}: ${why}; the work is kept` };
}

/** The work over its base, without what it says in the list, merged into the new commit. */
async function mergeWork(place: FlightPlace, flight: Flight, brief: Brief, onto: Pick<Head, 'commit'>): ReturnType<typeof mergeInto> {
  const tree = brief.list === null ? inPhase(flight, 'tree') : await withList(place, inPhase(flight, 'tree'), brief.list);
  const commit = await gitLine(place.platform, ['commit-tree', tree, '-p', brief.head.commit], {
    cwd: place.home.root,
    stdin: 'harness: work to be moved\n',
    env: HARNESS_IDENTITY,
  });
  return await mergeInto(place.platform, place.home, { onto: onto.commit, commit }, notesOf(place));
}

async function withList(
  place: FlightPlace,
  tree: string,
  { path, text }: Pick<NonNullable<Brief['list']>, 'path' | 'text'>,
): Promise<string> {
  return await place.trees.compose(tree, [{ path, kind: 'write', content: text }]);
}
