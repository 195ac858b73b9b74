/**
 * TypeScript that a program without a compiler can load: beside each module that is asked for, and each that it leads to, one without types.
 *
 * What cannot do without a compiler, and what imports it, is not there: a program that asks for it finds no module, and nothing follows.
 */
import { posix } from 'node:path';
import type { TreeEdit } from '../../domain/tree.ts';
import type { JudgeInput } from '../contract.ts';
import { eraseTypes } from '../source/erase-types.ts';
import { moduleCandidates } from '../source/imports.ts';
import { parseJavascript } from '../source/parse-javascript.ts';

const TYPED = /(?<!\.d)\.[cm]?ts$/;
const MOST_MODULES = 400;
const PATIENCE_MS = 5_000;

export interface PlainModules {
  edits: Extract<TreeEdit, { kind: 'write' }>[];
  /** From a module to the one without types. */
  names: ReadonlyMap<string, string>;
}

/** `entries`: paths of modules, of which only those with types are looked at. */
export async function plainModules(input: Pick<JudgeInput, 'trees'>, tree: string, entries: readonly string[]): Promise<PlainModules> {
  const paths = new Set((await input.trees.list(tree)).map((entry) => entry.path));
  const names = new Map<string, string>();
  const edits: PlainModules['edits'] = [];
  const nameOf = (path: string): string => {
    const stem = path.replace(TYPED, '');
    const name = paths.has(`${stem}.mjs`) ? `${stem}.plain.mjs` : `${stem}.mjs`;
    names.set(path, name);
    return name;
  };
  for (const path of entries) if (TYPED.test(path) && paths.has(path)) nameOf(path);
  for (const [path, name] of names) {
    if (edits.length >= MOST_MODULES) break;
    const text = (await input.trees.read(tree, path))?.toString('utf8') ?? '';
    const program = await parseJavascript(text, path, PATIENCE_MS);
    const aim = (specifier: string): string => {
      const found = moduleCandidates(posix.join(posix.dirname(path), specifier)).find((one) => paths.has(one) && !one.endsWith('.d.ts'));
      if (found === undefined) return specifier;
      const target = posix.relative(posix.dirname(path), TYPED.test(found) ? (names.get(found) ?? nameOf(found)) : found);
      return target.startsWith('.') ? target : `./${target}`;
    };
    const content = program === null ? null : eraseTypes(text, program, aim);
    if (content !== null) edits.push({ path: name, kind: 'write', content });
  }
  return { edits, names };
}
