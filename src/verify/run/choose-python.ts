/**
 * Which Python runs the tests of a project, the first that there is:
 *
 * 1. The one that the test command names, by its version or by its place. One in the project's folder counts only where it is the user's own,
 *    in their checkout and in no tree: what a candidate brings is never started. It is used as it is, and read only.
 * 2. The first environment of the project that can import the runner: python-environments.ts.
 * 3. The one on the PATH. Named ones that cannot be had are reported instead: the PATH's would judge another project.
 */
import { dirname, isAbsolute, join, normalize } from 'node:path';
import type { Platform } from '../../platform/platform.ts';
import { executableOf, findPython } from './programs.ts';
import { environmentAt, isOfTree, pythonEnvironments, type PythonEnvironment } from './python-environments.ts';
import { beforeFirst } from '../../domain/text-parts.ts';

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

/** `environment`: where the interpreter is none of the PATH's. */
export interface FoundPython {
  python: string | null;
  environment: Pick<PythonEnvironment, 'folder' | 'name'> | null;
}

/** `module` cannot be imported where it was looked for: in `environment`, null: there is none. */
export interface MissingPython {
  missing: string;
  module: string;
  environment: PythonEnvironment | null;
}

export type ChosenPython = FoundPython | MissingPython;

export async function choosePython(platform: Platform, wish: PythonWish): Promise<ChosenPython> {
  const { checkout, module, tool } = wish;
  const named = namedPython(wish);
  if (named !== null) {
    const folder = dirname(dirname(named.file));
    const isTrusted = checkout === null || !named.isInProject || (await environmentAt(platform, folder, { ...wish, checkout })) !== null;
    if (!isTrusted) return { missing: `${named.says}, which the test command names, ${NOT_TRUSTED}`, module, environment: null };
    const python = await executableOf(platform, named.file, module);
    if (python !== null) return inEnvironment(python, named.isInProject ? dirname(dirname(named.says)) : folder);
    return { missing: `${named.says}, which the test command names, ${cannot(module)}`, module, environment: null };
  }
  const found = checkout === null ? [] : await pythonEnvironments(platform, { ...wish, checkout });
  for (const { python, name } of found) {
    const usable = await executableOf(platform, python, module);
    if (usable !== null) return inEnvironment(usable, name);
  }
  const [first = null] = found;
  if (checkout !== null && tool !== null) return { missing: toolProblem(tool, first, module), module, environment: first };
  const python = isOwn(first) ? null : await findPython(platform, module);
  if (python === null && first !== null) return { missing: `${module} is not installed in ${first.name}`, module, environment: first };
  return { python, environment: null };
}

/** Made for this project and no other: with the packages of another Python something else would be judged. */
function isOwn(environment: PythonEnvironment | null): boolean {
  return environment !== null && /^\.?venv$/.test(environment.name);
}

function inEnvironment(python: string, name: string): FoundPython {
  return { python, environment: { folder: dirname(dirname(python)), name } };
}

const NOT_TRUSTED =
  'is not a virtual environment of your own: there is no pyvenv.cfg, git tracks files in it, or its interpreter is a program of the project';

function cannot(module: string): string {
  return `is not installed here or cannot import ${module}: install ${module} for it, or name another Python in testing.full`;
}

/** null: the command names no Python in particular. */
function namedPython({ checkout, program, paths }: PythonWish): { file: string; says: string; isInProject: boolean } | null {
  if (/^python\d+\.\d+$/.test(program)) return { file: program, says: program, isInProject: false };
  if (!/\/(?:python[0-9.]*|pytest|py\.test|coverage3?)$/.test(program)) return null;
  const beside = /\/python[0-9.]*$/.test(program) ? program : join(dirname(program), 'python');
  if (isAbsolute(beside)) return { file: beside, says: program, isInProject: false };
  const place = normalize(beside);
  if (checkout === null || place.startsWith('..') || isOfTree(beforeFirst(place, '/'), paths)) return null;
  return { file: join(checkout, place), says: program, isInProject: true };
}

function toolProblem(tool: string, environment: PythonEnvironment | null, module: string): string {
  return environment === null
    ? `${tool} keeps no environment for this project here`
    : `${module} is not installed in ${environment.name}, the environment that ${tool} keeps for this project`;
}
