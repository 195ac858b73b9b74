/** The shapes of the functions in a set of files; what cannot be parsed has none. */
import type { Platform } from '../../platform/platform.ts';
import { functionShapes, type FunctionShape } from './function-shape.ts';
import { JAVASCRIPT } from './javascript-shape.ts';
import { parseJavascript } from './parse-javascript.ts';
import { parsePython } from './parse-python.ts';
import { PYTHON } from './python-shape.ts';
import { languageOf } from './source.ts';
import { itemAt } from '../../domain/items.ts';

const TIME_LIMIT_MS = 5_000;
const PYTHON_LIMIT_MS = 20_000;

/** In the order of the files. */
export async function readShapes(platform: Platform, files: readonly { path: string; text: string }[]): Promise<FunctionShape[][]> {
  const found = new Map<number, FunctionShape[]>();
  const written = [...files.entries()].filter(([, { path, text }]) => text !== '' && !path.endsWith('.d.ts'));
  for (const [index, { path, text }] of written) {
    const program = languageOf(path) === 'javascript' ? await parseJavascript(text, path, TIME_LIMIT_MS) : null;
    if (program !== null) found.set(index, functionShapes(program, text, JAVASCRIPT));
  }
  const python = written.filter(([, file]) => languageOf(file.path) === 'python');
  const texts = python.map(([, file]) => file.text);
  for (const [place, module] of (await parsePython(platform, texts, PYTHON_LIMIT_MS)).entries())
    if (module !== null) found.set(itemAt(python, place)[0], functionShapes(module, itemAt(texts, place), PYTHON));
  return files.map((_file, index) => found.get(index) ?? []);
}
