/** `costs.yaml`: read and written whole; every flow of a directory adds to the same one. */
import { join } from 'node:path';
import { HARNESS_VERSION } from '../../domain/version.ts';
import { CostsSchema, emptyCosts, type Costs } from '../../store/costs.ts';
import { readDocument, writeDocument } from '../../store/document.ts';
import type { Place } from '../place.ts';

export const COSTS_FILE = 'costs.yaml';

type CostsGround = Pick<Place, 'platform' | 'stateDir' | 'config'>;

/** `writer`: this command will write the document, so an unreadable one may be set aside. */
export async function readCosts(ground: CostsGround, options: { writer: boolean }): Promise<Costs> {
  const budgets = { ...ground.config.costs };
  const costs = await readDocument(ground.platform, join(ground.stateDir, COSTS_FILE), CostsSchema, { setAside: options.writer });
  return costs === null ? emptyCosts(HARNESS_VERSION, budgets) : { ...costs, budgets };
}

export async function writeCosts(ground: CostsGround, costs: Costs): Promise<void> {
  await writeDocument(ground.platform, join(ground.stateDir, COSTS_FILE), costs);
}
