/**
 * Python packages that a run lacked: what is missing, which file and group declares it, and the command of the tool at hand that installs it.
 * Pure.
 */
import { declaredPackages, plainName, type DeclaredPackage } from './python-declared.ts';
import { quoteWord } from '../../domain/quote-word.ts';
import { allGroups } from '../../domain/text-parts.ts';
import { firstItem, itemAt, lastItem, ownValue } from '../../domain/items.ts';

export type PythonTool = 'uv' | 'poetry' | 'pdm' | 'pipenv' | 'hatch' | 'tox' | 'pip';

export interface PythonSetUp {
  tool: PythonTool;
  /** As people name it, `.venv`; null: the Python on the PATH. */
  environment: string | null;
  /** The files that declare packages, and setup.py. */
  texts: ReadonlyMap<string, string>;
  /** Every file of the tree. */
  paths: readonly string[];
}

/** Names of packages whose modules are called otherwise. */
const BY_MODULE: Readonly<Record<string, readonly string[]>> = {
  attr: ['attrs'],
  bs4: ['beautifulsoup4'],
  crypto: ['pycryptodome'],
  cv2: ['opencv-python', 'opencv-python-headless'],
  dateutil: ['python-dateutil'],
  docx: ['python-docx'],
  dotenv: ['python-dotenv'],
  git: ['gitpython'],
  jose: ['python-jose'],
  jwt: ['pyjwt'],
  mysqldb: ['mysqlclient'],
  openssl: ['pyopenssl'],
  pil: ['pillow'],
  'pkg-resources': ['setuptools'],
  psycopg2: ['psycopg2', 'psycopg2-binary'],
  serial: ['pyserial'],
  sklearn: ['scikit-learn'],
  xdist: ['pytest-xdist'],
  yaml: ['pyyaml'],
  zmq: ['pyzmq'],
};

/** Plugins of pytest by the options and fixtures that they bring. */
const BY_OPTION: readonly (readonly [RegExp, string])[] = [
  [/^--(?:no-)?cov\b/, 'pytest-cov'],
  [/^(?:-n\d*|-nauto|--numprocesses|--dist|--maxprocesses|--max-worker-restart)(?:=|$)/, 'pytest-xdist'],
  [/^--timeout\b/, 'pytest-timeout'],
  [/^--asyncio-/, 'pytest-asyncio'],
  [/^--benchmark-/, 'pytest-benchmark'],
  [/^--random-order/, 'pytest-random-order'],
  [/^--randomly-/, 'pytest-randomly'],
  [/^--reruns\b/, 'pytest-rerunfailures'],
  [/^--(?:ds|django-[\w-]+|reuse-db|create-db|nomigrations|no-migrations)\b/, 'pytest-django'],
  [/^--(?:disable|allow)-(?:socket|hosts)\b/, 'pytest-socket'],
  [/^--doctest-(?:plus|rst)/, 'pytest-doctestplus'],
  [/^--hypothesis-/, 'hypothesis'],
  [/^--(?:snapshot-update)\b/, 'syrupy'],
  [/^--self-contained-html\b|^--html\b/, 'pytest-html'],
  [/^--(mypy|ruff|black|flake8|flakes|isort|pylint|env|sugar|picked|mpl)\b/, 'pytest-$1'],
];
const BY_FIXTURE: Readonly<Record<string, string>> = {
  mocker: 'pytest-mock',
  benchmark: 'pytest-benchmark',
  freezer: 'pytest-freezer',
  snapshot: 'syrupy',
  httpserver: 'pytest-httpserver',
  httpx_mock: 'pytest-httpx',
  requests_mock: 'requests-mock',
  aiohttp_client: 'pytest-aiohttp',
  subtests: 'pytest-subtests',
  qtbot: 'pytest-qt',
};

/** What a run says that it lacks: modules by their names, packages by theirs. */
function namesIn(output: string): { modules: Set<string>; packages: Set<string>; awaits: boolean } {
  const all = (pattern: RegExp): string[] => allGroups(output, pattern, 1);
  const options = all(/unrecognized arguments: ([^\n]+)/g).flatMap((line) => line.split(/\s+/));
  const plugins = options.flatMap((option) =>
    BY_OPTION.flatMap(([pattern, name]) => pattern.exec(option)?.[0].replace(pattern, name) ?? []),
  );
  const fixtures = all(/fixture '(\w+)' not found/g).flatMap((name) => ownValue(BY_FIXTURE, name) ?? []);
  const required = all(/Missing required plugins: ([^\n]+)/g).flatMap((line) =>
    line.split(',').map((one) => one.trim().replace(/[<>=!~ ].*$/, '')),
  );
  const metadata = all(/No package metadata was found for ([\w.-]+?)\.?(?:[\s'"]|$)/gm);
  return {
    modules: new Set(all(/No module named ['"]?(\w+)/g)),
    packages: new Set([...plugins, ...fixtures, ...required, ...metadata].map(plainName)),
    awaits: /async def functions are not natively supported/.test(output),
  };
}

interface Missing {
  name: string;
  declared: DeclaredPackage | null;
  isProject: boolean;
}

/** A sentence for what is missing, one for each command that installs some of it; none where nothing is known to be missing. */
export function explainMissing(output: string, setUp: PythonSetUp): string[] {
  const declared = declaredPackages(setUp.texts);
  const { modules, packages, awaits } = namesIn(output);
  const find = (name: string): DeclaredPackage | null =>
    bestOf(
      declared.filter((one) => one.name === plainName(name)),
      setUp.tool,
    );
  const project = projectName(setUp.texts);
  const found = new Map<string, Missing>();
  const add = (name: string): void => void found.set(name, { name, declared: find(name), isProject: name === project });
  for (const name of packages) add(name);
  for (const name of awaits ? ['pytest-asyncio', 'anyio', 'pytest-trio'] : []) if (find(name) !== null) add(name);
  for (const module of modules) {
    const names = [...(BY_MODULE[plainName(module)] ?? []), plainName(module)];
    const named = names.find((name) => find(name) !== null) ?? firstItem(names);
    if (find(named) !== null || !isOfProject(module, setUp.paths)) add(named);
  }
  const groups = new Map<string, Missing[]>();
  for (const one of found.values()) {
    const key = `${whereOf(one, setUp)}\n${commandFor(one, setUp, declared)}`;
    groups.set(key, [...(groups.get(key) ?? []), one]);
  }
  const told = [...groups].map(([key, some]) => sentence(some, key.split('\n') as [string, string], setUp));
  const commands = commandsOf(
    told.map(({ command }) => command),
    setUp,
  );
  const says = told.map(({ says: one }) => one);
  if (commands.length < told.length) return [`${says.join(' ')} Run: ${commands.join(' && ')}`];
  return says.map((one, at) => `${one} Run: ${itemAt(commands, at)}`);
}

interface Told {
  says: string;
  command: string;
}

function sentence(some: readonly Missing[], [where, command]: [string, string], { environment }: PythonSetUp): Told {
  const names = some.map(({ name }) => name);
  const list = names.length === 1 ? firstItem(names) : `${names.slice(0, -1).join(', ')} and ${lastItem(names)}`;
  const at = environment === null ? 'for the Python on the PATH' : `in ${environment}`;
  const all = some.some(({ declared, isProject }) => declared === null && !isProject)
    ? command.replace('{names}', names.map(quoteWord).join(' '))
    : command;
  const is = names.length === 1 ? 'is' : 'are';
  return { says: `${list} ${is} not installed ${at}.${where.replace('{it}', names.length === 1 ? 'It is' : 'They are')}`, command: all };
}

/** What pip installs, it installs at once. A new environment keeps what the Python on the PATH has, such as the test runner. */
function commandsOf(commands: readonly string[], { environment, tool }: PythonSetUp): string[] {
  const start = environment === null && tool === 'pip' ? 'python3 -m venv --system-site-packages .venv && ' : '';
  const pip = `${withPip(pythonIn(environment))} install `;
  if (commands.length < 2 || !commands.every((command) => command.startsWith(pip))) return commands.map((command) => `${start}${command}`);
  return [`${start}${pip}${[...new Set(commands.map((command) => command.slice(pip.length)))].join(' ')}`];
}

/** A module with files in the tree is the project's own. */
function isOfProject(module: string, paths: readonly string[]): boolean {
  return (
    module.startsWith('_') ||
    paths.some((path) => path === `${module}.py` || path.endsWith(`/${module}.py`) || `/${path}`.includes(`/${module}/`))
  );
}

function projectName(texts: ReadonlyMap<string, string>): string | null {
  const name = /^[ \t]*\[(?:project|tool\.poetry)\][ \t]*\n(?:(?![ \t]*\[)[^\n]*\n)*?[ \t]*name[ \t]*=[ \t]*["']([^"'\n]+)["']/m.exec(
    texts.get('pyproject.toml') ?? '',
  );
  const older =
    /^\[metadata\][^[]*?^name[ \t]*=[ \t]*(\S+)/ms.exec(texts.get('setup.cfg') ?? '') ??
    /\bname\s*=\s*["']([^"'\n]+)["']/.exec(texts.get('setup.py') ?? '');
  const found = name?.[1] ?? older?.[1];
  return found === undefined ? null : plainName(found);
}

/** What one step of the tool installs comes before what needs another one; what is for tests before what is for all. */
function bestOf(found: readonly DeclaredPackage[], tool: PythonTool): DeclaredPackage | null {
  const kinds: readonly DeclaredPackage['kind'][] =
    tool === 'tox' || tool === 'hatch'
      ? ['environment', 'dependencies', 'extra', 'group', 'file']
      : tool === 'pip'
        ? ['dependencies', 'extra', 'file', 'group', 'environment']
        : ['dependencies', 'group', 'extra', 'file', 'environment'];
  const weight = (one: DeclaredPackage): number =>
    kinds.indexOf(one.kind) * 10 + (/test/i.test(`${one.group} ${one.file}`) ? 0 : /dev/i.test(`${one.group} ${one.file}`) ? 1 : 2);
  return found.toSorted((one, other) => weight(one) - weight(other))[0] ?? null;
}

function whereOf({ declared, name, isProject }: Missing, { texts }: PythonSetUp): string {
  if (isProject) return ' It is the project itself.';
  if (declared !== null) {
    const { kind, group, file } = declared;
    const inside = kind === 'file' || kind === 'dependencies' || group === '' ? '' : `the ${kind} "${group}" of `;
    return ` {it} declared in ${inside}${file}.`;
  }
  const word = new RegExp(`(?<![\\w-])${name.replaceAll('-', '[-_.]')}(?![\\w-])`, 'i');
  const file = [...texts].find(([, text]) => word.test(text))?.[0];
  return file === undefined ? ' No file of the project declares it.' : ` {it} named in ${file}.`;
}

function commandFor({ declared, isProject }: Missing, setUp: PythonSetUp, all: readonly DeclaredPackage[]): string {
  const commands = COMMANDS[setUp.tool];
  const python = pythonIn(setUp.environment);
  if (isProject || declared?.kind === 'dependencies') return commands.project(python);
  if (declared === null) return commands.add(python);
  const { kind, group, file } = declared;
  if (kind === 'file') return `${commands.pip(python)} install -r ${quoteWord(file)}`;
  if (kind === 'extra') return commands.extra(group, python);
  const together = all
    .filter((one) => one.kind === kind && one.group === group && one.file === file)
    .map((one) => quoteWord(one.requirement));
  if (kind === 'environment') return commands.environment?.(group) ?? `${commands.pip(python)} install ${[...new Set(together)].join(' ')}`;
  return commands.group?.(group, python) ?? `${commands.pip(python)} install ${[...new Set(together)].join(' ')}`;
}

function pythonIn(environment: string | null): string {
  return `${environment ?? '.venv'}/bin/python`;
}

interface ToolCommands {
  /** With what is installed into the environment without the tool knowing of it. */
  pip(python: string): string;
  project(python: string): string;
  extra(name: string, python: string): string;
  /** null: the packages of a group are named one by one. */
  group: ((name: string, python: string) => string) | null;
  environment?: (name: string) => string;
  /** For what nothing declares; `{names}`. */
  add(python: string): string;
}

const withPip = (python: string): string => `${quoteWord(python)} -m pip`;

const COMMANDS: Readonly<Record<PythonTool, ToolCommands>> = {
  pip: {
    pip: withPip,
    project: (python) => `${withPip(python)} install -e .`,
    extra: (name, python) => `${withPip(python)} install -e '.[${name}]'`,
    group: null,
    add: (python) => `${withPip(python)} install {names}`,
  },
  uv: {
    pip: () => 'uv pip',
    project: () => 'uv sync',
    extra: (name) => `uv sync --extra ${name}`,
    group: (name) => (name === 'dev' ? 'uv sync' : `uv sync --group ${name}`),
    add: () => 'uv add --dev {names}',
  },
  poetry: {
    pip: () => 'poetry run pip',
    project: () => 'poetry install',
    extra: (name) => `poetry install --extras ${name}`,
    group: (name) => `poetry install --with ${name}`,
    add: () => 'poetry add --group dev {names}',
  },
  pdm: {
    pip: () => 'pdm run pip',
    project: () => 'pdm install',
    extra: (name) => `pdm install -G ${name}`,
    group: (name) => `pdm install -G ${name}`,
    add: () => 'pdm add -dG test {names}',
  },
  pipenv: {
    pip: () => 'pipenv run pip',
    project: () => 'pipenv install',
    extra: (name) => `pipenv run pip install -e '.[${name}]'`,
    group: () => 'pipenv install --dev',
    add: () => 'pipenv install --dev {names}',
  },
  hatch: {
    pip: () => 'hatch run pip',
    project: () => 'hatch env create',
    extra: (name) => `hatch run pip install -e '.[${name}]'`,
    group: null,
    environment: (name) => (name === 'default' ? 'hatch env create' : `hatch env create ${name}`),
    add: () => 'hatch run pip install {names}',
  },
  tox: {
    pip: (python) => withPip(python),
    project: () => 'tox --notest',
    extra: () => 'tox --notest',
    group: null,
    environment: (name) => (name === '' ? 'tox --notest' : `tox -e ${name} --notest`),
    add: (python) => `${withPip(python)} install {names}`,
  },
};
