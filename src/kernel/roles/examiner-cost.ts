/** What hidden tests may cost: the larger of 15 % of the feature's cost so far, and 30,000 input and 8,000 output tokens. */
import { priceFor } from '../../config/models.ts';
import { costOf, NO_USAGE } from '../../domain/money.ts';
import type { Place } from '../place.ts';

const SHARE = 0.15;
const INPUT_TOKENS = 30_000;
const OUTPUT_TOKENS = 8_000;

/** In dollars; null: the model has no known price. */
export async function costLimit(place: Place, feature: number): Promise<number | null> {
  const floor = usualCost(place);
  if (floor === null) return null;
  const { budget } = await place.books.account(feature);
  return Math.max(SHARE * budget.featureSpent, floor);
}

/** What one examination costs at most before the feature's own cost matters. */
export function usualCost({ config }: Pick<Place, 'config'>): number | null {
  const price = priceFor(config.models.examiner, config.prices);
  return price === null ? null : costOf({ ...NO_USAGE, input_tokens: INPUT_TOKENS, output_tokens: OUTPUT_TOKENS }, price);
}
