import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { lookingSource, readSeen, seenPath } from './looking.ts';
import { PYTHON_LOOKING } from './looking-python.ts';

function inFolder<T>(use: (folder: string) => T): T {
  const folder = mkdtempSync(join(tmpdir(), 'looking-'));
  try {
    return use(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const seenAfter = (code: string): string[] =>
  inFolder((folder) => {
    const reportPath = join(folder, 'report');
    const looks = `const look = looking.remember(globalThis);\nprocess.on('exit', () => look('end'));\n`;
    writeFileSync(join(folder, 'first.cjs'), `${lookingSource({ room: folder, reportPath })}${looks}`);
    writeFileSync(join(folder, 'code.cjs'), code);
    writeFileSync(seenPath(reportPath), '');
    const { status, stderr } = spawnSync(process.execPath, ['--require', join(folder, 'first.cjs'), join(folder, 'code.cjs')]);
    expect([status, String(stderr)]).toEqual([0, '']);
    return readSeen(readFileSync(seenPath(reportPath), 'utf8')).map((one) => `${one.what} ${one.by}`);
  });

test('members that were replaced are told with the file whose code stands there', () => {
  expect(seenAfter('globalThis.Date = class extends Date {};\nMath.abs = () => 0;')).toEqual(['Date code.cjs', 'Math.abs code.cjs']);
  expect(seenAfter("Object.defineProperty(String.prototype, 'trim', { value() { return ''; } });")).toEqual([
    'String.prototype.trim code.cjs',
  ]);
  expect(seenAfter("require('node:assert').equal = () => {};\nglobalThis.fetch = new Proxy(fetch, { apply: () => 1 });")).toEqual([
    'fetch code.cjs',
    'node:assert.equal code.cjs',
  ]);
});

test('what is built in and stands in another place is nobody', () => {
  expect(seenAfter('Math.ceil = Math.floor;\ndelete JSON.parse;').toSorted()).toEqual(['JSON.parse ', 'Math.ceil ']);
});

test('what is added, put back, or read for the first time is nothing', () => {
  const code =
    "Array.prototype.lastOf = () => 1;\nconst { now } = Date;\nDate.now = () => 1;\nDate.now = now;\nvoid [fetch, crypto, performance, require('node:buffer').Blob, require('node:util').parseArgs, require('node:fs').promises];";
  expect(seenAfter(code)).toEqual([]);
});

test('the last line of each world counts, and lines that nobody could have written do not', () => {
  const line = (world: string, ...what: string[]): string => JSON.stringify({ world, found: what.map((one) => ({ what: one, by: '' })) });
  expect(readSeen([line('a', 'Date'), line('a'), line('b', 'Math'), 'no line'].join('\n'))).toEqual([{ what: 'Math', by: '' }]);
});

test('in Python', () => {
  inFolder((folder) => {
    writeFileSync(
      join(folder, 'code.py'),
      'import datetime, functools, time, textwrap\nclass D(datetime.date): pass\ndatetime.date = D\ntime.time = lambda: 0\ntime.added = 1\ntextwrap.TextWrapper.fill = functools.partial(lambda self, text: text)\n',
    );
    const boot = `import textwrap\n${PYTHON_LOOKING}\nlooking = _Looking(${JSON.stringify(folder)})\nlooking.loaded()\nsys.path.insert(0, ${JSON.stringify(folder)})\nimport code as _, runpy, importlib.util\nspec = importlib.util.spec_from_file_location('own', ${JSON.stringify(join(folder, 'code.py'))})\nmodule = importlib.util.module_from_spec(spec)\nsys.modules['own'] = module\nspec.loader.exec_module(module)\nprint(sorted(one['what'] + ' ' + one['by'] for one in looking.again()))`;
    const { stdout, stderr } = spawnSync('python3', ['-c', boot]);
    expect([String(stdout).trim(), String(stderr)]).toEqual([
      "['datetime.date code.py', 'textwrap.TextWrapper.fill code.py', 'time.time code.py']",
      '',
    ]);
  });
});
