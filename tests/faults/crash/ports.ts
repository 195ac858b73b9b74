/**
 * The platform with agent and test run replaced at their ports: both are processes, and here they are functions.
 *
 * 1. `crash-agent` edits the files of the directory it is started in and says a few lines; `crash-check` reads test files and reports TAP.
 * 2. What is asked about other processes of the machine has the answer that there are none.
 * 3. Everything else, git above all, is real; what git cannot answer differently it is asked once.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { PassThrough } from 'node:stream';
import { text as wholeText } from 'node:stream/consumers';
import { nodePlatform } from '../../../src/platform/node-platform.ts';
import type { Platform } from '../../../src/platform/platform.ts';
import type { ProcessSpec, RunningProcess, RunResult, RunSpec } from '../../../src/platform/processes.ts';
import { rememberedGit } from './remembered-git.ts';
import { runThroughShell } from './small-shell.ts';

export interface FakeAgent {
  /** Files that it writes, by path. */
  files: Readonly<Record<string, string>>;
  /** Changes of files that are there, each as a pair of texts. */
  edits?: Readonly<Record<string, readonly [string, string]>>;
  says?: readonly string[];
  code?: number;
  /** What it does in other roles, by `HARNESS_ROLE`, or by that and the feature; `output`: what it writes to `HARNESS_OUTPUT`. */
  roles?: Readonly<Record<string, Part>>;
  /** Files that it deletes. */
  gone?: readonly string[];
  /** What it does instead, once it has read what it is told; one that is stopped before that does nothing. */
  plays?(told: Told): Part | Promise<Part>;
}

/** What an agent does in one session. */
export type Part = Omit<Partial<FakeAgent>, 'roles' | 'plays'> & { output?: string };

export interface Told {
  /** `HARNESS_ROLE` */
  role: string;
  /** `HARNESS_FEATURE_ID` */
  feature: string;
  prompt: string;
}

const AGENT = 'crash-agent';
const CHECK = 'crash-check';

export function portedPlatform(env: Readonly<Record<string, string>>, agent: FakeAgent): Platform {
  const real = nodePlatform(env);
  const run = rememberedGit((spec) => (['git', 'cp'].includes(spec.file) ? runThroughShell(spec) : real.processes.run(spec)));
  const none = async (): Promise<never[]> => [];
  return {
    ...real,
    processes: {
      ...real.processes,
      run: async (spec) => (spec.args.some((word) => word.startsWith(CHECK)) ? checked(spec) : await run(spec)),
      start: async (spec) => (spec.args.at(-1)?.endsWith(AGENT) === true ? acting(spec, agent) : await real.processes.start(spec)),
      findByEnvironment: none,
      descendants: none,
      stillRunning: none,
      orphansIn: none,
      runningIn: none,
    },
  };
}

/** A test file says `expect FILE TEXT`, once or more often: it passes where functions of those files give just that. `name NAME` is its name then. */
function checked(spec: RunSpec): RunResult {
  const [, named] = spec.args.find((word) => word.startsWith(CHECK))!.split(' ');
  const files =
    named === undefined
      ? readdirSync(join(spec.cwd, 'test'))
          .toSorted()
          .map((name) => `test/${name}`)
      : [named];
  const lines = files.map((file, at) => `${passes(spec.cwd, file) ? 'ok' : 'not ok'} ${at + 1} - ${nameOf(spec.cwd, file)}`);
  const failed = lines.some((line) => line.startsWith('not ok'));
  return {
    code: failed ? 1 : 0,
    signal: null,
    stdout: Buffer.from(['TAP version 13', `1..${lines.length}`, ...lines, ''].join('\n')),
    stderr: Buffer.alloc(0),
    extra: [],
    timedOut: false,
    aborted: false,
    truncated: false,
    durationMs: 1,
    sandboxed: false,
  };
}

function nameOf(room: string, file: string): string {
  return /^\/\/ name (.+)$/m.exec(textOf(join(room, file)))?.[1] ?? file;
}

function passes(room: string, file: string): boolean {
  const test = textOf(join(room, file));
  const expected = [...test.matchAll(/^\/\/ expect (\S+) (.+)$/gm)];
  // A version that the judge made to fail has a statement of its own.
  if (codeOf(test).trim() !== '' || expected.length === 0) return false;
  return expected.every(([, source, text]) => gives(codeOf(textOf(join(room, source!))), text!));
}

/** Code that the judge touched without making it wrong gives what it gave. */
function gives(code: string, text: string): boolean {
  return code.includes(`=> ${text};`) || (code.includes("const kind = 'same'") && code.includes(text));
}

function textOf(path: string): string {
  return existsSync(path) ? readFileSync(path, 'utf8') : '';
}

/** What would run: stand-ins of the judge keep the words of the real code in comments. */
function codeOf(text: string): string {
  return text.replace(/\/\/.*$/gm, '').replace(/\/\*[\s\S]*?\*\//g, '');
}

function acting(spec: ProcessSpec, given: FakeAgent): RunningProcess {
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
  const told = { role: spec.env['HARNESS_ROLE'] ?? '', feature: spec.env['HARNESS_FEATURE_ID'] ?? '' };
  const stopped = new AbortController();
  const finish = (part: Part): Exit => {
    if (!stopped.signal.aborted) perform(spec, part);
    stdout.end((part.says ?? []).map((line) => `${line}\n`).join(''));
    stderr.end();
    return { code: part.code ?? 0, signal: null };
  };
  const played = async (plays: NonNullable<FakeAgent['plays']>): Promise<Exit> => {
    const gone = new Promise<Part>((resolve) => stopped.signal.addEventListener('abort', () => resolve({ code: 143 })));
    return finish(await Promise.race([gone, wholeText(stdin).then((prompt) => plays({ ...told, prompt }))]));
  };
  if (given.plays === undefined) stdin.resume();
  return {
    pid: 0,
    stdin,
    stdout,
    stderr,
    extra: [],
    sandboxed: false,
    exited:
      given.plays === undefined
        ? Promise.resolve(finish(given.roles?.[`${told.role} ${told.feature}`] ?? given.roles?.[told.role] ?? given))
        : played(given.plays),
    stop: async () => stopped.abort(),
  };
}

type Exit = Awaited<RunningProcess['exited']>;

function perform({ cwd, env }: ProcessSpec, { files = {}, edits = {}, gone = [], output }: Part): void {
  const path = env['HARNESS_OUTPUT'];
  if (output !== undefined && path !== undefined) writeFileSync(path, output);
  for (const name of gone) rmSync(join(cwd, name), { force: true });
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(cwd, name)), { recursive: true });
    writeFileSync(join(cwd, name), content);
  }
  for (const [name, [from, to]] of Object.entries(edits))
    writeFileSync(join(cwd, name), readFileSync(join(cwd, name), 'utf8').replace(from, to));
}
