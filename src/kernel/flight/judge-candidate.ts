/** From captured work to a verdict: the tree that would be committed is put together first, and exactly that tree is judged. */
import { CONTROLS_ROOMS, hasControlsRooms, NEUTRAL_ROOM } from '../../verify/checks/again.ts';
import { counted } from '../../domain/counted.ts';
import type { Baseline, Flight } from '../../domain/session.ts';
import type { CaptureFinding, TreeEdit, TreeStore } from '../../domain/tree.ts';
import type { Finding, Verdict } from '../../domain/verdict.ts';
import { describeVerdict } from '../../prompts/describe-verdict.ts';
import type { JudgeInput } from '../../verify/contract.ts';
import { judgeOnRecord } from '../../verify/judge.ts';
import { furnishAhead } from '../../verify/run/checkout.ts';
import type { Spares } from '../../verify/run/furnished.ts';
import { startParser } from '../../verify/source/parse-javascript.ts';
import { languageOf } from '../../verify/source/source.ts';
import { hasHiddenTests } from '../roles/examiner-consent.ts';
import { examinerFor } from '../roles/examiner.ts';
import { optimiseLate } from '../../platform/optimise-late.ts';
import { chosenSandbox } from '../../platform/sandbox.ts';
import { expectCommit } from '../../workspace/commit.ts';
import { knownLock } from '../../workspace/installs/made-locks.ts';
import { harnessRef } from '../../workspace/refs.ts';
import { readAccepted, rememberLeft } from './accepted-tests.ts';
import type { Brief, FlightPlace } from './contract.ts';
import { keptHidden, writeHidden } from './hidden-files.ts';
import { loneClaim } from './judge-input.ts';
import { acceptedPictures } from './pictures.ts';
import { collides } from './steps/move.ts';
import { runContext, scratchOf } from './run-context.ts';
import { strayFiles } from './stray-files.ts';
import { readLedger, readVerdict, writeJudgement } from './verdict-files.ts';
import { inPhase } from '../../domain/must-have.ts';

export async function judgeCandidate(
  place: FlightPlace,
  flight: Flight,
  brief: Brief,
  baseline: Baseline | null,
): Promise<{ verdict: Verdict; tree: string }> {
  const { session } = flight;
  const feature = brief.feature?.id ?? null;
  const { tree, features } = await landing(place, flight, brief);
  place.emit({ type: 'verify.start', session, feature, tree });
  const spares = await place.live.get(session)?.spares;
  const input: JudgeInput = {
    ...runContext(place, place),
    ...(spares ? { spares } : {}),
    session,
    mode: brief.feature === null ? 'cleanup' : 'feature',
    feature: brief.feature,
    base: brief.head,
    candidate: { tree, findings: flight.findings as CaptureFinding[] },
    features,
    evidence: flight.evidence,
    baseline,
    ledger: await readLedger(place),
    emit: place.emit,
    pictures: acceptedPictures(place),
    accepted: await readAccepted(place, { writer: false }),
    ...((await hasHiddenTests(place)) ? { hidden: keptHidden(place) } : {}),
    ...((await isSettledFirst(place, flight, brief)) ? {} : await examinerFor(place, brief.feature)),
    refused: await refusedBefore(place, flight, brief),
    ...(place.beside === undefined ? {} : { objection: place.beside.objection }),
  };
  const alone = await judgeOnRecord(place.platform, input).finally(() => place.rooms.dispose());
  const judged = await withLock(place, tree, await withSize(place, brief, tree, alone));
  const { verdict } = judged;
  if (verdict.decision === 'accepted') expectCommit(place.platform, place.home);
  await writeHidden(place, verdict.id, brief.feature, judged.hidden);
  await writeJudgement(place, judged);
  await rememberLeft(place, verdict);
  const { id, decision, reasons } = verdict;
  place.emit({ type: 'verify.result', session, feature, verdict: id, decision, reasons, messages: describeVerdict(verdict) });
  return { verdict, tree };
}

/** What the feature's last claim was refused for, in this session or in one before it. */
async function refusedBefore(place: FlightPlace, { refused }: Flight, { refusedBy }: Brief): Promise<Finding[]> {
  const ids = [refused?.verdict, refusedBy].filter((id) => typeof id === 'string');
  const verdicts = await Promise.all(ids.map((id) => readVerdict(place, id)));
  return verdicts.flatMap((verdict) => verdict?.findings ?? []);
}

/** Work of a lane that collides with what has landed goes back to its worker: nobody is paid to examine it before. */
async function isSettledFirst(place: FlightPlace, flight: Flight, brief: Brief): Promise<boolean> {
  return flight.lane !== null && (await hasHiddenTests(place)) && (await collides(place, flight, brief));
}

async function withSize({ trees, config }: FlightPlace, { head, feature }: Brief, tree: string, judged: Judged): Promise<Judged> {
  if (feature === null) return judged;
  const large = await largeChange(trees, head.tree, tree, [config.paths.features, config.paths.progress]);
  return large === null ? judged : { ...judged, verdict: { ...judged.verdict, caveats: [...judged.verdict.caveats, large] } };
}

/** Where the project has no lockfile, the versions that the verdict rests on. */
async function withLock(place: FlightPlace, tree: string, judged: Judged): Promise<Judged> {
  const { platform, trees: store, home, stateDir, harnessHome } = place;
  const lock = await knownLock(platform, { store, tree, trusted: null, root: home.root, stateDir, harnessHome });
  return lock === null ? judged : { ...judged, verdict: { ...judged.verdict, made_lock: { path: lock.path, sha256: lock.hash } } };
}

type Judged = Awaited<ReturnType<typeof judgeOnRecord>>;

/** Rooms that a verdict will need, made before anybody asks for them. */
export async function prepareRooms({ rooms, trees }: Pick<FlightPlace, 'rooms' | 'trees'>, tree: string): Promise<void> {
  for (const name of ['judge', 'base', NEUTRAL_ROOM]) rooms.prepareAhead?.(tree, { name });
  const others = ['repeat', ...(hasControlsRooms(await trees.list(tree)) ? CONTROLS_ROOMS : [])];
  for (const name of others) rooms.prepareAhead?.(tree, { name, fresh: true });
}

/** What a verdict will need, made while the agent is at work. */
export async function prepareVerdict(place: FlightPlace, tree: string): Promise<Spares | null> {
  await prepareRooms(place, tree);
  const isJavascript = (await place.trees.list(tree)).some(({ path }) => languageOf(path) === 'javascript');
  void (isJavascript ? startParser() : Promise.resolve()).then(optimiseLate, optimiseLate);
  const { hides } = await chosenSandbox(place.platform, place.config.sandbox.mode);
  return hides ? await furnishAhead(place.platform, scratchOf(place)) : null;
}

/**
 * The harness records a claim itself: the trusted list with one flag changed replaces whatever text the agent left. Where the claim stands in the
 * agent's reply, the project's list stays as it is on the base. What was left behind stays out.
 */
async function landing(place: FlightPlace, flight: Flight, brief: Brief): Promise<{ tree: string; features: JudgeInput['features'] }> {
  const { feature, list } = brief;
  const captured = inPhase(flight, 'tree');
  const edits = await withoutStray(place, flight, brief);
  if (list === null) {
    const tree = await place.trees.compose(captured, [...edits, ...(await trustedList(place, captured, brief))]);
    return { tree, features: loneClaim('claim', feature).features };
  }
  const candidate = (await place.trees.read(captured, list.path))?.toString('utf8') ?? null;
  if (feature !== null && candidate !== null) edits.push({ path: list.path, kind: 'write', content: list.accepted });
  const tree = edits.length === 0 ? captured : await place.trees.compose(captured, edits);
  return { tree, features: { trusted: list.text, candidate } };
}

async function withoutStray(place: FlightPlace, flight: Flight, brief: Brief): Promise<TreeEdit[]> {
  const stray = await strayFiles(place, inPhase(flight, 'tree'), brief);
  if (stray.length > 0)
    place.emit({
      type: 'warning',
      message: `${counted(stray.length, 'file')} left out of the commit, because ${stray.length === 1 ? 'it is' : 'they are'} new, outside the sources and mentioned nowhere: ${stray.slice(0, 10).join(', ')}${stray.length > 10 ? ', …' : ''} (kept in ${harnessRef('candidates', flight.session)})`,
    });
  return stray.map((path) => ({ path, kind: 'delete' }));
}

async function trustedList({ trees, config }: FlightPlace, captured: string, { head }: Brief): Promise<TreeEdit[]> {
  const path = config.paths.features;
  const [trusted, left] = [await trees.read(head.tree, path), await trees.read(captured, path)];
  if ((trusted === null && left === null) || (trusted !== null && left !== null && trusted.equals(left))) return [];
  return [trusted === null ? { path, kind: 'delete' } : { path, kind: 'write', content: trusted }];
}

/** How large a session's work is, told where it is more than a session usually holds. */
const MOST_FILES = 5;
const MOST_LINES = 300;

/** Null: it fits. Files that every session writes are left out by the caller. */
export async function largeChange(trees: TreeStore, base: string, tree: string, leaveOut: readonly string[]): Promise<string | null> {
  const changes = (await trees.diff(base, tree)).filter(({ path, to }) => to !== null && !leaveOut.includes(path) && !isGenerated(path));
  let added = 0;
  for (const { from, to } of changes) {
    if (to === null) continue;
    const before = from === null ? 0 : linesIn(await trees.readBlob(from.oid));
    added += Math.max(0, linesIn(await trees.readBlob(to.oid)) - before);
  }
  if (changes.length <= MOST_FILES && added <= MOST_LINES) return null;
  return `large for one session: ${counted(changes.length, 'file')} changed, ${counted(added, 'line')} added (usual are up to ${MOST_FILES} and ${MOST_LINES})`;
}

function linesIn(content: Buffer): number {
  let lines = 0;
  for (const byte of content) if (byte === 10) lines++;
  return lines;
}

function isGenerated(path: string): boolean {
  return /(^|\/)(?:package-lock\.json|npm-shrinkwrap\.json|yarn\.lock|pnpm-lock\.yaml|bun\.lockb?|poetry\.lock|uv\.lock|Cargo\.lock|go\.sum)$/.test(
    path,
  );
}
