/** A mission with four lanes, killed: agents that wait, quick tests, a process that each worker leaves behind. Everything is marked. */
import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { endOf, makeGround, miscounted } from './ground.ts';
import type { Killed } from './kills.ts';

const LANES = 4;
const FEATURES = Array.from({ length: 8 }, (_, at) => at + 1);
/** What each waits for. */
const WAITS: Readonly<Record<number, readonly number[]>> = { 7: [1], 8: [7] };

const numbered = (number: number): string => String(number).padStart(3, '0');

const PLAN = {
  features: FEATURES.map((number) => ({
    id: `F-${numbered(number)}`,
    title: `A user has number ${number}`,
    claims: [`VAL-SUM-${numbered(number)}`],
    depends_on: (WAITS[number] ?? []).map((other) => `F-${numbered(other)}`),
  })),
  claims: FEATURES.map((number) => ({
    id: `VAL-SUM-${numbered(number)}`,
    text: `Number ${number} is right`,
    proof: { tests: [`test/f${number}.test.js`] },
  })),
};

/** A test file says `expect FILE TEXT`: it passes where the code of that file, without comments, gives just that. */
const CHECK = `import { existsSync, readdirSync, readFileSync } from 'node:fs';
const code = (text) => text.replace(/\\/\\/.*$/gm, '').replace(/\\/\\*[\\s\\S]*?\\*\\//g, '');
const passes = (file) => {
  const test = existsSync(file) ? readFileSync(file, 'utf8') : '';
  const [, source, text] = test.match(/^\\/\\/ expect (\\S+) (.+)$/m) ?? [];
  const found = source !== undefined && existsSync(source) ? code(readFileSync(source, 'utf8')) : '';
  const isTouched = found.includes("const kind = 'same'");
  return code(test).trim() === '' && source !== undefined && (found.includes('=> ' + text + ';') || (isTouched && found.includes(text)));
};
const files = process.argv[2] === undefined ? readdirSync('test').sort().map((name) => 'test/' + name) : [process.argv[2]];
console.log('TAP version 13\\n1..' + files.length);
let failed = false;
for (const [at, file] of files.entries()) {
  const ok = passes(file);
  failed ||= !ok;
  console.log((ok ? 'ok ' : 'not ok ') + (at + 1) + ' - ' + file);
}
process.exitCode = failed ? 1 : 0;
`;

const FILES = {
  'package.json': '{ "name": "calculator", "type": "module" }\n',
  'check.mjs': CHECK,
  'src/add.js': 'export const add = (a, b) => a + b;\n',
  'test/add.test.js': '// expect src/add.js a + b\n',
  'SPEC.md': '# Many numbers\n',
  '.gitignore': '.harness/\n',
};

const AGENT = `cat > /dev/null
set -e
echo '{"type":"usage","input_tokens":1000,"output_tokens":50,"cost_usd":0.01}'
case "$HARNESS_ROLE" in
mission/planner) cat "$HOME/plan.json" > "$HARNESS_OUTPUT"; echo 'PLAN: 8 features, 8 claims' ;;
mission/plan-reviewer) echo 'Fine.' > "$HARNESS_OUTPUT"; echo 'REVIEW: accept' ;;
mission/validator) echo '{"claims":[],"issues":[]}' > "$HARNESS_OUTPUT"; echo 'VERDICT: pass' ;;
mission/curator) echo '{"summary":"It works."}' > "$HARNESS_OUTPUT"; echo 'CURATED' ;;
mission/worker)
  (setsid sleep 300 > /dev/null 2>&1 &)
  sleep 1
  number=$(echo "$HARNESS_FEATURE_ID" | sed 's/^F-0*//')
  echo "export const f$number = (a) => a - $number;" > "src/f$number.js"
  echo "// expect src/f$number.js a - $number" > "$HARNESS_TEST_FILE"
  echo '{"type":"usage","input_tokens":500,"output_tokens":50,"cost_usd":0.005}'
  echo "{\\"type\\":\\"tool\\",\\"name\\":\\"bash\\",\\"input\\":{\\"command\\":\\"node check.mjs $HARNESS_TEST_FILE\\"}}"
  node check.mjs "$HARNESS_TEST_FILE"
  printf '# pass 1\\n# fail 0\\nNOTE: %s is built\\nDONE %s\\n' "$HARNESS_FEATURE_ID" "$HARNESS_FEATURE_ID" ;;
esac
`;

export const MISSION: Killed = {
  argv: ['mission', 'run', '--lanes', String(LANES)],
  make: async (folder, sandbox) => {
    const ground = makeGround(folder, {
      ...FILES,
      '.harness.yaml': `project:\n  name: calculator\ntesting:\n  full: node check.mjs\n  feature: node check.mjs {test_file}\n  report: tap\nagent:\n  backend: command\n  command: sh "$HOME/agent.sh"\n  env: [CRASH_MARK]\nlogging:\n  level: debug\nsandbox:\n  mode: ${sandbox}\n`,
    });
    ground.env['CRASH_MARK'] = randomUUID();
    writeFileSync(join(ground.env['HOME']!, 'agent.sh'), AGENT);
    writeFileSync(join(ground.env['HOME']!, 'plan.json'), JSON.stringify(PLAN));
    return ground;
  },
  endOf: (ground) => {
    const { log, outcomes, ...end } = endOf(ground, ['refs/harness/candidates/*', 'refs/harness/wip/*', 'sizes']);
    // In which order features land is a matter of chance, and with it how many tests each of them kept; what lands, once each, is not.
    const landed = log.map((entry) => entry.slice(entry.indexOf(' ') + 1).replace(/, \d+ kept green/, ''));
    return { ...end, log: landed.toSorted(), outcomes: outcomes.toSorted() };
  },
  wrong: miscounted,
  met: (ground) => {
    const path = join(ground.project, '.harness/mission.json');
    const { flights, stage } = existsSync(path)
      ? (JSON.parse(readFileSync(path, 'utf8')) as { flights: unknown[]; stage: string })
      : { flights: [], stage: 'nothing yet' };
    return { how: stage === 'working' ? `working, ${flights.length} in the air` : stage, isAimed: flights.length === LANES };
  },
  most: 14,
  span: () => 9_000,
};
