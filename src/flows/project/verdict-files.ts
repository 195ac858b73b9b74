/**
 * What judgements leave under `.harness/`: `verdicts/<id>/` with the verdict, its plan, its runs and the differences, and the ledger
 * of tests. The ledger of a judgement lies with its verdict until the verdict's commit has landed.
 */
import { join } from 'node:path';
import { HARNESS_VERSION } from '../../domain/version.ts';
import { readDocument, writeDocument } from '../../store/document.ts';
import type { Judgement } from '../../verify/judge.ts';
import { LedgerSchema, type Ledger } from '../../verify/memory/ledger.ts';
import type { Project } from './project.ts';

const LEDGER_FILE = 'ledger.json';

type Place = Pick<Project, 'platform' | 'stateDir'>;

export async function writeJudgement(project: Place, judgement: Judgement): Promise<void> {
  const { files } = project.platform;
  const folder = join(project.stateDir, 'verdicts', judgement.verdict.id);
  await files.mkdir(folder);
  const { plan, runs, differences } = judgement.record;
  for (const [name, value] of Object.entries({ plan, runs, differences }))
    await files.writeAtomic(join(folder, `${name}.json`), `${JSON.stringify(value, null, 2)}\n`);
  await files.writeAtomic(join(folder, LEDGER_FILE), `${JSON.stringify({ harness_version: HARNESS_VERSION, ...judgement.ledger })}\n`);
  await writeDocument(project.platform, join(folder, 'verdict.json'), { harness_version: HARNESS_VERSION, ...judgement.verdict });
}

/** What is known about tests; a damaged ledger is left alone and begun anew, because it only ever helps. */
export async function readLedger(project: Place): Promise<Ledger | null> {
  return await readDocument(project.platform, join(project.stateDir, LEDGER_FILE), LedgerSchema, { setAside: false }).catch(() => null);
}

/** The verdict's commit has landed: its ledger is the project's now. Can be done again after a crash. */
export async function adoptLedger(project: Place, verdict: string): Promise<void> {
  const { files } = project.platform;
  const text = await files.readTextIfExists(join(project.stateDir, 'verdicts', verdict, LEDGER_FILE));
  if (text !== null) await files.writeAtomic(join(project.stateDir, LEDGER_FILE), text);
}
