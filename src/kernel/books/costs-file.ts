/** `costs.yaml`: read and written whole; every flow of a place adds to the same one. */
import { HARNESS_VERSION } from '../../domain/version.ts';
import { emptyCosts, type Costs } from '../../store/costs.ts';
import type { BooksGround } from './ground.ts';

/** `writer`: this command will write the document, so an unreadable one may be set aside. */
export async function readCosts({ documents, config }: BooksGround, options: { writer: boolean }): Promise<Costs> {
  const budgets = { ...config.costs };
  const costs = await documents.read('costs', options);
  return costs === null ? emptyCosts(HARNESS_VERSION, budgets) : { ...costs, budgets };
}

export async function writeCosts({ documents }: BooksGround, costs: Costs): Promise<void> {
  await documents.write('costs', costs);
}
