/**
 * `harness worker`, called many times with agents that end within seconds while the caches of a filled home are being prepared.
 *
 * 1. Each call prints exactly one JSON object and exits, whatever the agent did.
 * 2. The exit status and the object agree: 0 for `completed`, another one for anything else.
 */
import { spawn } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { linkCaches } from '../../lived-in-home.ts';
import { makeGround, type Ground } from './ground.ts';

export interface Calls {
  calls: number;
  reports: number;
  /** How many calls ended with each exit status and answer. */
  ended: Record<string, number>;
  losses: string[];
  seconds: number;
}

export interface CallOptions {
  program: string;
  scratch: string;
  calls: number;
  /** Calls under way at the same time. */
  workers: number;
  /** The number of the first call: a long check can be run in parts. */
  first?: number;
  tell?(line: string): void;
}

interface Behaviour {
  name: string;
  script: string;
  expected: number;
}

/** What an agent does, by the number of its call. */
const BEHAVIOURS: readonly Behaviour[] = [
  { name: 'works at once', script: 'echo "// $HARNESS_SESSION" > src/note.js', expected: 0 },
  { name: 'works for a second', script: 'sleep 1; echo "// $HARNESS_SESSION" > src/note.js', expected: 0 },
  { name: 'reads no prompt', script: 'exec < /dev/null; echo "// $HARNESS_SESSION" > src/note.js', expected: 0 },
  { name: 'prints much', script: 'echo "// $HARNESS_SESSION" > src/note.js; yes "a line of output" | head -n 20000', expected: 0 },
  { name: 'leaves a process', script: 'echo "// $HARNESS_SESSION" > src/note.js; (setsid sleep 300 > /dev/null 2>&1 &)', expected: 0 },
  { name: 'does nothing', script: 'true', expected: 3 },
  { name: 'breaks a test', script: 'echo "export const add = () => 0;" > src/add.js', expected: 8 },
  { name: 'works outside its files', script: 'echo hello > elsewhere.txt', expected: 3 },
];

const FILES = {
  'package.json': '{ "name": "calculator", "private": true, "type": "module", "scripts": { "test": "node --test" } }\n',
  'src/add.js': 'export const add = (a, b) => a + b;\n',
  'test/add.test.js':
    "import assert from 'node:assert';\nimport test from 'node:test';\nimport { add } from '../src/add.js';\n\ntest('adds', () => assert.equal(add(1, 2), 3));\n",
};

export async function callWorkers(options: CallOptions): Promise<Calls> {
  const begin = performance.now();
  const result: Calls = { calls: 0, reports: 0, ended: {}, losses: [], seconds: 0 };
  const [first, { workers }] = [options.first ?? 0, options];
  const shares = Array.from({ length: workers }, async (_, worker) => {
    const ground = groundOf(join(options.scratch, `calls ${worker}`));
    for (let call = first + worker; call < first + options.calls; call += workers) await callOnce(ground, call, options, result);
  });
  await Promise.all(shares);
  return { ...result, seconds: (performance.now() - begin) / 1000 };
}

function groundOf(folder: string): Ground {
  const ground = makeGround(folder, FILES);
  linkCaches(ground.env['HOME']!);
  return ground;
}

async function callOnce(ground: Ground, call: number, options: CallOptions, result: Calls): Promise<void> {
  const behaviour = BEHAVIOURS[call % BEHAVIOURS.length]!;
  const home = ground.env['HARNESS_HOME']!;
  // Every fifth call prepares the caches from nothing, the others find them prepared.
  if (call % 5 === 0) rmSync(home, { recursive: true, force: true });
  mkdirSync(home, { recursive: true });
  const script = join(ground.folder, 'agent.sh');
  writeFileSync(script, `${behaviour.script}\n`);
  writeFileSync(join(home, 'config.yaml'), `agent:\n  backend: command\n  command: ${JSON.stringify(`sh "${script}"`)}\n`);
  const task = join(ground.folder, 'task.json');
  const document = { task: 'Note', task_id: `call-${call}`, files: ['src'], mode: 'solo', spec_skip_reason: 'mechanical-change' };
  writeFileSync(task, JSON.stringify(document));
  const ran = await start(ground, options.program, task);
  const found = wrongWith(ran, behaviour);
  result.calls += 1;
  if (found === null) result.reports += 1;
  else result.losses.push(`call ${call} (${behaviour.name}): ${found}`);
  if (found !== null) options.tell?.(`  ${result.losses.at(-1)!}`);
  const how = `${behaviour.name}: exit ${String(ran.code)}, ${found === null ? statusOf(ran.stdout) : 'no report'}`;
  result.ended[how] = (result.ended[how] ?? 0) + 1;
  if (result.calls % 25 === 0) options.tell?.(`  ${result.reports} of ${result.calls} calls reported`);
}

/** null: one object on stdout that agrees with the exit status and with what the agent did. */
function wrongWith({ code, stdout, stderr }: Called, { expected }: Behaviour): string | null {
  const shown = `exit ${String(code)}, ${stdout.length} bytes on stdout, stderr: ${stderr.slice(-600)}`;
  const status = statusOf(stdout);
  if (status === null) return `no report; ${shown}`;
  if ((code === 0) !== (status === 'completed')) return `"${status}" disagrees with the exit status; ${shown}`;
  if (code !== expected) return `expected exit ${expected}; ${shown} ${stdout}`;
  return null;
}

function statusOf(stdout: string): string | null {
  if (stdout.trimEnd().split('\n').length !== 1) return null;
  try {
    const answer = JSON.parse(stdout) as Record<string, unknown>;
    return typeof answer['schema_version'] === 'string' ? String(answer['status'] ?? answer['schema_version']) : null;
  } catch {
    return null;
  }
}

interface Called {
  code: number | null;
  stdout: string;
  stderr: string;
}

async function start(ground: Ground, program: string, task: string): Promise<Called> {
  const child = spawn(process.execPath, [program, 'worker', '--task', task, '--cwd', ground.project], {
    env: ground.env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [stdout, stderr] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  const late = setTimeout(() => child.kill('SIGKILL'), 600_000);
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  clearTimeout(late);
  return { code, stdout, stderr };
}
