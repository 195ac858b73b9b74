import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { nodePlatform } from '../../platform/node-platform.ts';
import { findPython } from '../run/programs.ts';
import { elsewhereForNode, elsewhereForPython, readStarted, startedPath } from './elsewhere.ts';
import type { PlanRequest, RunPlan } from './runner.ts';

const python = await findPython(nodePlatform());
const folder = mkdtempSync(join(tmpdir(), 'else where-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const DAYS = 400;
const reportPath = join(folder, 'report.json');
const request = {
  files: null,
  room: folder,
  reportPath,
  keyPath: '',
  supportDirectory: join(folder, 'support'),
  temporary: folder,
  pythonPath: [],
  variant: { clockShiftMs: DAYS * 86_400_000 },
  marks: '',
} satisfies PlanRequest;

function write(support: RunPlan['support']): void {
  for (const { path, content } of support) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
  }
}

/** Days that the program's clock is ahead, and what was started out of reach. */
function run(file: string, args: readonly string[]): { printed: string[]; unreached: string[] } {
  rmSync(startedPath(reportPath), { force: true });
  const env = { PATH: process.env['PATH'], HOME: folder };
  const printed = execFileSync(file, args, { env, cwd: folder, encoding: 'utf8' }).trim().split('\n');
  const unreached = existsSync(startedPath(reportPath)) ? readStarted(readFileSync(startedPath(reportPath), 'utf8')) : [];
  return { printed, unreached };
}

const now = Date.now();
const NODE_DAYS = `Math.round((Date.now() - ${now}) / 86400000)`;
const PYTHON_DAYS = `import time, datetime; print(round((datetime.datetime.now().timestamp() * 1000 - ${now}) / 86400000))`;

function node(source: string): { printed: string[]; unreached: string[] } {
  const { preload, support } = elsewhereForNode(request);
  write(support);
  writeFileSync(join(folder, 'days.js'), `console.log(${NODE_DAYS})`);
  writeFileSync(
    join(folder, 'marks.js'),
    'console.log(JSON.stringify([process.env.NODE_OPTIONS, process.env.PYTHONPATH, process.execArgv]))',
  );
  writeFileSync(join(folder, 'tool'), `#!/usr/bin/env node\nconsole.log(${NODE_DAYS})\n`, { mode: 0o755 });
  writeFileSync(
    join(folder, 'main.mjs'),
    `import * as cp from 'node:child_process';\nimport { Worker } from 'node:worker_threads';\n${source}`,
  );
  return run(process.execPath, [...preload.map((path) => `--require=${path}`), 'main.mjs']);
}

test.each([
  ['spawnSync', "process.stdout.write(cp.spawnSync(process.execPath, ['days.js']).stdout)"],
  ['an environment of its own', "process.stdout.write(cp.execFileSync('node', ['days.js'], { env: { PATH: process.env.PATH } }))"],
  ['a shell', "process.stdout.write(cp.execSync('cd . && X=1 \"' + process.execPath + '\" days.js | cat'))"],
  ['exec', "cp.exec('node days.js', (error, text) => process.stdout.write(text))"],
  ['fork', "cp.fork('days.js')"],
  ['a script that names node', "process.stdout.write(cp.execFileSync('./tool'))"],
  [
    'a grandchild',
    "process.stdout.write(cp.execFileSync('node', ['-e', \"process.stdout.write(require('child_process').execFileSync('node', ['days.js']))\"]))",
  ],
  ['a thread', `new Worker('console.log(${NODE_DAYS})', { eval: true })`],
  ['a thread with an environment of its own', `new Worker('console.log(${NODE_DAYS})', { eval: true, env: {}, execArgv: [] })`],
])('another date reaches %s, once', (_name, source) => {
  const { printed, unreached } = node(source);
  expect(printed).toEqual([String(DAYS)]);
  expect(unreached).toEqual([]);
});

test('a process shows no variable of it', () => {
  const { printed } = node(
    "process.stdout.write(cp.execFileSync('node', ['marks.js'], { env: { ...process.env, NODE_OPTIONS: '--no-warnings' } }))",
  );
  expect(printed).toEqual(['["--no-warnings",null,[]]']);
  expect(node("process.stdout.write(cp.execFileSync('node', ['marks.js']))").printed).toEqual(['[null,null,[]]']);
});

test.each([
  ['git', "cp.execFileSync('git', ['--version'])"],
  ['git', "cp.execSync('cd . && git --version')"],
  ['sh', 'cp.execSync(\'echo "$(date)"\')'],
  ['date', "cp.spawn('date', { env: { PATH: process.env.PATH } })"],
])('%s is noted as a program that it cannot reach', (name, source) => {
  expect(node(source).unreached).toEqual([name]);
});

test.runIf(python !== null)('Python below node, and node below Python, have the same date', () => {
  expect(node(`process.stdout.write(cp.execFileSync(${JSON.stringify(python)}, ['-c', ${JSON.stringify(PYTHON_DAYS)}]))`)).toEqual({
    printed: [String(DAYS)],
    unreached: [],
  });
  const { before, support } = elsewhereForPython(request);
  write(support);
  const script = [
    ...before,
    'import subprocess, sys, os',
    `show = lambda *words, **more: print(subprocess.run(words, stdout=subprocess.PIPE, text=True, check=True, **more).stdout.strip())`,
    `show(sys.executable, '-c', ${JSON.stringify(PYTHON_DAYS)})`,
    `show(sys.executable, '-c', ${JSON.stringify(PYTHON_DAYS)}, env={'PATH': os.environ['PATH']})`,
    "show('node', 'days.js')",
    `show(sys.executable, '-c', 'import os; print(os.environ.get("PYTHONPATH"), os.environ.get("NODE_OPTIONS"))')`,
    "show('node days.js && git --version >&2', shell=True)",
  ].join('\n');
  expect(run(python!, ['-c', script])).toEqual({
    printed: [String(DAYS), String(DAYS), String(DAYS), 'None None', String(DAYS)],
    unreached: ['git'],
  });
});
