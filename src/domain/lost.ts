import { HarnessError } from './errors.ts';
import { EXIT } from './reasons.ts';

/** This process no longer owns the project: another may be driving it already. What it has not written yet must stay unwritten. */
export class Lost extends HarnessError {
  constructor(project: string, detail?: string) {
    super(`This process no longer owns the project ${project}.`, {
      exitCode: EXIT.locked,
      next: 'retry_at',
      details: detail === undefined ? [] : [detail],
    });
    this.name = 'Lost';
  }
}
