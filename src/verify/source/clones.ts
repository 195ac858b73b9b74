/**
 * New code that is there already: a clone detector over the shapes and the tokens of a project.
 *
 * 1. A function counts as a copy where another one has its shape, whatever they and their variables are called and however they are
 *    written; a longer one also where its body stands in the middle of something else.
 * 2. Other code counts where a long row of tokens is found elsewhere as it stands.
 * 3. Only code that the change brought is asked about, and only what stands in the project after the change counts: moved code is no copy.
 * 4. Two files that were the same before (a build that is kept beside its source, the module for an older system) may stay the same.
 * 5. Of a very large project only a part is parsed; rows and long bodies are looked for in all of it.
 */
import type { Platform } from '../../platform/platform.ts';
import type { FunctionShape } from './function-shape.ts';
import { readShapes } from './read-shapes.ts';
import { askedShapes, mayHold, shapeClones, type NamedPlace, type ShapeClone, type ShapedFile, type WereAlike } from './shape-clones.ts';
import { bodyClones, rowClones, type Clone, type CodeFile, type NewCode, type ReadCode } from './token-clones.ts';
import { lineAt, tokensOf } from './tokens.ts';
import { itemAt } from '../../domain/items.ts';

const MOST_CLONES = 20;
const MOST_PARSED = 8_000_000;

export async function findClones(platform: Platform, changed: readonly NewCode[], project: readonly CodeFile[]): Promise<Clone[]> {
  const files = project.map((file) => ({ ...file, tokens: tokensOf(file.path, file.text) }));
  const read = await withShapes(platform, changed);
  const shaped = await shapedFiles(
    platform,
    read.flatMap((code) => code.asked),
    project,
  );
  const found: Clone[] = [];
  for (const code of read) {
    const twins = new Set(read.filter((one) => wereTwins(code, one)).map((one) => one.path));
    const isOther = ({ path }: CodeFile): boolean => !twins.has(path);
    const small = shapeClones(code.path, code.asked, shaped.filter(isOther), wereAlikeIn(read));
    const others = files.filter(isOther);
    const known = small.map(({ shape }) => shape);
    const own = [...small.map((clone) => cloneOf(code, clone)), ...bodyClones(code, others, known)];
    found.push(...own, ...(own.length === 0 ? rowClones(code, others) : []));
    if (found.length >= MOST_CLONES) break;
  }
  return found.slice(0, MOST_CLONES);
}

function wereAlikeIn(read: readonly ReadCode[]): WereAlike {
  const formOf = ({ path, name }: NamedPlace): string | undefined =>
    read.find((code) => code.path === path)?.shapesBefore.find((shape) => shape.name === name)?.form;
  return (one, other) => formOf(one) !== undefined && formOf(one) === formOf(other);
}

/** Four of five lines. */
const TWINS = 0.8;

function wereTwins(one: NewCode, other: NewCode): boolean {
  if (other.path === one.path || one.before === null || other.before === null) return false;
  const [mine, theirs] = [linesOf(one.before), new Set(linesOf(other.before))];
  return mine.length > 0 && mine.filter((line) => theirs.has(line)).length >= TWINS * Math.max(mine.length, theirs.size);
}

function linesOf(text: string): string[] {
  return [...new Set(text.split('\n').map((line) => line.trim()))].filter((line) => line !== '');
}

function cloneOf({ path, text }: CodeFile, { shape, of, name }: ShapeClone): Clone {
  return { at: `${path}:${lineAt(text, shape.start)}`, of, what: `${shape.name} does what ${name} does` };
}

async function withShapes(platform: Platform, changed: readonly NewCode[]): Promise<ReadCode[]> {
  const now = await readShapes(platform, changed);
  const before = await readShapes(
    platform,
    changed.map(({ path, before: text }) => ({ path, text: text ?? '' })),
  );
  return changed.map((code, index) => ({
    ...code,
    shapes: itemAt(now, index),
    shapesBefore: itemAt(before, index),
    asked: askedShapes(itemAt(now, index), itemAt(before, index)),
  }));
}

/** Only files that can hold one of the functions are parsed. */
async function shapedFiles(platform: Platform, asked: readonly FunctionShape[], project: readonly CodeFile[]): Promise<ShapedFile[]> {
  let left = MOST_PARSED;
  const likely = project.filter(({ text }) => {
    if (left < text.length || !asked.some((shape) => mayHold(text, shape))) return false;
    left -= text.length;
    return true;
  });
  const shapes = await readShapes(platform, likely);
  return likely.map((file, index) => ({ ...file, shapes: itemAt(shapes, index) }));
}
