/**
 * At most so many calls, of those that the tests make and of some that differ from one in a single literal. Pure.
 *
 * The tests' own come first; others follow in turn, so that each call and each literal gets its share.
 */
import { textOf, type OpenCall, type Piece } from './calls.ts';

export interface Input {
  text: string;
  names: ReadonlySet<string>;
  /** The function, by the name that is called. */
  called: string;
  isOwn: boolean;
}

export function inputsFrom(calls: readonly OpenCall[], most: number): Input[] {
  const found = new Map<string, Input>();
  const add = ({ names, called }: OpenCall, text: string, isOwn: boolean): void => {
    if (found.size < most && !found.has(text)) found.set(text, { text, names, called: called[0] ?? '', isOwn });
  };
  for (const call of calls) add(call, textOf(call.pieces), true);
  const variants = calls.map((call) => ({ call, texts: variantsOf(call.pieces) }));
  for (let at = 0; found.size < most && variants.some(({ texts }) => at < texts.length); at += 1)
    for (const { call, texts } of variants) {
      const text = texts[at];
      if (text !== undefined) add(call, text, false);
    }
  return [...found.values()];
}

/** First one change of each literal, then another of each. */
function variantsOf(pieces: readonly Piece[]): string[] {
  const each = pieces.map((piece) => othersOf(piece));
  const longest = Math.max(0, ...each.map((others) => others.length));
  return Array.from({ length: longest }, (_none, round) =>
    each.flatMap((others, at) => {
      const other = others[round];
      return other === undefined ? [] : [textOf(pieces.with(at, { text: other, literal: null }))];
    }),
  ).flat();
}

const PLAIN_TEXT = /^([rbuRBU]{0,2}(["']))([^"'\\\n]*)\2$/;

function othersOf({ text, literal }: Piece): string[] {
  if (literal === 'truth') return [text === 'true' ? 'false' : text === 'false' ? 'true' : text === 'True' ? 'False' : 'True'];
  if (literal === 'number') return /^\d{1,9}(?:\.\d{1,9})?$/.test(text) ? numbersBeside(text) : [];
  const [, open, quote = '', words = ''] = literal === 'text' ? (PLAIN_TEXT.exec(text) ?? []) : [];
  if (open === undefined) return [];
  const swapped = words.replaceAll(/[A-Za-z]/g, (letter) =>
    letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
  );
  return [`${words} `, swapped, `${words} ${words}`, ''].filter((one) => one !== words).map((one) => `${open}${one}${quote}`);
}

function numbersBeside(text: string): string[] {
  return [`${Number(text) + 1}`, `(-${text})`, '0'].filter((one) => one !== text);
}
