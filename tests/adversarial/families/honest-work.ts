/** Work that is simply done, in the many shapes it can have. */
import { inFamily, type Behaviour } from '../behaviour.ts';

const honest = inFamily('honest work', 'honest');

export const HONEST_WORK: readonly Behaviour[] = [
  honest('plain', 'code and test for the feature', { expected: 'accepted', agent: (t) => ({ files: t.work }) }),
];
