import { expect, test } from 'vitest';
import { nodePlatform } from '../../platform/node-platform.ts';
import { findClones, type Clone } from './clones.ts';
import { readSource } from './read-source.ts';

const SLUG = `export function slug(text) {
  const parts = text.trim().toLowerCase().split(' ');
  return parts.filter((part) => part !== '').join('-');
}
`;
const SHORT = 'export const twice = (value) => value * 2 + (value % 3);\n';

async function clones(path: string, text: string, project: Record<string, string>, before: string | null = null): Promise<Clone[]> {
  const reading = await readSource(nodePlatform(), path, text);
  const files = Object.entries({ ...project, [path]: text }).map(([name, content]) => ({ path: name, text: content }));
  return findClones([{ path, text, before, reading }], files);
}

test('a function with other names for its variables is a copy; one that does something else is not', async () => {
  const renamed = SLUG.replaceAll('text', 'title')
    .replaceAll('parts', 'words')
    .replaceAll('part ', 'word ')
    .replaceAll('(part)', '(word)')
    .replace('slug', 'dashed');
  expect(await clones('b.js', renamed, { 'a.js': SLUG })).toMatchObject([{ at: 'b.js:2', of: 'a.js:2' }]);
  expect(await clones('b.js', renamed.replace("'-'", "'_'"), { 'a.js': SLUG })).toEqual([]);
  expect(await clones('b.js', renamed.replace('toLowerCase', 'toUpperCase'), { 'a.js': SLUG })).toEqual([]);
});

test('moved code is no copy, and code that was there before is not asked about', async () => {
  expect(await clones('b.js', SLUG, {})).toEqual([]);
  expect(await clones('b.js', `${SLUG}export const more = 1;\n`, { 'a.js': SLUG }, SLUG)).toEqual([]);
});

test('a short function is a copy under its own name only; comments and imports are no code', async () => {
  expect(await clones('b.js', SHORT, { 'a.js': SHORT })).toHaveLength(1);
  expect(await clones('b.js', SHORT.replace('twice', 'next'), { 'a.js': SHORT })).toEqual([]);
  const imports = Array.from({ length: 20 }, (_, at) => `import { a${at}, b${at} } from './m${at}.js';\n`).join('');
  expect(await clones('b.js', `${imports}// ${SLUG.replaceAll('\n', ' ')}\n`, { 'a.js': `${imports}${SLUG}` })).toEqual([]);
});

test('a helper of one line is a copy as a whole, and the shortest function under its own name; methods may be alike', async () => {
  const clamp = 'export function clamp(value, low, high) {\n  return Math.min(Math.max(value, low), high);\n}\n';
  expect(await clones('b.js', clamp.replaceAll('value', 'x').replace('clamp', 'within'), { 'a.js': clamp })).toHaveLength(1);
  expect(await clones('b.js', clamp.replace('clamp', 'within').replace('high)', 'high) + 1'), { 'a.js': clamp })).toEqual([]);
  const add = 'export const add = (a, b) => a + b;\n';
  expect(await clones('b.js', add.replace('(a, b) => a + b', '(x, y) => x + y'), { 'a.js': add })).toHaveLength(1);
  expect(await clones('b.js', add.replace('add', 'plus'), { 'a.js': add })).toEqual([]);
  const named = (name: string): string => `export class ${name} {\n  isOpen() {\n    return this.open;\n  }\n}\n`;
  expect(await clones('b.js', named('B'), { 'a.js': named('A') })).toEqual([]);
});

test('a long row in other languages, and in Python by its functions', async () => {
  const row = Array.from({ length: 12 }, (_, at) => `value${at} := compute(${at}, "x${at}")`).join('\n');
  const found = await clones('b.go', `func other() {\n${row}\n}\n`, { 'a.go': `func one() {\n${row}\n}\n` });
  expect(found).toMatchObject([{ at: expect.stringMatching(/^b\.go:/), of: expect.stringMatching(/^a\.go:/) }]);
  const python =
    'def total(items):\n    result = 0\n    for item in items:\n        result = result + item.price * item.count\n    return result\n';
  expect(await clones('b.py', python.replaceAll('items', 'rows').replace('total', 'sum_up'), { 'a.py': python })).toHaveLength(1);
});
