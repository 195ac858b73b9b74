/** In which way code is made wrong, and what of it. */
import type { TreeEdit } from '../../domain/tree.ts';
import type { Range, SourceFunction, SourceValue } from '../source/source.ts';

export interface Wrongness {
  /** `one` and `other`: two different wrong values for whoever uses the code; `inside` and `inside-other`: for the code itself as well, with
   *  numbers that are bigger and smaller;
   *  `back`: functions and values that were there before are what they were; `idle`: those that give nothing back do nothing; `apart`: results are right, and nothing reaches what they were handed; `same`: none; `thrown`: bodies throw, and `hollow`: they do nothing, which shows what is reached. */
  kind: 'one' | 'other' | 'inside' | 'inside-other' | 'back' | 'idle' | 'apart' | 'same' | 'thrown' | 'hollow';
  /** The helper's name: letters that occur nowhere else. */
  name: string;
  /** Letters that wrong texts get, and that errors say. */
  word: string;
  /** What is added to numbers; 1: texts differ by as little, in the case of a letter. */
  offset: number;
  /** Texts are far off whatever numbers are. */
  farTexts?: boolean;
}

export interface MadeWrong {
  edits: TreeEdit[];
  /** How many units were touched. */
  count: number;
  /** The session changed what code says, and none of that could be touched: only other files were. */
  besideCode?: boolean;
}

export interface WrongUnits {
  functions: readonly SourceFunction[];
  values: readonly SourceValue[];
  classes: readonly Range[];
}

/** Whether texts differ by as little as numbers. */
export function hasNearTexts({ offset, farTexts }: Wrongness): boolean {
  return offset === 1 && farTexts !== true;
}
