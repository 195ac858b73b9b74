// `node scripts/long-tests.mjs REPORT…`: chooses by measured times which tests `npm test` leaves to `npm run test:long`, and writes
// tests/long-tests.json. REPORT is what vitest's JSON reporter wrote; later ones add to earlier ones, and what is left out already stays.
//
// 1. Every file keeps its cheapest tests up to a share of its time, and always one.
// 2. What is over in a moment stays.
// 3. `keep` in the list names tests that stay whatever they cost: what the product stands for.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const list = fileURLToPath(new URL('../tests/long-tests.json', import.meta.url));
const FREE_SECONDS = 5;
const SHARE_BEYOND = 0.11;
const A_MOMENT_SECONDS = 0.4;

const { keep, left } = JSON.parse(readFileSync(list, 'utf8'));
for (const report of process.argv.slice(2)) {
  for (const file of JSON.parse(readFileSync(report, 'utf8')).testResults) {
    const path = file.name.replace(/^.*?\/(?=(?:src|tests)\/)/, '');
    const names = leftOut(path, file);
    if (names.length > 0) left[path] = [...new Set([...(left[path] ?? []), ...names])].sort();
  }
}
writeFileSync(list, `${JSON.stringify({ keep, left: Object.fromEntries(Object.entries(left).sort()) }, null, 2)}\n`);
console.log(`${Object.values(left).flat().length} tests in ${Object.keys(left).length} files are left to npm run test:long`);

function leftOut(path, file) {
  const tests = file.assertionResults
    .filter((test) => test.status === 'passed')
    .map((test) => ({ name: test.fullName, seconds: (test.duration ?? 0) / 1000 }))
    .sort((one, other) => one.seconds - other.seconds);
  const whole = tests.reduce((sum, test) => sum + test.seconds, 0);
  const limit = FREE_SECONDS + SHARE_BEYOND * Math.max(0, whole - FREE_SECONDS);
  const isKept = (test) => test.seconds < A_MOMENT_SECONDS || keep.some(([at, words]) => path.includes(at) && test.name.includes(words));
  const kept = new Set(tests.filter(isKept));
  let spent = [...kept].reduce((sum, test) => sum + test.seconds, 0);
  for (const test of tests) {
    if (kept.has(test) || (kept.size > 0 && spent + test.seconds > limit)) continue;
    kept.add(test);
    spent += test.seconds;
  }
  return tests.filter((test) => !kept.has(test)).map((test) => test.name);
}
