/** What the judge is given about accepted tests, and what it says about their versions. It writes neither. */
import type { AcceptedFiles } from '../../domain/accepted.ts';

export interface AcceptedTests {
  files: AcceptedFiles;
  /** Versions that found no place in the runs of the last verdict. */
  left: readonly string[];
}
