import { describe, expect, it } from 'vitest';
import { nodePlatform } from '../../platform/node-platform.ts';
import { observeAll } from './newly.ts';

const platform = nodePlatform({ PATH: process.env['PATH'], HOME: process.env['HOME'] });

async function observed(path: string, text: string): Promise<string[]> {
  const found = await observeAll(platform, [{ path, text }]);
  return found.map(({ what, kind, decides }) => `${kind}${decides ? '!' : ''} ${what}`).toSorted();
}

describe('observe', () => {
  const javascript: [string, string, string[]][] = [
    [
      'an environment variable',
      "export const one = () => (process.env.NODE_ENV === 'production' ? 0 : 1)",
      ['environment! process.env.NODE_ENV'],
    ],
    [
      'through an import',
      "import { env as e } from 'node:process'\nexport const port = e['PORT'] ?? 3000",
      ['environment process.env.PORT'],
    ],
    [
      'the size of the working directory',
      "import { readdirSync } from 'node:fs'\nexport const one = () => readdirSync('.').length < 30",
      ['place! the working directory'],
    ],
    [
      'a listing that is handed on',
      "import { readdir } from 'node:fs/promises'\nexport const all = async () => await readdir(process.cwd())",
      ['place process.cwd', 'place the working directory'],
    ],
    [
      'a listing of another folder',
      "import { readdirSync } from 'node:fs'\nexport const one = (at) => readdirSync(at).length < 30 && readdirSync('data').length < 3",
      [],
    ],
    [
      'the version of the interpreter',
      "export const one = () => Number(process.versions.node.split('.')[0]) < 90",
      ['machine! process.versions'],
    ],
    ['a version that is printed', 'export const one = () => console.log(process.version)', ['machine process.version']],
    ['a root that is handed on', 'export const run = (f) => f(process)', ['room process']],
    ['a member chosen as the code runs', 'export const read = (x) => process[x]', ['room process[…]']],
    ['what is not known to be harmless', 'export const a = () => process.report.getReport().header', ['room process.report']],
    [
      'an own place that finds a file',
      "import { join } from 'node:path'\nexport const a = join(import.meta.dirname, 'a.txt')",
      ['place import.meta.dirname'],
    ],
    [
      'an own place that decides',
      "const own = !import.meta.url.includes('/node_modules/')\nexport const one = () => own",
      ['place! import.meta.url'],
    ],
    [
      'through a function of its own',
      "import os from 'os'\nconst same = (h) => h === 'box'\nexport const one = () => same(os.hostname())",
      ['machine os.hostname', 'machine! os.hostname'],
    ],
    [
      'a file of the machine',
      "import fs from 'fs'\nexport const m = () => fs.readFileSync('/pr' + 'oc/self/mounts', 'utf8')",
      ['room! /proc/self/mounts'],
    ],
    [
      'a program that tells about it',
      "import { execSync } from 'child_process'\nexport const a = () => execSync('ulimit -f')",
      ['room! the program ulimit'],
    ],
    [
      'a module that is chosen late',
      "export const a = () => process.getBuiltinModule('async_hooks').executionAsyncId()",
      ['room async_hooks.executionAsyncId'],
    ],
    ['main', "if (require.main === module) console.log('x')", []],
    [
      'a variable that every run needs',
      "export const a = () => (process.env.HOME.startsWith('/home') ? 1 : 0)",
      ['environment! process.env.HOME'],
    ],
    [
      'ordinary code',
      "import fs from 'fs'\nprocess.on('exit', () => {})\nprocess.exitCode = 1\nexport const a = (p) => fs.readFileSync(p)\nexport class E extends Error { constructor(m) { super(m); Error.captureStackTrace(this, E) } }",
      [],
    ],
    ['a stack that decides', "export const a = () => new Error().stack.includes('runner')", ['machine! Error.stack']],
    ['a stack that is logged', 'export const a = (f) => { try { f() } catch (e) { console.error(e.stack) } }', ['machine Error.stack']],
    ['a stack that was handed over', "export const a = (e) => e.stack.includes('x')", []],
    ['the language’s functions', "export const a = () => Date.now.toString().includes('native')", ['room! Date.now']],
  ];
  it.each(javascript)('JavaScript: %s', async (_name, text, expected) => {
    expect(await observed('src/a.js', text)).toEqual(expected);
  });
  const python: [string, string, string[]][] = [
    [
      'an environment variable',
      "import os\nX = os.environ.get('X', '1')\nY = os.getenv('Y') == 'b'",
      ['environment os.environ.X', 'environment! os.environ.Y'],
    ],
    [
      'import hooks',
      "import sys\nHOOKS = [type(h).__name__ for h in sys.meta_path]\ndef add(a, b): return a + b if any(n.startswith('A') for n in HOOKS) else 0",
      ['room sys.meta_path'],
    ],
    ['the size of the working directory', "import os\ndef one(): return len(os.listdir('.')) < 30", ['place! the working directory']],
    [
      'the size of the working directory, by paths',
      "from pathlib import Path\ndef one(): return len(list(Path('.').iterdir())) < 30",
      ['place! the working directory'],
    ],
    ['a listing that is handed on', 'import os\ndef all(): return os.listdir()', ['place the working directory']],
    ['the version of the interpreter', 'import sys\ndef one(): return sys.version_info < (3, 90)', ['machine! sys.version_info']],
    ['a member chosen as the code runs', 'import sys\ndef f(n): return getattr(sys, n)', ['room sys[…]']],
    ['main', "def main(): pass\nif __name__ == '__main__':\n    main()", []],
    [
      'an own place that finds a file',
      "from pathlib import Path\nROWS = (Path(__file__).parent / 'rows.json').read_text()",
      ['place __file__'],
    ],
    ['an own place that decides', "OWN = 'site-packages' not in __file__\ndef f(): return OWN", ['place! __file__']],
    ['a language that decides', "import locale\ndef f(): return locale.getlocale()[0] == 'en_US'", ['machine! locale.getlocale']],
    ['a clock', 'import time\ndef f(since): return time.time() - since < 60', []],
    ['a frame', 'import inspect\ndef f(): return inspect.stack()[1].function', ['room inspect.stack']],
    ['a file of the machine', "def f():\n    return open('/etc/hostname').read()", ['room! /etc/hostname']],
    ['ordinary code', 'import sys, os\ndef f(p):\n    sys.stdout.write(open(p).read())\n    os.makedirs(p)\n    sys.exit(1)', []],
  ];
  it.each(python)('Python: %s', async (_name, text, expected) => {
    expect(await observed('src/a.py', text)).toEqual(expected);
  });
});
