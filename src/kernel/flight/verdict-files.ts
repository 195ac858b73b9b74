/**
 * What judgements leave under `.harness/`: `verdicts/<id>/` with the verdict, its plan, its runs, the differences and the pictures, and the ledger
 * of tests. The ledger of a judgement lies with its verdict until the verdict's commit has landed.
 */
import { HARNESS_VERSION } from '../../domain/version.ts';
import { readFrom, writeTo } from '../../store/document.ts';
import type { Judgement } from '../../verify/judge.ts';
import { LedgerSchema, type Ledger } from '../../verify/memory/ledger.ts';
import type { RunRecord } from '../../verify/memory/run-record.ts';
import type { TestResult, Verdict } from '../../domain/verdict.ts';
import type { FlightPlace } from './contract.ts';
import { writePictures } from './pictures.ts';

const LEDGER_FILE = 'ledger.json';

type Place = Pick<FlightPlace, 'shelf'>;

export async function writeJudgement(place: Place, judgement: Judgement): Promise<void> {
  const shelf = place.shelf.in('verdicts').in(judgement.verdict.id);
  const { plan, runs, differences } = judgement.record;
  await Promise.all([
    ...Object.entries({ plan, runs, differences }).map(([name, value]) =>
      shelf.write(`${name}.json`, `${JSON.stringify(value, null, 2)}\n`),
    ),
    writePictures(place, judgement.verdict.id, judgement.pictures),
    shelf.write(LEDGER_FILE, `${JSON.stringify({ harness_version: HARNESS_VERSION, ...judgement.ledger })}\n`),
  ]);
  // Last: a verdict that can be read has everything beside it.
  await writeTo(shelf, 'verdict.json', { harness_version: HARNESS_VERSION, ...judgement.verdict });
}

/** What is known about tests; a damaged ledger is left alone and begun anew, because it only ever helps. */
export async function readLedger(place: Place): Promise<Ledger | null> {
  return await readFrom(place.shelf, LEDGER_FILE, LedgerSchema, { setAside: false }).catch(() => null);
}

/** The verdict's commit has landed: its ledger is the place's now. Can be done again after a crash. */
export async function adoptLedger(place: Place, verdict: string): Promise<void> {
  const text = await place.shelf.read(`verdicts/${verdict}/${LEDGER_FILE}`);
  if (text !== null) await place.shelf.write(LEDGER_FILE, text);
}

/** Null: it is not kept any more, or cannot be understood; then it says nothing, and whoever needs one has to judge again. */
export async function readVerdict(place: Place, id: string): Promise<Verdict | null> {
  const value = await readJson(place, id, 'verdict.json');
  return isVerdict(value) ? value : null;
}

/** The tests of a judgement's runs, run by run; none where they are not kept any more. */
export async function readJudgedTests(place: Place, id: string): Promise<TestResult[]> {
  const runs = await readJson(place, id, 'runs.json');
  return Array.isArray(runs) ? (runs as RunRecord[]).flatMap((run) => run.tests) : [];
}

async function readJson(place: Place, id: string, name: string): Promise<unknown> {
  const text = await place.shelf.read(`verdicts/${id}/${name}`);
  try {
    return text === null ? null : JSON.parse(text);
  } catch {
    return null;
  }
}

function isVerdict(value: unknown): value is Verdict {
  const { id, reasons, findings } = (value ?? {}) as Partial<Verdict>;
  return typeof id === 'string' && Array.isArray(reasons) && Array.isArray(findings);
}

/** The verdict that accepted exactly this tree; null: none is kept. */
export async function verdictOfTree(place: Place, tree: string): Promise<Verdict | null> {
  for (const name of await place.shelf.in('verdicts').list()) {
    const verdict = await readVerdict(place, name).catch(() => null);
    if (verdict?.candidate_tree === tree && verdict.decision === 'accepted') return verdict;
  }
  return null;
}
