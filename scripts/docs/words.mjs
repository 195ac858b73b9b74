// words/keys.ts: the typed list of keys, made from the English catalogues.
import { readFile } from 'node:fs/promises';

const HEAD =
  '// Made from the English words by `npm run docs`.\n\nexport type Given<Names extends string> = Readonly<Record<Names, string | number>>;\n';

/** The names of a text's placeholders; null: the node is no text. */
export function placeholders(node) {
  const text = typeof node === 'string' ? node : typeof node.one === 'string' && typeof node.other === 'string' ? node.other : null;
  return text === null ? null : [...new Set([...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name))];
}

/** Every text of a catalogue with its place, `spec.session.question`. */
export function textsOf(node, place = '') {
  if (placeholders(node) !== null) return [[place, node]];
  return Object.entries(node).flatMap(([key, inner]) => textsOf(inner, place === '' ? key : `${place}.${key}`));
}

export async function wordsFiles(root) {
  const read = async (file) => shape(JSON.parse(await readFile(`${root}words/${file}`, 'utf8')), '');
  return {
    'words/keys.ts': `${HEAD}\nexport interface Words ${await read('en.json')}\n\nexport interface LiveWords ${await read('live/en.json')}\n`,
  };
}

function shape(node, indent) {
  const names = placeholders(node);
  if (names !== null) return names.length === 0 ? 'string' : `(given: Given<${names.map((name) => `'${name}'`).join(' | ')}>) => string`;
  const lines = Object.entries(node).map(
    ([key, inner]) => `${indent}  ${/^\w+$/.test(key) ? key : `'${key}'`}: ${shape(inner, `${indent}  `)};`,
  );
  return `{\n${lines.join('\n')}\n${indent}}`;
}
