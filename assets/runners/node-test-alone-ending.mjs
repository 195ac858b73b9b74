// Once all tests are done, what is still open is not waited for: the report is brought to its end, and then the process.
import { statSync } from 'node:fs';
import { after } from 'node:test';
const { exit, emit } = process;
let told = -1;
let still = 0;
let isAsked = false;
const look = () => {
  const { size } = statSync(given_report, { throwIfNoEntry: false }) ?? { size: 0 };
  still = size === told ? still + 1 : 0;
  told = size;
  if (still <= 3) return;
  if (isAsked) exit.call(process);
  isAsked = true;
  still = 0;
  emit.call(process, 'beforeExit', process.exitCode ?? 0);
};
after(() => void setInterval(look, 100).unref());
