/** The examiner's tests, as a check of the table. */
import type { Check } from '../check.ts';
import { checkExaminer } from './check-examiner.ts';

export const EXAMINER: Check = {
  id: 'examiner',
  title: 'examiner',
  weight: 'ask',
  cost: 'model',
  applies: ({ examiner, mode }) => examiner !== undefined && mode === 'feature',
  run: async (judged) => {
    const { examined, ...result } = await checkExaminer(judged);
    return { ...result, facts: { examined } };
  },
  doc: 'Tests that an examiner wrote from the description, without seeing the work, pass. Only where the examiner is switched on.',
};
