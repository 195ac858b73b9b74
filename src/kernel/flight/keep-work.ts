/** Keeps unfinished work for the next session: the captured tree, with the trusted feature list and a note in the progress file. */
import { featureLabel } from '../../domain/feature-name.ts';
import type { Feature } from '../../domain/feature.ts';
import type { Reason } from '../../domain/reasons.ts';
import type { Flight } from '../../domain/session.ts';
import type { TreeEdit } from '../../domain/tree.ts';
import { listWip, saveWip } from '../../workspace/wip.ts';
import type { Brief, FlightPlace } from './contract.ts';

export type KeptWork = { feature: number; ref: string; tree: string; message: string; session: number; conflict?: string[] };

/** Null: there was nothing to keep, or the settings say so. */
export async function keepWork(
  place: FlightPlace,
  flight: Pick<Flight, 'session' | 'tree'> & Partial<Pick<Flight, 'conflict'>>,
  brief: Pick<Brief, 'feature' | 'head' | 'list'>,
  reason: Reason,
): Promise<KeptWork | null> {
  const { feature, head, list } = brief;
  const { progress } = place.config.paths;
  if (feature === null || flight.tree === null || !savesWork(place, reason)) return null;
  const edits: TreeEdit[] = list === null ? [] : [{ path: list.path, kind: 'write', content: list.text }];
  const changed = await place.trees.diff(head.tree, await place.trees.compose(flight.tree, edits));
  const note = progressNote(reason, flight.session, feature.id);
  // A full window is worth a note also where nothing else is left: the next session goes on instead of beginning anew.
  const tells = reason === 'context_limit' && note !== null && place.config.context.on_limit.append_to_progress;
  if (changed.length === 0 && !tells) return null;
  if (note !== null && place.config.context.on_limit.append_to_progress) {
    const before = (await place.trees.read(flight.tree, progress))?.toString('utf8') ?? '';
    edits.push({ path: progress, kind: 'write', content: `${before}${before === '' || before.endsWith('\n') ? '' : '\n'}${note}\n` });
  }
  const tree = await place.trees.compose(flight.tree, edits);
  const message = wipMessage(place, reason, feature);
  const saved = await saveWip(place.platform, { home: place.home, feature: feature.id, tree, base: head.commit, message });
  place.emit({ type: 'wip.saved', session: flight.session, feature: feature.id, ref: saved.ref, tree, message });
  const conflict = flight.conflict ?? null;
  return { feature: feature.id, ref: saved.ref, tree, message, session: flight.session, ...(conflict === null ? {} : { conflict }) };
}

/** All that is kept, by feature. */
export function keptWork({
  platform,
  home,
}: Pick<FlightPlace, 'platform' | 'home'>): Promise<Pick<KeptWork, 'feature' | 'ref' | 'tree'>[]> {
  return listWip(platform, home);
}

function savesWork(place: FlightPlace, reason: Reason): boolean {
  if (reason === 'context_limit') return place.config.context.on_limit.auto_commit;
  if (reason === 'timeout') return place.config.session.on_timeout.auto_commit;
  return true;
}

function wipMessage(place: FlightPlace, reason: Reason, feature: Feature): string {
  const what = `feature ${featureLabel(feature.id)}: ${feature.description.replace(/\s+/g, ' ')}`.slice(0, 120);
  if (reason === 'context_limit') return `${place.config.context.on_limit.commit_message_prefix}${what}`;
  if (reason === 'timeout') return `${place.config.session.on_timeout.message_prefix}${what}`;
  return `WIP: ${reason} - ${what}`;
}

const ENDED_BY_HARNESS: Partial<Record<Reason, string>> = {
  context_limit: 'the context window was full',
  timeout: 'the time limit was reached',
  stuck: 'there was no progress',
  repeated_error: 'the same error kept coming back',
  stalled: 'the agent fell silent',
  'budget.session': 'the budget of the session was used up',
  'budget.feature': 'the budget of the feature was used up',
  'budget.project': 'the budget of the project was used up',
  'budget.purse': "the purse of the fleet's account was used up",
};

function progressNote(reason: Reason, session: number, feature: number): string | null {
  const why = ENDED_BY_HARNESS[reason];
  return why === undefined
    ? null
    : `\nSESSION TERMINATED: session ${session} on feature ${featureLabel(feature)} was ended by the harness because ${why}. The work so far is kept.`;
}
