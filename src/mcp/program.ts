/** The harness as a command of its own, for one project. */
import type { Platform } from '../platform/platform.ts';

export interface Program {
  root: string;
  /** `log session`, for example, with options and arguments. */
  start(command: string, rest: readonly string[]): { file: string; args: string[]; env: Record<string, string> };
}

export interface Answer {
  code: number | null;
  /** Null: it printed no JSON. */
  value: unknown;
  /** What it wrote for people. */
  words: string;
}

/** A host asks: what only a person may answer is refused (`gates/persons-question.ts`). */
export const HOST_VARIABLE = 'HARNESS_HOST';

const LONGEST_LOOK_MS = 10 * 60_000;

export function programFor(platform: Platform, root: string, main: readonly string[]): Program {
  const [file = '', ...before] = main;
  const env: Record<string, string> = { [HOST_VARIABLE]: 'mcp' };
  for (const [name, value] of Object.entries(platform.env)) if (value !== undefined && name !== HOST_VARIABLE) env[name] = value;
  return {
    root,
    start: (command, rest) => ({ file, args: [...before, ...command.split(' '), '--json', '--cwd', root, ...rest], env }),
  };
}

/** A short command that prints one JSON value. */
export async function ask(
  { platform, program, signal }: { platform: Platform; program: Program; signal?: AbortSignal },
  command: string,
  rest: readonly string[] = [],
): Promise<Answer> {
  const run = await platform.processes.run({ ...program.start(command, rest), cwd: program.root, timeoutMs: LONGEST_LOOK_MS, signal });
  const text = run.stdout.toString('utf8');
  let value: unknown = null;
  try {
    value = JSON.parse(text);
  } catch {
    value = null;
  }
  return { code: run.code, value, words: run.stderr.toString('utf8').trim() };
}
