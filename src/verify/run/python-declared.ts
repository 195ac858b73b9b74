/**
 * Python packages that a project asks for, and where it says so: pyproject.toml (dependencies, extras, groups of PEP 735, of poetry, pdm, uv and
 * hatch), requirements files, setup.cfg, tox.ini and Pipfile. Pure.
 */
import { groupOf } from '../../domain/text-parts.ts';

export interface DeclaredPackage {
  /** As indexes compare names. */
  name: string;
  /** With its version, as it stands there. */
  requirement: string;
  file: string;
  kind: 'dependencies' | 'extra' | 'group' | 'environment' | 'file';
  /** Of the extra, the group or the environment. */
  group: string;
}

export const DECLARING =
  /^(?:pyproject\.toml|setup\.cfg|tox\.ini|Pipfile|(?:[\w.-]*requirements[\w.-]*|(?:[\w.-]*requirements|requires)\/[\w./-]+)\.(?:txt|in|pip))$/;

export function plainName(name: string): string {
  return name.toLowerCase().replaceAll(/[-_.]+/g, '-');
}

export function declaredPackages(texts: ReadonlyMap<string, string>): DeclaredPackage[] {
  return [...texts].flatMap(([file, text]) => {
    if (file === 'pyproject.toml') return fromPyproject(file, text);
    if (file === 'Pipfile') return fromPipfile(file, text);
    if (/\.(?:cfg|ini)$/.test(file)) return fromIni(file, text);
    return text.split('\n').flatMap((line) => toPackage(line, { file, kind: 'file', group: '' }));
  });
}

type Place = Pick<DeclaredPackage, 'file' | 'kind' | 'group'>;

/** Of a line such as `pytest>=7 ; python_version > "3"`; none of an option, a link or a path. */
function toPackage(line: string, place: Place): DeclaredPackage[] {
  const text = line.replace(/(?:^|\s)#.*$/, '').trim();
  const match = /^([A-Za-z0-9](?:[\w.-]*[A-Za-z0-9])?)\s*(\[[\w\s,.-]*\])?\s*((?:[<>=!~]=?=?\s*[\w.*+!-]+\s*,?\s*)*)(?:[;@].*)?$/.exec(
    text,
  );
  if (match === null) return [];
  const requirement = `${groupOf(match, 1)}${match[2] ?? ''}${match[3] ?? ''}`.replaceAll(/\s+/g, '');
  return [{ name: plainName(groupOf(match, 1)), requirement, ...place }];
}

interface Key {
  table: string;
  key: string;
  value: string;
}

const HEADER = /^[ \t]*\[{1,2}[ \t]*([^\]\n]+?)[ \t]*\]{1,2}[ \t]*(?:#.*)?$/;

/** Keys of a TOML text with their values as they stand there, an array over several lines as a whole. */
function tomlKeys(text: string): Key[] {
  const keys: Key[] = [];
  let table = '';
  let open: Key | null = null;
  for (const line of text.split('\n')) {
    if (open !== null) {
      open.value += `\n${line}`;
      if (isClosed(open.value)) open = null;
      continue;
    }
    const header = HEADER.exec(line)?.[1];
    const pair = /^[ \t]*([\w.-]+|"[^"\n]+"|'[^'\n]+')[ \t]*=[ \t]*(.*)$/.exec(line);
    if (header !== undefined) table = header.replaceAll(/["']/g, '');
    else if (pair !== null) {
      const found: Key = { table, key: groupOf(pair, 1).replaceAll(/["']/g, ''), value: groupOf(pair, 2) };
      keys.push(found);
      if (found.value.startsWith('[') && !isClosed(found.value)) open = found;
    }
  }
  return keys;
}

/** Brackets outside of quotes and comments. */
function isClosed(value: string): boolean {
  const plain = value.replaceAll(/"(?:[^"\\\n]|\\.)*"|'[^'\n]*'|#[^\n]*/g, '');
  return plain.split('[').length <= plain.split(']').length;
}

function stringsIn(value: string): string[] {
  const plain = value.replaceAll(/("(?:[^"\\\n]|\\.)*"|'[^'\n]*')|#[^\n]*/g, '$1').replaceAll(/\{[^}]*\}/g, '');
  return [...plain.matchAll(/"((?:[^"\\\n]|\\.)*)"|'([^'\n]*)'/g)].map((match) => match[1] ?? groupOf(match, 2));
}

function fromPyproject(file: string, text: string): DeclaredPackage[] {
  const keys = tomlKeys(text);
  return [
    ...keys.flatMap(({ table, key, value }): DeclaredPackage[] => {
      const list = (kind: Place['kind'], group: string): DeclaredPackage[] =>
        stringsIn(value).flatMap((line) => toPackage(line, { file, kind, group }));
      if (table === 'project' && key === 'dependencies') return list('dependencies', '');
      if (table === 'project.optional-dependencies') return list('extra', key);
      if (table === 'dependency-groups' || table === 'tool.pdm.dev-dependencies') return list('group', key);
      if (table === 'tool.uv' && key === 'dev-dependencies') return list('group', 'dev');
      const environment = /^tool\.hatch\.envs\.([\w.-]+)$/.exec(table)?.[1];
      if (environment !== undefined && /^(?:extra-)?dependencies$/.test(key)) return list('environment', environment);
      return fromPoetry(file, { table, key, value });
    }),
    ...included(keys, file),
  ];
}

/** `{include-group = "test"}`: what the other group names is in this one as well, one step deep. */
function included(keys: readonly Key[], file: string): DeclaredPackage[] {
  const groups = keys.filter(({ table }) => table === 'dependency-groups');
  return groups.flatMap(({ key, value }) =>
    [...value.matchAll(/\{\s*include-group\s*=\s*["']([^"'\n]+)["']\s*\}/g)].flatMap(([, name = '']) =>
      groups
        .filter((other) => plainName(other.key) === plainName(name))
        .flatMap((other) => stringsIn(other.value))
        .flatMap((line) => toPackage(line, { file, kind: 'group', group: key })),
    ),
  );
}

function fromPoetry(file: string, { table, key, value }: Key): DeclaredPackage[] {
  if (key === 'python') return [];
  const group = /^tool\.poetry\.group\.([\w.-]+)\.dependencies$/.exec(table)?.[1];
  const kind = table === 'tool.poetry.dependencies' ? 'dependencies' : 'group';
  const name = group ?? (table === 'tool.poetry.dev-dependencies' ? 'dev' : '');
  if (group === undefined && kind === 'group' && name === '') return [];
  const version = stringsIn(value)[0] ?? '';
  const requirement = /^\d/.test(version) ? `${key}==${version}` : `${key}${/^[<>=!~]/.test(version) ? version.replaceAll(' ', '') : ''}`;
  return [{ name: plainName(key), requirement, file, kind, group: name }];
}

function fromPipfile(file: string, text: string): DeclaredPackage[] {
  return tomlKeys(text).flatMap(({ table, key }): DeclaredPackage[] => {
    if (table !== 'packages' && table !== 'dev-packages') return [];
    return [{ name: plainName(key), requirement: key, file, kind: table === 'packages' ? 'dependencies' : 'group', group: 'dev-packages' }];
  });
}

/** `install_requires` and extras of setup.cfg, `deps` of tox.ini. */
function fromIni(file: string, text: string): DeclaredPackage[] {
  const found: DeclaredPackage[] = [];
  let section = '';
  let place: Place | null = null;
  for (const line of text.split('\n')) {
    const header = /^\[([^\]]+)\]/.exec(line)?.[1];
    const pair = /^([\w-]+)\s*=\s*(.*)$/.exec(line);
    if (header !== undefined) [section, place] = [header, null];
    else if (pair !== null) {
      place = iniPlace(file, section, groupOf(pair, 1));
      if (place !== null) found.push(...toPackage(groupOf(pair, 2), place));
    } else if (place !== null && /^\s+\S/.test(line)) found.push(...toPackage(line.replace(/^\s*[\w.,{}-]+:\s+/, ''), place));
  }
  return found;
}

function iniPlace(file: string, section: string, key: string): Place | null {
  if (section === 'options' && key === 'install_requires') return { file, kind: 'dependencies', group: '' };
  if (section === 'options.extras_require') return { file, kind: 'extra', group: key };
  if (section.startsWith('testenv') && key === 'deps') return { file, kind: 'environment', group: section.replace(/^testenv:?/, '') };
  return null;
}
