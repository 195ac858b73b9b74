/** What came of a step of the project flow. */
import type { Progress } from '../../../kernel/flow.ts';
import type { RunEvent } from '../machine/running.ts';
import type { RunReport } from '../machine/run-report.ts';

export type ProjectProgress = Progress<RunEvent, RunReport>;
