/**
 * Starts git from a small process instead of this large one, which is several times as fast where it happens a hundred thousand times.
 * Input and output go through files of a folder of its own; commands take turns.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { RunResult, RunSpec } from '../../../src/platform/processes.ts';

interface Shell {
  child: ChildProcess;
  folder: string;
  answers: ((code: number) => void)[];
}

let shell: Shell | null = null;
let turn: Promise<unknown> = Promise.resolve();

export function runThroughShell(spec: RunSpec): Promise<RunResult> {
  const next = turn.then(() => runNow(spec));
  turn = next.catch(() => {});
  return next;
}

/** Ends the small process; the next command starts another. */
export function closeShell(): void {
  if (shell === null) return;
  shell.child.kill('SIGKILL');
  rmSync(shell.folder, { recursive: true, force: true });
  shell = null;
}

async function runNow(spec: RunSpec): Promise<RunResult> {
  shell ??= open();
  const { child, folder, answers } = shell;
  const [input, output, problems] = ['in', 'out', 'err'].map((name) => join(folder, name)) as [string, string, string];
  writeFileSync(input, spec.stdin ?? '');
  const variables = Object.entries(spec.env).map(([name, value]) => quote(`${name}=${value}`));
  const command = ['exec', 'env', '-i', ...variables, quote(spec.file), ...spec.args.map(quote)].join(' ');
  const answer = new Promise<number>((resolve) => answers.push(resolve));
  child.stdin!.write(`(cd ${quote(spec.cwd)} && ${command}) <${quote(input)} >${quote(output)} 2>${quote(problems)}; echo $?\n`);
  const code = await answer;
  return {
    code,
    signal: null,
    stdout: readFileSync(output),
    stderr: readFileSync(problems),
    extra: [],
    timedOut: false,
    aborted: false,
    truncated: false,
    durationMs: 0,
    sandboxed: false,
  };
}

function open(): Shell {
  const folder = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'harness-shell-'));
  const child = spawn('/bin/sh', [], { stdio: ['pipe', 'pipe', 'inherit'] });
  const answers: Shell['answers'] = [];
  createInterface({ input: child.stdout! }).on('line', (line) => answers.shift()?.(Number(line)));
  child.unref();
  return { child, folder, answers };
}

function quote(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}
