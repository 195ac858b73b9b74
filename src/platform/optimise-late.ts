/**
 * Functions are optimised when they have run ten times as long as Node waits for otherwise.
 *
 * 1. A process that lives for a second has no use for code that is optimised in its background, and the runs of a verdict need the processor. One
 *    that lives for a night has everything optimised all the same.
 * 2. Node refuses compiled code that was made under other settings: its own modules, those of a new thread and the kept code of this program. So the
 *    setting is made once they are there, and taken back before code is kept.
 * 3. Only Node 20 knows it; later versions optimise in smaller steps.
 */
import { setFlagsFromString } from 'node:v8';

const VERSION = 20;
const [USUAL, LATE] = [67_584, 675_840];
let isLate = false;

export function optimiseLate(): void {
  if (!isLate && Number.parseInt(process.versions.node) === VERSION) set(LATE);
  isLate = true;
}

export function optimiseAsUsual(): void {
  if (Number.parseInt(process.versions.node) === VERSION) set(USUAL);
  isLate = false;
}

function set(budget: number): void {
  setFlagsFromString(`--interrupt-budget=${budget}`);
}
