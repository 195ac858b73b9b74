/** From captured work to a verdict: the tree that would be committed is put together first, and exactly that tree is judged. */
import { counted } from '../../domain/counted.ts';
import type { Baseline, Flight } from '../../domain/session.ts';
import type { CaptureFinding, TreeEdit } from '../../domain/tree.ts';
import type { Verdict } from '../../domain/verdict.ts';
import { describeVerdict } from '../../prompts/describe-verdict.ts';
import { judgeOnRecord } from '../../verify/judge.ts';
import { examinerFor } from '../roles/examiner.ts';
import { harnessRef } from '../../workspace/refs.ts';
import type { Brief, FlightPlace } from './contract.ts';
import { runContext } from './run-context.ts';
import { strayFiles } from './stray-files.ts';
import { readLedger, writeJudgement } from './verdict-files.ts';

export async function judgeCandidate(
  place: FlightPlace,
  flight: Flight,
  brief: Brief,
  baseline: Baseline | null,
): Promise<{ verdict: Verdict; tree: string }> {
  const { session } = flight;
  const feature = brief.feature?.id ?? null;
  const candidateList = (await place.trees.read(flight.tree!, brief.list.path))?.toString('utf8') ?? null;
  const tree = await landingTree(place, flight, brief, candidateList);
  place.emit({ type: 'verify.start', session, feature, tree });
  const judged = await judgeOnRecord(place.platform, {
    ...runContext(place, place),
    session,
    mode: brief.feature === null ? 'cleanup' : 'feature',
    feature: brief.feature,
    base: brief.head,
    candidate: { tree, findings: flight.findings as CaptureFinding[] },
    features: { trusted: brief.list.text, candidate: candidateList },
    evidence: flight.evidence,
    baseline,
    ledger: await readLedger(place),
    emit: place.emit,
    ...examinerFor(place, flight, brief),
  }).finally(() => place.rooms.dispose());
  const { verdict } = judged;
  await writeJudgement(place, judged);
  const { id, decision, reasons } = verdict;
  place.emit({ type: 'verify.result', session, feature, verdict: id, decision, reasons, messages: describeVerdict(verdict) });
  return { verdict, tree };
}

/** Rooms that a verdict will need, made while the agent is at work. */
export function prepareRooms(place: Pick<FlightPlace, 'rooms'>, tree: string): void {
  for (const name of ['judge', 'base']) place.rooms.prepareAhead?.(tree, { name });
  place.rooms.prepareAhead?.(tree, { name: 'repeat', fresh: true });
}

/** The harness records a claim itself: the trusted list with one flag changed replaces whatever text the agent left. What was left behind stays out. */
async function landingTree(place: FlightPlace, flight: Flight, brief: Brief, candidateList: string | null): Promise<string> {
  const { feature, list } = brief;
  const captured = flight.tree!;
  const stray = await strayFiles(place, captured, brief);
  if (stray.length > 0)
    place.emit({
      type: 'warning',
      message: `${counted(stray.length, 'file')} left out of the commit, because ${stray.length === 1 ? 'it is' : 'they are'} new, outside the sources and mentioned nowhere: ${stray.slice(0, 10).join(', ')}${stray.length > 10 ? ', …' : ''} (kept in ${harnessRef('candidates', flight.session)})`,
    });
  const edits: TreeEdit[] = stray.map((path) => ({ path, kind: 'delete' }));
  if (feature !== null && candidateList !== null) edits.push({ path: list.path, kind: 'write', content: list.accepted });
  return await place.trees.compose(captured, edits);
}
