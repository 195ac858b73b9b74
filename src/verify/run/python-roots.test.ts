import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Feature } from '../../domain/feature.ts';
import type { Verdict } from '../../domain/verdict.ts';
import { nodePlatform } from '../../platform/node-platform.ts';
import type { Platform } from '../../platform/platform.ts';
import { passingIds } from '../memory/baseline.ts';
import { judge } from '../judge.ts';
import { findPython } from './programs.ts';
import { pythonRoots } from './python-roots.ts';
import { runSuite } from './suite.ts';
import { createBench, type Bench, type FileTable } from '../test-support.ts';

const PROJECT = '[project]\nname = "p"\n';
const FLAT = { 'pkg/__init__.py': '', 'tests/test_a.py': '' };

describe('roots', () => {
  const cases: [string, Record<string, string>, string[]][] = [
    ['packages in src', { 'src/pkg/__init__.py': '' }, ['src']],
    ['modules in src', { 'src/calc.py': '' }, ['src']],
    ['a package called src', { 'src/__init__.py': '', 'src/a.py': '' }, []],
    ['scripts that nobody installs', { 'calc.py': '' }, []],
    ['a project that is installed', { 'pyproject.toml': '[project]\nname = "p"\n', 'pkg/__init__.py': '' }, ['.']],
    ['package-dir', { 'pyproject.toml': '[tool.setuptools]\npackage-dir = {"" = "lib"}\n', 'lib/p/__init__.py': '' }, ['lib']],
    ['a table package-dir', { 'pyproject.toml': '[tool.setuptools.package-dir]\n"" = "lib"\n', 'lib/p/__init__.py': '' }, ['lib']],
    ['packages.find', { 'pyproject.toml': '[tool.setuptools.packages.find]\nwhere = [\n  "lib",\n]\n', 'lib/p/__init__.py': '' }, ['lib']],
    ['Poetry', { 'pyproject.toml': '[tool.poetry]\npackages = [{ include = "p", from = "code" }]\n', 'code/p/__init__.py': '' }, ['code']],
    ['Hatch', { 'pyproject.toml': '[tool.hatch.build.targets.wheel]\npackages = ["code/p"]\n', 'code/p/__init__.py': '' }, ['code']],
    ['uv', { 'pyproject.toml': '[tool.uv.build-backend]\nmodule-root = "code"\n', 'code/p/__init__.py': '' }, ['code']],
    ['setup.cfg', { 'setup.cfg': '[options]\npackage_dir =\n    = code\n', 'code/p/__init__.py': '' }, ['code']],
    ['find in setup.cfg', { 'setup.cfg': '[options.packages.find]\nwhere = code\n', 'code/p/__init__.py': '' }, ['code']],
    ['setup.py', { 'setup.py': "setup(package_dir={'': 'code'}, packages=find_packages('code'))", 'code/p/__init__.py': '' }, ['code']],
    ['pytest', { 'pytest.ini': '[pytest]\npythonpath = code more\n', 'code/p/__init__.py': '', 'more/q.py': '' }, ['code', 'more']],
    [
      'what only tests look into',
      { 'pyproject.toml': `${PROJECT}[tool.pytest.ini_options]\npythonpath = ["tests"]\n`, ...FLAT },
      ['tests', '.'],
    ],
    ['a checker', { 'pyproject.toml': `${PROJECT}[tool.mypy]\npackages = ["tests"]\nwhere = "tests"\n`, ...FLAT }, ['.']],
    ['packages beside a src', { 'pyproject.toml': PROJECT, ...FLAT, 'src/speedups/gen.py': '' }, ['src', '.']],
    [
      'packages beside a build setting',
      { 'pyproject.toml': `${PROJECT}[tool.setuptools.packages.find]\nwhere = ["lib"] # here\n`, 'lib/p.py': '', ...FLAT },
      ['lib', '.'],
    ],
    ['a package below', { 'packages/a/pyproject.toml': '[project]\n', 'packages/a/src/a/__init__.py': '' }, ['packages/a/src']],
    ['folders elsewhere', { 'pyproject.toml': '[tool.setuptools]\npackage-dir = {"" = "../lib"}\nwhere = ["/etc"]', 'a.py': '' }, []],
  ];
  test.each(cases)('%s', async (_title, files, roots) => {
    expect(await pythonRoots(Object.keys(files), async (path) => files[path]!)).toEqual(roots);
  });
});

const python = await findPython(nodePlatform());

describe.runIf(python !== null)('a package that is installed as well', () => {
  let bench: Bench;
  let home: string;
  const platforms = new Map<string, Platform>();
  const feature: Feature = { id: 2, description: 'subtracts', test_file: 'tests/test_subtract.py', passes: false };
  const list = (passes: boolean): string => JSON.stringify({ project: 'p', features: [{ ...feature, passes }] });
  const base: FileTable = {
    'pyproject.toml':
      '[project]\nname = "calc"\nversion = "1"\n[build-system]\nrequires = ["setuptools"]\nbuild-backend = "setuptools.build_meta"\n',
    'src/calc/__init__.py': '',
    'src/calc/add.py': 'def add(a, b):\n    return a + b\n',
    'tests/test_add.py': 'from calc.add import add\n\ndef test_add():\n    assert add(1, 2) == 3\n',
    'features.json': list(false),
  };
  const honest: FileTable = {
    ...base,
    'src/calc/subtract.py': 'def subtract(a, b):\n    return a - b\n',
    'tests/test_subtract.py': 'from calc.subtract import subtract\n\ndef test_subtract():\n    assert subtract(3, 2) == 1\n',
    'features.json': list(true),
  };
  const editable = (where: string): string => `import sys
from importlib.util import spec_from_file_location
class Finder:
    @classmethod
    def find_spec(cls, name, path=None, target=None):
        if name == 'calc': return spec_from_file_location(name, ${JSON.stringify(join('@home', 'src/calc/__init__.py'))}, submodule_search_locations=[${JSON.stringify(join('@home', 'src/calc'))}])
sys.meta_path.${where}Finder)
`;
  /** What each kind of installation leaves in the environment's packages. */
  const INSTALLED: Record<string, FileTable> = {
    nothing: {},
    'a path file': { 'calc.pth': join('@home', 'src') },
    'a finder': { '__editable___calc_finder.py': editable('append('), '__editable__.calc.pth': 'import __editable___calc_finder' },
    'a finder in front': { '_calc_editable.py': editable('insert(0, '), 'calc.pth': 'import _calc_editable' },
    copies: { 'calc/__init__.py': '', 'calc/add.py': base['src/calc/add.py']! },
  };

  beforeAll(async () => {
    bench = await createBench();
    home = join(bench.folder, 'home');
    const write = async (path: string, text: string): Promise<void> => {
      await bench.platform.files.mkdir(dirname(path));
      await bench.platform.files.write(path, text);
    };
    for (const [path, text] of Object.entries(base)) await write(join(home, path), text);
    for (const [kind, files] of Object.entries(INSTALLED)) {
      const folder = join(home, '.venv', kind.replaceAll(' ', '-'));
      const made = await bench.platform.processes.run({
        file: python!,
        args: ['-m', 'venv', '--system-site-packages', '--without-pip', folder],
        cwd: '/',
        env: { PATH: process.env['PATH'] ?? '', HOME: bench.folder },
      });
      expect(made.code, made.stderr.toString()).toBe(0);
      const [version] = (await bench.platform.files.list(join(folder, 'lib'))).map((entry) => entry.name);
      for (const [path, text] of Object.entries(files))
        await write(join(folder, 'lib', version!, 'site-packages', path), text.replaceAll('@home', home));
      platforms.set(kind, nodePlatform({ PATH: `${folder}/bin:${process.env['PATH']}`, HOME: process.env['HOME'] }));
    }
  });
  afterAll(() => bench.dispose());

  async function verdictOf(platform: Platform, files: FileTable, full: string): Promise<Verdict> {
    const context = bench.context({ testing: { full }, sandbox: { mode: 'off' }, verification: { flaky_reruns: 0 } });
    const tree = await bench.tree(base);
    const run = await runSuite(platform, { ...context, tree });
    const passing = passingIds(run.tests);
    return judge(platform, {
      ...context,
      session: 2,
      mode: 'feature',
      feature,
      base: { commit: 'c'.repeat(40), tree },
      candidate: { tree: await bench.tree(files), findings: [] },
      features: { trusted: base['features.json']!, candidate: files['features.json']! },
      evidence: { mentionsTestFile: true, passingSummary: 'x', endedFailing: false, shown: true },
      baseline: {
        schema_version: 1,
        harness_version: '0',
        session: 1,
        timestamp: '',
        commit: '',
        tree,
        runner: run.runner,
        passing_tests: passing,
        total_passing: passing.length,
        total_tests: run.tests.length,
      },
      disabledChecks: new Set(['red', 'repeat', 'controls', 'neutral']),
    });
  }

  test.each(Object.keys(INSTALLED))('honest work beside %s is accepted, and a broken module is refused', async (kind) => {
    const platform = platforms.get(kind)!;
    const verdict = await verdictOf(platform, honest, 'PYTEST_DISABLE_PLUGIN_AUTOLOAD=1 pytest');
    expect([verdict.decision, verdict.findings]).toEqual(['accepted', []]);
    const broken = { ...honest, 'src/calc/add.py': 'def add(a, b):\n    return a + b + 1\n' };
    expect(await verdictOf(platform, broken, 'PYTEST_DISABLE_PLUGIN_AUTOLOAD=1 pytest')).toMatchObject({
      decision: 'rejected',
      reasons: ['regression'],
    });
  });

  test.each(['a path file', 'copies'])('a command that is not known sees the tree as well, beside %s', async (kind) => {
    const platform = platforms.get(kind)!;
    const full = `python3 -c 'from calc.add import add; assert add(1, 2) == 3' && test -d tests`;
    expect((await verdictOf(platform, honest, full)).decision).toBe('accepted');
    const broken = { ...honest, 'src/calc/add.py': 'def add(a, b):\n    return 0\n' };
    expect((await verdictOf(platform, broken, full)).decision).toBe('rejected');
  });
});
