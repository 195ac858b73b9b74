/**
 * A small repository with a bug, and an agent that plays every role of the workflow: a shell script of one case for each role.
 * The agent shows the prompt that it got as the input of a tool call, so that tests can look at what reached whom.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { eventsOf, git, harness, makeScene, startHarness, type Run, type Scene } from './support.ts';

export const TASK = 'fix the add function, it subtracts';
export const SLUG = 'fix-the-add-function-it-subtracts';
export const DOCS = `docs/harness/${SLUG}`;

export const BUGGY: Readonly<Record<string, string>> = {
  'package.json': '{ "name": "calc", "type": "module", "scripts": { "test": "node --test" } }\n',
  'src/add.js': 'export function add(a, b) {\n  return a - b;\n}\n',
  'src/one.js': 'export const one = 1;\n',
  'test/one.test.js': `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { one } from '../src/one.js';
test('one is one', () => assert.equal(one, 1));
`,
};

const ADD_TEST = `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { add } from '../src/add.js';
test('adds', () => assert.equal(add(1, 2), 3));
`;

export type RoleScripts = Readonly<Record<string, string>>;

const write = (file: string, ...lines: string[]): string => `printf '%s\\n' ${lines.map((line) => `'${line}'`).join(' ')} > ${file}`;
export const output = (...lines: string[]): string => write('"$HARNESS_OUTPUT"', ...lines);
export const say = (line: string): string => `echo '${line}'`;

const advice = (name: string): string => `${output(`${name} of the $HARNESS_ROLE`)}; ${say(`${name} written — looks good`)}`;

/** The implementer mends the bug and adds a test for it. */
export const MEND = `sed -i 's/a - b/a + b/' src/add.js
cat > test/add.test.js <<'TEST'
${ADD_TEST}TEST
${output('- `src/add.js`: adds', '- `test/add.test.js`: proves it')}
${say('changed 2 files — add adds')}`;

/** The implementer adds the test and leaves the bug. */
export const FORGET = `cat > test/add.test.js <<'TEST'
${ADD_TEST}TEST
${output('- `test/add.test.js`: proves it')}
${say('changed 1 file — all done')}`;

export const PASS = `${output('# QA', '', '### Verdict: PASS')}; ${say('PASS — meets the spec')}`;
export const fail = (layer: 'L2' | 'L3'): string =>
  `${output('# QA', '', '- FAIL: not good', '', '### Fix Instructions', '1. make it good', '', '### Verdict: FAIL')}; ${say(`FAIL ${layer} — not good`)}`;

/** Roles without a script of their own do this. */
const DEFAULTS: RoleScripts = {
  'convention-scanner': `${output('# Conventions', 'two spaces')}; ${say('conventions written — small project')}`,
  'planner-single': `${output('# Spec', 'add must add')}; ${say('spec written — add adds')}`,
  architect: advice('proposal'),
  'senior-developer': advice('proposal'),
  'qa-specialist': advice('proposal'),
  'cross-critique': advice('critique'),
  'synthesis-standard': `${output('# Spec', 'add must add')}; ${say('spec written — add adds')}`,
  synthesis: `${output('# Spec', 'add must add')}; ${say('spec written — add adds')}`,
  'lead-developer': advice('plan'),
  'combined-advisor': advice('review'),
  'code-quality-advisor': advice('review'),
  'test-stability-advisor': advice('review'),
  'generator-single': MEND,
  'implementation-standard': MEND,
  implementation: MEND,
  evaluator: PASS,
  verifier: say('FAIL — the verifier explains it'),
};

/** One script where the prompt holds the words, another where it does not. */
export function whenAsked(words: string, yes: string, no: string): string {
  return `if grep -q '${words}' "$PROMPT"; then\n${yes}\nelse\n${no}\nfi`;
}

export interface WorkflowScene extends Scene {
  agent: string;
  /** What every role was asked, over all runs. */
  asked: { role: string; text: string }[];
}

export async function workflowScene(roles: RoleScripts = {}, files: Readonly<Record<string, string>> = BUGGY): Promise<WorkflowScene> {
  return await withAgent(await makeScene(files), roles);
}

export async function withAgent(scene: Scene, roles: RoleScripts): Promise<WorkflowScene> {
  const agent = join(scene.folder, 'agent.sh');
  const all = { ...DEFAULTS, ...roles };
  const cases = Object.entries(all).map(([role, script]) => `workflow/${role})\n${script}\n;;`);
  const text = `set -e
PROMPT="$TMPDIR/prompt.txt"
cat > "$PROMPT"
printf '{"type":"tool","name":"prompt","input":{"role":"%s","base64":"%s"}}\\n' "$HARNESS_ROLE" "$(base64 < "$PROMPT" | tr -d '\\n')"
case "$HARNESS_ROLE" in
${cases.join('\n')}
*) echo "no script for $HARNESS_ROLE"; exit 3 ;;
esac
`;
  await writeFile(agent, text);
  return { ...scene, agent, asked: [] };
}

export const QUICK = ['--mode', 'single', '--model-config', 'default'];

export async function answersIn(scene: Scene, answers: Readonly<Record<string, unknown>>): Promise<string> {
  const file = join(scene.folder, 'answers.json');
  await writeFile(file, JSON.stringify(answers));
  return file;
}

/** `answers` are written to a file for `--answers`. */
export async function workflow(
  scene: WorkflowScene,
  args: readonly string[],
  answers: Readonly<Record<string, unknown>> = {},
): Promise<Run> {
  const file = await answersIn(scene, answers);
  const run = await startHarness(scene, ['workflow', ...args, '--json', '--agent-command', `sh "${scene.agent}"`, '--answers', file]).ended;
  scene.asked.push(...promptsIn(run));
  return run;
}

function promptsIn(run: Run): WorkflowScene['asked'] {
  const calls = eventsOf(run, 'agent.tool').filter((event) => event['name'] === 'prompt');
  return calls.map((event) => {
    const { role, base64 } = event['input'] as { role: string; base64: string };
    return { role: role.replace('workflow/', ''), text: Buffer.from(base64, 'base64').toString('utf8') };
  });
}

/** Everything answered as one who trusts the harness would. */
export const GO = { 'workflow.conventions': 'Skip', 'workflow.spec': 'Proceed', 'workflow.commit': 'Commit code only' };

export async function answer(scene: Scene, gate: string, ...rest: string[]): Promise<Run> {
  return await harness(scene, 'answer', gate, ...rest);
}

export async function waitingGates(scene: Scene): Promise<string[]> {
  const gates = JSON.parse((await harness(scene, 'gates', '--json')).stdout) as { id: string }[];
  return gates.map((gate) => gate.id);
}

export function rolesCalled(scene: WorkflowScene): string[] {
  return scene.asked.map(({ role }) => role);
}

export async function stateOf(scene: Scene): Promise<Record<string, unknown> & { phase: string; harness: Record<string, unknown> }> {
  return JSON.parse(await readFile(join(scene.project, '.harness', 'state.json'), 'utf8')) as never;
}

export async function lastCommit(scene: Scene): Promise<{ subject: string; files: string[]; trailers: string; branch: string }> {
  return {
    subject: await git(scene, 'log', '-1', '--format=%s'),
    files: (await git(scene, 'show', '--format=', '--name-only', 'HEAD')).split('\n').filter((line) => line !== ''),
    trailers: await git(scene, 'log', '-1', '--format=%(trailers)'),
    branch: await git(scene, 'branch', '--show-current'),
  };
}
