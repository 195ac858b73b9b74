/**
 * Code that works here because a package happens to lie there: something else brought it, and whoever installs the project does not get it.
 *
 * 1. Looked at are changed sources that tests reach, and only imports that the code from before did not have.
 * 2. Told is only what is certain: JavaScript where the lockfile has the package as a part of others; Python where the environment's own records say
 *    which distribution a module belongs to, and no file in which dependencies are listed names it.
 */
import { builtinModules } from 'node:module';
import { posix } from 'node:path';
import { fileOf, type Finding } from '../../domain/verdict.ts';
import { testFilesOf } from '../../domain/test-files.ts';
import { pathSetOf } from '../../domain/tree-index.ts';
import type { Case, OpenCase } from '../case.ts';
import type { JudgeInput } from '../contract.ts';
import { runRoomCommand } from '../run/room-command.ts';
import { quoteWord } from '../../domain/quote-word.ts';
import { pythonCandidates } from '../source/imports.ts';
import { PYTHON_MODULES } from '../source/python-modules.ts';
import { readSource } from '../source/read-source.ts';
import { languageOf } from '../source/source.ts';
import { pythonOf } from './as-a-program.ts';
import { changedSources } from './check-reach.ts';
import { filesReachedFrom } from './reach.ts';
import { beforeFirst } from '../../domain/text-parts.ts';

interface Used {
  path: string;
  name: string;
}

export async function findUndeclared(input: Case): Promise<Finding[]> {
  const { judged } = input;
  const changed = changedSources(input);
  if (changed.length === 0) return [];
  const used = await newlyUsed(input, changed);
  const scripts = used.filter(({ path }) => languageOf(path) === 'javascript');
  const python = used.filter(({ path }) => languageOf(path) === 'python');
  const found = [
    ...(scripts.length === 0 ? [] : await notInManifest(input, judged.tree, scripts)),
    ...(python.length === 0 ? [] : await notListed(input, judged.tree, python)),
  ];
  if (found.length === 0) return [];
  const reached = new Set(await filesReachedFrom(input.trees, judged.tree, testsOf(input)));
  const subjects = found.filter(({ path }) => reached.has(path)).map(({ path, name }) => `${path}: ${name}`);
  const message = 'code uses packages that the project does not declare, so a fresh installation lacks them';
  return subjects.length === 0
    ? []
    : [{ check: 'quality', reason: 'tamper.toolchain', weight: 'ask', message, subjects: subjects.slice(0, 50) }];
}

function testsOf({ feature, baseline }: JudgeInput): string[] {
  return [...new Set([...testFilesOf(feature), ...(baseline?.passing_tests ?? []).map(fileOf)])];
}

/** Packages that these files import and their earlier versions did not. */
async function newlyUsed(input: Case, files: readonly string[]): Promise<Used[]> {
  const { judged } = input;
  const used: Used[] = [];
  for (const path of files) {
    const [now, before] = await Promise.all([packagesIn(input, judged.tree, path), packagesIn(input, input.base.tree, path)]);
    used.push(...[...now].filter((name) => !before.has(name)).map((name) => ({ path, name })));
  }
  return used;
}

async function packagesIn({ platform, trees }: OpenCase, tree: string, path: string): Promise<Set<string>> {
  const text = (await trees.read(tree, path))?.toString('utf8');
  const reading = text === undefined ? null : await readSource(platform, path, text);
  const names = (reading?.imports ?? []).filter((one) => !one.isType).map((one) => one.specifier);
  return new Set(names.flatMap((name) => (path.endsWith('.py') ? pythonPackage(name) : scriptPackage(name)) ?? []));
}

function scriptPackage(specifier: string): string | null {
  const name = /^(?:@[\w.-]+\/)?[a-z][\w.-]*/i.exec(specifier)?.[0];
  return name === undefined || specifier.includes(':') || builtinModules.includes(name) ? null : name;
}

function pythonPackage(specifier: string): string | null {
  const name = beforeFirst(specifier, '.');
  return name === '' || PYTHON_MODULES.has(name) ? null : name;
}

const LISTS = ['dependencies', 'devDependencies', 'peerDependencies', 'optionalDependencies'] as const;

/** Those that the lockfile has, but no manifest between the file and the root names. */
async function notInManifest({ trees }: JudgeInput, tree: string, used: readonly Used[]): Promise<Used[]> {
  const read = async (path: string): Promise<Record<string, unknown>> => {
    try {
      return JSON.parse((await trees.read(tree, path))?.toString('utf8') ?? '{}') as Record<string, unknown>;
    } catch {
      return {};
    }
  };
  const locked = (await read('package-lock.json'))['packages'] as Record<string, { link?: boolean }> | undefined;
  if (locked === undefined) return [];
  const found: Used[] = [];
  for (const one of used) {
    const entry = locked[`node_modules/${one.name}`];
    if (entry === undefined || entry.link === true) continue;
    const folders = one.path.split('/').map((_part, at, parts) => parts.slice(0, at).join('/'));
    const manifests = await Promise.all(folders.map((folder) => read(posix.join(folder, 'package.json'))));
    const named = manifests.flatMap((manifest) => [manifest['name'], ...LISTS.flatMap((list) => Object.keys(manifest[list] ?? {}))]);
    if (!named.includes(one.name)) found.push(one);
  }
  return found;
}

const MANIFESTS = /^(?:pyproject\.toml|setup\.(?:cfg|py)|Pipfile|environment\.ya?ml|requirements[\w./-]*\.(?:txt|in))$/;

async function notListed(input: OpenCase, tree: string, used: readonly Used[]): Promise<Used[]> {
  const paths = pathSetOf(await input.trees.list(tree));
  const manifests = [...paths].filter((path) => MANIFESTS.test(path));
  const foreign = used.filter(
    ({ path, name }) =>
      !pythonCandidates({ specifier: name, names: [] }, path).some((group) =>
        group.some((file) => paths.has(file) || hasFolder(paths, file)),
      ),
  );
  const program = manifests.length === 0 || foreign.length === 0 ? null : await pythonOf(input, tree);
  if (program === null) return [];
  const texts = await Promise.all(manifests.map(async (path) => (await input.trees.read(tree, path))?.toString('utf8') ?? ''));
  const listed = new Set(texts.flatMap((text) => text.match(/[A-Za-z0-9][\w.-]*/g) ?? []).map(plainName));
  const brought = await distributionsOf(input, tree, program, [...new Set(foreign.map((one) => one.name))]);
  return foreign.filter(({ name }) => {
    const own = brought[name] ?? [];
    return own.length > 0 && ![...own, name].some((one) => listed.has(plainName(one)));
  });
}

function hasFolder(paths: ReadonlySet<string>, file: string): boolean {
  const folder = file.replace(/(?:\/__init__)?\.py$/, '/');
  return file !== '' && [...paths].some((path) => path.startsWith(folder));
}

function plainName(name: string): string {
  return name.toLowerCase().replaceAll(/[-_.]+/g, '-');
}

/** Which installed distributions each module belongs to; none where Python is too old to tell. */
async function distributionsOf(
  input: OpenCase,
  tree: string,
  program: string,
  names: readonly string[],
): Promise<Record<string, string[]>> {
  const { platform } = input;
  const code = `import importlib.metadata as m, json; d = m.packages_distributions(); print('told' + json.dumps({n: d.get(n, []) for n in ${JSON.stringify(names)}}))`;
  const command = `${quoteWord(program)} -I -c ${quoteWord(code)}`;
  const { output_tail } = await runRoomCommand(platform, { ...input, tree, command });
  const line = /^told(\{.*\})$/m.exec(output_tail)?.[1];
  return line === undefined ? {} : (JSON.parse(line) as Record<string, string[]>);
}
