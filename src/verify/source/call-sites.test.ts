import { expect, test } from 'vitest';
import { nodePlatform } from '../../platform/node-platform.ts';
import { newNames, usesOf, type ReadFile } from './call-sites.ts';
import { readSource } from './read-source.ts';

async function uses(name: string, path: string, files: Record<string, string>): Promise<string[]> {
  const read: ReadFile[] = [];
  for (const [at, text] of Object.entries(files)) read.push({ path: at, text, reading: (await readSource(nodePlatform(), at, text))! });
  return usesOf(
    name,
    read.find((file) => file.path === path)!,
    read,
    new Set(Object.keys(files)),
  );
}

const IDLE = 'export function idle() {\n  return idle;\n}\n';

test.each([
  ['a call', "import { idle } from './a.js';\nidle();\n", ['b.js:2']],
  ['another name', "import { idle as busy } from './a.js';\nbusy();\n", ['b.js:2']],
  ['a member', "import * as all from './a.js';\nall.idle();\n", ['b.js:2']],
  ['require', "const { idle } = require('./a.js');\nidle();\n", ['b.js:2']],
  ['a template', "import { idle } from './a.js';\nconsole.log(`${idle()}`);\n", ['b.js:2']],
  ['an import that nothing follows', "import { idle } from './a.js';\n", []],
  ['a require that nothing follows', "const { idle } = require('./a.js');\n", []],
  ['handed on', "export { idle } from './a.js';\n", []],
  ['a comment, a string', "import { idle } from './a.js';\n// idle()\nconsole.log('idle()', `idle`);\n", []],
  ['the word of another module', "import { idle } from './c.js';\nidle();\n", []],
  ['no import', 'idle();\n', []],
])('%s', async (_, text, expected) => {
  expect(await uses('idle', 'a.js', { 'a.js': IDLE, 'b.js': text })).toEqual(expected);
});

test('its own file counts outside of the declaration; a default has the name that it is taken by', async () => {
  expect(await uses('idle', 'a.js', { 'a.js': `${IDLE}idle();\n` })).toEqual(['a.js:4']);
  expect(await uses('idle', 'a.js', { 'a.js': 'function idle() {}\nmodule.exports = { idle };\n' })).toEqual([]);
  expect(await uses('default', 'a.js', { 'a.js': 'export default () => 1;\n', 'b.js': "import one from './a.js';\none();\n" })).toEqual([
    'b.js:2',
  ]);
  expect(
    await uses('total', 'pack/sums.py', {
      'pack/sums.py': 'def total():\n    return 1\n',
      'main.py': 'from pack.sums import total as t\nprint(t())\n',
    }),
  ).toEqual(['main.py:2']);
  expect(
    await uses('total', 'pack/sums.py', { 'pack/sums.py': 'def total():\n    return 1\n', 'main.py': 'from pack.sums import total\n' }),
  ).toEqual([]);
});

test.each([
  ['a default function by its own name', 'export default function idle() {}\n', "import busy from './a.js';\nbusy();\n"],
  ['a name that is the default', 'const idle = () => 1;\nexport default idle;\n', "import busy from './a.js';\nbusy();\n"],
  ['handed out under another name', 'function idle() {}\nexport { idle as busy };\n', "import { busy } from './a.js';\nbusy();\n"],
  [
    'a member of what is handed out',
    'function idle() {}\nmodule.exports = { busy: idle };\n',
    "const { busy } = require('./a.js');\nbusy();\n",
  ],
  ['the whole of it', 'function idle() {}\nmodule.exports = idle;\n', "const busy = require('./a.js');\nbusy();\n"],
])('%s', async (_, own, other) => {
  expect(await uses('idle', 'a.js', { 'a.js': own, 'b.js': other })).toEqual(['b.js:2']);
  expect(await uses('idle', 'a.js', { 'a.js': own, 'b.js': other.replace('busy();', '') })).toEqual([]);
});

test('a module that hands names on is a way to them', async () => {
  const user = "import { idle } from './index.js';\nidle();\n";
  for (const index of ["export { idle } from './a.js';\n", "export * from './a.js';\n"]) {
    expect(await uses('idle', 'a.js', { 'a.js': IDLE, 'index.js': index, 'b.js': user })).toEqual(['b.js:2']);
    expect(await uses('idle', 'a.js', { 'a.js': IDLE, 'index.js': index })).toEqual([]);
  }
  const python = { 'pack/sums.py': 'def total():\n    return 1\n', 'pack/__init__.py': 'from .sums import total\n' };
  expect(await uses('total', 'pack/sums.py', { ...python, 'main.py': 'from pack import total\ntotal()\n' })).toEqual(['main.py:2']);
  expect(await uses('total', 'pack/sums.py', python)).toEqual([]);
});

test('new names are those that were not there', async () => {
  const read = async (text: string) => (await readSource(nodePlatform(), 'a.js', text))!;
  expect(
    newNames(await read("import x from 'y';\nexport const a = 1;\nfunction b() {}\nexport { x };\n"), await read('export const a = 1;\n')),
  ).toEqual(['b']);
  expect(newNames(await read('class C {}\nexport default C;\n'), null)).toEqual(['default', 'C']);
});
