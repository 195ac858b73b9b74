// Asks the tests of whole files, each in a world that stands in for a runner; see `plain-whole.ts`.
import { writeSync } from 'node:fs';
import * as ofModules from './given_kit.mjs';
import ofScripts from './given_kit.cjs';
const leave = process.reallyExit.bind(process);
const { stringify } = JSON;
const [titles, faults, counted, own] = [given_titles, given_faults, given_counted, given_own];
const isOdd = ({ thrown, nans, same }) => (same === undefined ? nans > 0 || thrown.some((name) => faults.includes(name)) : same.length > 0);
const shown = ({ same, apart, ...one }) => (same === undefined ? one : titles === null ? { ...one, same } : { ...one, apart });
const isTold = (one, at) =>
  titles === null
    ? one.state === 'off' || (!own.includes(at) && ((counted.includes(at) && one.same === undefined) || isOdd(one)))
    : titles.includes(one.title);
export const ask = async (numbers) => {
  const told = {};
  let left = given_most_told;
  for (const at of numbers) {
    const { BEGIN, RUN } = given_modules[at] ? ofModules : ofScripts;
    BEGIN();
    told[at] = null;
    try {
      await import('./given_part' + at + (BEGIN === ofModules.BEGIN ? '.mjs' : '.cjs'));
      told[at] = (await RUN())
        .filter((one) => isTold(one, Number(at)))
        .slice(0, left)
        .map(shown);
      left -= told[at].length;
    } catch {}
  }
  writeSync(3, 'given_word' + stringify(told) + '\n');
};
if (process.argv.length > 2) {
  await ask(process.argv.splice(2));
  leave(0);
}
