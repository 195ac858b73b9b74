/**
 * An agent for every role of a mission, as text. What it does wrong is told by words in its plan file.
 *
 * 1. `plan.json` beside it is what the planner writes, `lies.json` which role lies and how.
 * 2. A worker writes `src/<id>.js` and the test files that it is told, shows their run and says DONE.
 */
export const MISSION_AGENT = `import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
const desk = dirname(fileURLToPath(import.meta.url));
const read = (name, other) => (existsSync(desk + '/' + name) ? JSON.parse(readFileSync(desk + '/' + name, 'utf8')) : other);
const lies = read('lies.json', {});
const role = process.env.HARNESS_ROLE.replace('mission/', '');
const prompt = readFileSync(0, 'utf8');
const id = process.env.HARNESS_FEATURE_ID;
const lie = lies[role + ' ' + id] ?? lies[role];
const write = (value) => writeFileSync(process.env.HARNESS_OUTPUT, typeof value === 'string' ? value : JSON.stringify(value));
const say = (...lines) => console.log(lines.join('\\n'));
const put = (path, text) => { mkdirSync(dirname(path), { recursive: true }); writeFileSync(path, text); };
say(JSON.stringify({ type: 'usage', input_tokens: 10, output_tokens: 1, cache_read_input_tokens: 990, cost_usd: 0.01 }));
const roles = {
  planner() {
    const plan = prompt.includes('cannot be used') ? read('plan-2.json', read('plan.json')) : read('plan.json');
    write(plan);
    say('PLAN: ' + plan.features.length + ' features, ' + plan.claims.length + ' claims');
  },
  'plan-reviewer'() {
    write(lie === 'reject' ? 'The plan misses the point.' : 'Fine.');
    say('REVIEW: ' + (lie ?? 'accept'));
  },
  orchestrator() {
    say(typeof lie === 'string' ? lie : 'I think we should DONE soon', 'nothing else');
  },
  worker() {
    const wait = Number(lies.wait ?? 0);
    if (wait > 0) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, wait);
    if (Date.now() < (lies.limitedUntil ?? 0)) {
      say('Claude AI usage limit reached|' + Math.ceil(lies.limitedUntil / 1000));
      process.exit(1);
    }
    if (lie === 'nothing') return say('All of it works, I checked twice.', 'DONE ' + id);
    if (lie === 'blocked' && !prompt.includes('architect:')) return say('BLOCKED the claim says nothing about zero');
    if (lie === 'other') return say('DONE F-999');
    if (lie?.repairs !== undefined) {
      put(lie.repairs, lie.text);
      for (const file of process.env.HARNESS_TEST_FILE.split('\\n')) say(spawnSync(process.execPath, ['--test', file], { encoding: 'utf8' }).stdout);
      return say('DONE ' + id);
    }
    const name = 'f' + id.toLowerCase().replaceAll('-', '');
    const extra = lie === 'broken' ? 1 : 0;
    put('src/' + name + '.js', (lie === 'not in a browser' ? 'process.title;\\n' : '') + 'export const ' + name + ' = (n) => n * 2 + ' + (id.length + extra) + ';\\n');
    for (const file of process.env.HARNESS_TEST_FILE.split('\\n'))
      put(file, "import { test } from 'node:test';\\nimport assert from 'node:assert/strict';\\nimport { " + name + " } from '../src/" + name + ".js';\\ntest('" + file + ' ' + name + " gives', () => assert.equal(" + name + '(3), ' + (6 + id.length) + '));\\n');
    if (lie === 'config') put('.gitignore', 'logs/\\n');
    for (const file of process.env.HARNESS_TEST_FILE.split('\\n')) say(spawnSync(process.execPath, ['--test', file], { encoding: 'utf8' }).stdout);
    say('TRICK: run one file at a time', 'NOTE: ' + id + ' is built', lies.hostile ?? '', 'DONE ' + id);
  },
  validator() {
    const claims = [...prompt.matchAll(/^## (VAL-[A-Z0-9-]+): /gm)].map((match) => match[1]);
    const quotes = Object.fromEntries([...prompt.matchAll(/^## (VAL-[A-Z0-9-]+)\\n(passed .*)$/gm)].map((match) => [match[1], match[2]]));
    const quote = (claim) => (lie === 'unquoted' ? '' : lie === 'invented' ? 'passed everything with flying colours' : quotes[claim] ?? '');
    write({ claims: [...new Set(claims)].map((claim) => ({ id: claim, pass: true, quote: quote(claim) })), issues: lies.issues?.[id] ?? [] });
    say('VERDICT: pass');
  },
  crosscheck() { roles.validator(); },
  'ui-qa'() {
    const claims = [...prompt.matchAll(/^## (VAL-[A-Z0-9-]+): /gm)].map((match) => match[1]);
    const quote = lie === 'invented' ? 'it looks lovely' : /^the page shows: .*$/m.exec(prompt)?.[0] ?? '';
    write({ claims: [...new Set(claims)].map((claim) => ({ id: claim, pass: true, quote })), issues: [] });
    say('UI: pass');
  },
  architect() {
    if (lie === 'ask') return say('ASK what is zero?');
    const plan = read('plan.json');
    const feature = plan.features.find((one) => one.id === id);
    write({ claims: plan.claims.filter((claim) => feature.claims.includes(claim.id)), reason: 'zero is a number' });
    say('RESOLVED ' + id);
  },
  debugger() { write('It always breaks.'); say('CAUSE: the sum is wrong'); },
  documenter() {
    put('docs/' + id + '.md', '# ' + id + '\\n');
    if (lie === 'sources') put('src/index.js', 'export {};\\n');
    say('DOCUMENTED');
  },
  curator() {
    write(lie ?? { summary: 'All is well.', memory: 'All is well.', identities: { worker: '- run one file at a time (F-001, F-002)' } });
    say('CURATED');
  },
};
roles[role]();
`;

export interface Plan {
  features: { id: string; title: string; claims: string[]; depends_on: string[] }[];
  claims: { id: string; text: string; proof: object; notes?: string }[];
}

/** `count` features; `waits`: what each waits for. */
export function planOf(count: number, waits: Readonly<Record<number, number[]>> = {}): Plan {
  const numbers = Array.from({ length: count }, (_, index) => index + 1);
  const name = (number: number): string => String(number).padStart(3, '0');
  return {
    features: numbers.map((number) => ({
      id: `F-${name(number)}`,
      title: `A user doubles and adds, number ${number}`,
      claims: [`VAL-SUM-${name(number)}`],
      depends_on: (waits[number] ?? []).map((other) => `F-${name(other)}`),
    })),
    claims: numbers.map((number) => ({
      id: `VAL-SUM-${name(number)}`,
      text: `The result of number ${number} is right`,
      proof: { tests: [`test/f${number}.test.js`] },
      notes: 'three gives eleven',
    })),
  };
}
