/**
 * Small functions that are there already under any name. Pure.
 *
 * 1. Two functions are the same where their shapes are. What is too small to be worth sharing does not count: getters, wrappers around one
 *    call, constants, comparisons with nothing, stubs. A wrapper counts under its own name. Methods have to do more than functions, since
 *    classes resemble each other, and so has what works with variables around it.
 * 2. Only what the change brought is asked about; of several alike in one file, as many as came. Two that were alike before and were
 *    changed together are nothing new.
 */
import type { FunctionShape } from './function-shape.ts';
import { lineAt } from './tokens.ts';

export interface ShapedFile {
  path: string;
  text: string;
  shapes: readonly FunctionShape[];
}

export interface ShapeClone {
  shape: FunctionShape;
  /** `path:line` */
  of: string;
  name: string;
}

const SMALLEST = 3;
const SMALLEST_OF_OBJECT = 6;
/** Two calls in each other, of what every module has, or one under the same name. */
const SMALLEST_CLOSED = 2;
/** Names that a language asks for: every class or program has its own. */
const OF_LANGUAGE = /^(?:__\w+__|constructor|toString|toJSON|valueOf|main)$/;

/** Whether two functions, each named by its file and its name, were alike before the change. */
export type WereAlike = (one: NamedPlace, other: NamedPlace) => boolean;

export interface NamedPlace {
  path: string;
  name: string;
}

/** What the change brought, if it is worth asking about. */
export function askedShapes(now: readonly FunctionShape[], before: readonly FunctionShape[]): FunctionShape[] {
  const left = new Map<string, number>();
  for (const { form } of before) left.set(form, (left.get(form) ?? 0) + 1);
  const known = new Set(before.map((shape) => `${shape.name} ${shape.form}`));
  const kept = now.filter((shape) => known.has(`${shape.name} ${shape.form}`));
  for (const { form } of kept) left.set(form, (left.get(form) ?? 0) - 1);
  return now.filter((shape) => {
    if (kept.includes(shape)) return false;
    const renamed = left.get(shape.form) ?? 0;
    left.set(shape.form, renamed - 1);
    return renamed <= 0 && needOf(shape) !== null;
  });
}

/** Under which name another one would be a copy; null: it is not worth sharing. */
function needOf({ name, isMethod, isBound, isClosed, steps, calls, values }: FunctionShape): 'any' | 'own' | null {
  const weight = steps + calls + values;
  if (OF_LANGUAGE.test(name) || steps + calls === 0) return null;
  if (isMethod || isBound) return weight >= SMALLEST_OF_OBJECT ? 'any' : null;
  if (weight >= SMALLEST || (isClosed && calls >= SMALLEST_CLOSED)) return 'any';
  return isClosed && weight >= SMALLEST_CLOSED ? 'own' : null;
}

/** Whether a text can hold the same function at all. */
export function mayHold(text: string, { words }: FunctionShape): boolean {
  return words.every((word) => text.includes(word));
}

export function shapeClones(
  path: string,
  asked: readonly FunctionShape[],
  files: readonly ShapedFile[],
  wereAlike: WereAlike,
): ShapeClone[] {
  return asked.flatMap((shape) => {
    const found = firstLike(path, shape, files, wereAlike);
    return found === null ? [] : [{ shape, ...found }];
  });
}

function firstLike(
  path: string,
  asked: FunctionShape,
  files: readonly ShapedFile[],
  wereAlike: WereAlike,
): Omit<ShapeClone, 'shape'> | null {
  const isAny = needOf(asked) === 'any';
  for (const file of files)
    for (const shape of file.shapes) {
      const isItself = file.path === path && shape.start === asked.start;
      if (isItself || shape.form !== asked.form || !(isAny || shape.name === asked.name)) continue;
      if (!wereAlike({ path, name: asked.name }, { path: file.path, name: shape.name }))
        return { of: `${file.path}:${lineAt(file.text, shape.start)}`, name: shape.name };
    }
  return null;
}
