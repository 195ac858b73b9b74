/**
 * Which Python runs the tests of a project, the first that there is:
 *
 * 1. The one that the test command names, by its version or by its place. One in the project's folder counts only where it is the user's own,
 *    in their checkout and in no tree: what a candidate brings is never started. It is used as it is, and read only.
 * 2. The one of the environment that the tool in front of the command keeps for the project (`poetry run`, `uv run`), asked of the tool.
 * 3. The project's own virtual environment in the user's checkout.
 * 4. The one on the PATH. Named ones that cannot be had are told instead: the PATH's would judge another project.
 */
import { dirname, isAbsolute, join, normalize } from 'node:path';
import type { Platform } from '../../platform/platform.ts';
import { executableOf, findPython, saidBy } from './programs.ts';

export interface PythonWish {
  /** The user's own checkout; null: there is none to be used. */
  checkout: string | null;
  /** First word of the test command. */
  program: string;
  /** The tool that the command is started with, `poetry` of `poetry run`. */
  tool: string | null;
  /** What it has to be able to import. */
  module: string;
  /** Files of the tree that is run. */
  paths: readonly string[];
}

/** `environment`: its folder of programs, where it is none of the PATH's. */
export type ChosenPython = { python: string | null; environment: string | null } | { missing: string };

export async function choosePython(platform: Platform, wish: PythonWish): Promise<ChosenPython> {
  const { checkout, module, tool } = wish;
  const named = namedPython(wish);
  if (named !== null) {
    const python = await executableOf(platform, named.file, module);
    if (python !== null) return inEnvironment(python);
    return { missing: `${named.says}, which the test command names, ${cannot(module)}` };
  }
  const own = checkout === null ? null : await ownEnvironment(platform, checkout, wish);
  if (own !== null && tool === null) return inEnvironment(own);
  if (checkout === null || tool === null) return { python: await findPython(platform, module), environment: null };
  const asked = await askTool(platform, tool, checkout);
  const python = asked === null ? null : await executableOf(platform, asked, module);
  if (python !== null || own !== null) return inEnvironment(python ?? own!);
  return { missing: await toolProblem(platform, tool, asked, module) };
}

function inEnvironment(python: string): ChosenPython {
  return { python, environment: dirname(python) };
}

function cannot(module: string): string {
  return `is not installed here or cannot import ${module}: install ${module} for it, or name another Python in testing.full`;
}

/** null: the command names no Python in particular. */
function namedPython({ checkout, program, paths }: PythonWish): { file: string; says: string } | null {
  if (/^python\d+\.\d+$/.test(program)) return { file: program, says: program };
  if (!/\/(?:python[0-9.]*|pytest|py\.test|coverage3?)$/.test(program)) return null;
  const beside = /\/python[0-9.]*$/.test(program) ? program : join(dirname(program), 'python');
  if (isAbsolute(beside)) return { file: beside, says: program };
  const place = normalize(beside);
  if (checkout === null || place.startsWith('..') || isOfTree(place, paths)) return null;
  return { file: join(checkout, place), says: program };
}

/** A folder of which the tree has files is the project's, not the user's. */
function isOfTree(place: string, paths: readonly string[]): boolean {
  const top = `${place.split('/')[0]!}/`;
  return paths.some((path) => path.startsWith(top));
}

const ENVIRONMENTS = ['.venv', 'venv'];

async function ownEnvironment(platform: Platform, checkout: string, { paths, module }: PythonWish): Promise<string | null> {
  for (const name of ENVIRONMENTS) {
    const folder = join(checkout, name);
    if (isOfTree(`${name}/`, paths) || !(await platform.files.exists(join(folder, 'pyvenv.cfg')))) continue;
    const python = await executableOf(platform, join(folder, 'bin', 'python'), module);
    if (python !== null) return python;
  }
  return null;
}

/** What prints the environment of a project, or its Python. */
const QUESTIONS: Readonly<Record<string, readonly string[]>> = {
  poetry: ['env', 'info', '--path'],
  pipenv: ['--venv'],
  pdm: ['info', '--python'],
  hatch: ['env', 'find'],
  uv: ['python', 'find'],
};

async function askTool(platform: Platform, tool: string, checkout: string): Promise<string | null> {
  const said = await saidBy(platform, tool, QUESTIONS[tool] ?? ['--version'], checkout);
  const path =
    said
      ?.split('\n')
      .findLast((line) => isAbsolute(line.trim()))
      ?.trim() ?? null;
  if (path === null) return null;
  return /\/python[0-9.]*$/.test(path) ? path : join(path, 'bin', 'python');
}

async function toolProblem(platform: Platform, tool: string, asked: string | null, module: string): Promise<string> {
  if (asked !== null)
    return `the environment that ${tool} keeps for this project (${asked}) cannot import ${module}: add it with ${tool}, and install`;
  if ((await saidBy(platform, tool, ['--version'], '/')) === null)
    return `${tool} is not installed here, and the test command needs it: install ${tool} and the project's dependencies with it, or set testing.full to a command that runs without it`;
  return `${tool} keeps no environment for this project here: install the dependencies with ${tool} first`;
}
