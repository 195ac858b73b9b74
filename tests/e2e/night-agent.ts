/**
 * The agent of the scripted night, as text: it works as real models do, and repairs only what it is told.
 *
 * 1. What it does wrong at first depends on the feature; that its program or its provider fails, on the number of the session.
 * 2. `deaf`: it does not read why its last attempt was refused.
 */
export const OUTAGES = [6, 7, 8];
export const DEATHS = [12, 13, 14, 15, 16, 17, 18, 19, 20, 21];
export const LIMITED = 24;
export const CLUMSY = [2, 5, 8, 11];
export const BREAKING = [3, 9];
export const UNTYPED = 6;
export const HELPED = 12;
export const CHANGING = 14;
export const IMPOSSIBLE = 16;
export const ASKING = 18;
export const COST = 0.11;

export function nightAgent(deaf: boolean): string {
  return `import { appendFileSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
const session = Number(process.env.HARNESS_SESSION);
const id = Number(process.env.HARNESS_FEATURE_ID);
const prompt = readFileSync(process.env.TMPDIR + '/prompt.txt', 'utf8');
const told = ${deaf ? "''" : "(prompt.split('## Why the last attempt was not accepted')[1] ?? '')"};
if (${JSON.stringify(OUTAGES)}.includes(session)) { console.error('API Error: 529 overloaded'); process.exit(1); }
if (${JSON.stringify(DEATHS)}.includes(session)) process.exit(70);
if (session === ${LIMITED} && !existsSync('tried')) {
  writeFileSync('tried', '');
  console.log('Claude AI usage limit reached|' + (Math.floor(Date.now() / 1000) + 2));
  process.exit(1);
}
rmSync('tried', { force: true });
const clumsy = ${JSON.stringify(CLUMSY)}.includes(id) && !/f\\d+ gives|expected|strictly equal/i.test(told);
const breaking = ${JSON.stringify(BREAKING)}.includes(id) && !told.includes('test/f1.test.js');
const typed = id !== ${UNTYPED} || /type check/.test(told);
const result = clumsy || id === ${IMPOSSIBLE} ? id + 1 : id;
writeFileSync('src/f' + id + '.js', (typed ? '/** @returns {number} */\\n' : '') + 'export const f' + id + ' = (n) => n + ' + result + ';\\n');
writeFileSync('src/f1.js', '/** @returns {number} */\\nexport const f1 = (n) => n + ' + (breaking ? 2 : 1) + ';\\n');
const helper = id === ${HELPED} ? 'gives, near' : 'gives';
writeFileSync('test/f' + id + '.test.js', "import { test } from 'node:test';\\nimport { " + helper + " } from './support/check.js';\\nimport { f" + id + " } from '../src/f" + id + ".js';\\ntest('f" + id + " gives', () => " + (id === ${HELPED} ? 'near' : 'gives') + '(f' + id + '(1), ' + (id + 1) + '));\\n');
if (id === ${HELPED}) appendFileSync('test/support/check.js', 'export function near(actual, expected) {\\n  assert.ok(Math.abs(actual - expected) < 0.5);\\n}\\n');
if (id === ${CHANGING}) {
  for (const file of ['src/f13.js', 'test/f13.test.js']) {
    const text = readFileSync(file, 'utf8');
    writeFileSync(file, file.startsWith('src') ? text.replace('n + 13', 'n + 113') : text.replace(', 14)', ', 114)'));
  }
}
if (id === ${ASKING}) appendFileSync('.gitignore', 'logs/\\n');
const run = spawnSync(process.execPath, ['--test', process.env.HARNESS_TEST_FILE], { encoding: 'utf8' });
console.log(run.stdout);
console.log('# pass 1\\n# fail 0');
const list = JSON.parse(readFileSync('features.json', 'utf8'));
list.features.find((feature) => feature.id === id).passes = true;
writeFileSync('features.json', JSON.stringify(list));
console.log(JSON.stringify({ type: 'usage', input_tokens: 1000, output_tokens: 100, cost_usd: ${COST} }));
`;
}
