/**
 * An expected list in which two elements have changed places: who looks at the order cannot take one for the other.
 *
 * Only elements that every comparison tells apart change places, one that takes `1` for `'1'`, or `undefined` for nothing, as well.
 */
import { applyEdits, type ExpectedList, type Leaf, type TextEdit } from '../source/source.ts';
import { itemAt } from '../../domain/items.ts';

type Element = ExpectedList['elements'][number];

/** Whether some of its elements differ. */
export function isOrdered(text: string, { elements }: ExpectedList): boolean {
  return new Set(elements.filter((one) => isPlain(text, one)).map((one) => valueOf(text, one))).size > 1;
}

/** `dice`: which elements change places; absent: the first ones that differ. */
export function inOtherOrder(text: string, { elements }: ExpectedList, dice: (limit: number) => number = () => 0): TextEdit {
  const known = elements.filter((one) => isPlain(text, one));
  const one = itemAt(known, dice(known.length));
  const others = known.filter((other) => valueOf(text, other) !== valueOf(text, one));
  const [first, second] = [one, itemAt(others, dice(others.length))].toSorted((a, b) => a.start - b.start) as [Element, Element];
  const between = text.slice(first.end, second.start);
  const [before, after] = [text.slice(second.start, second.end), text.slice(first.start, first.end)];
  return { at: first.start, length: second.end - first.start, text: before + between + after };
}

/** Escapes can write one text in two ways; what is worked out, though of literals, is no literal. */
function isPlain(text: string, { start, end, leaves }: Element): boolean {
  const cut = leaves.map((leaf) => ({ at: leaf.start - start, length: leaf.end - leaf.start, text: '' }));
  return !text.slice(start, end).includes('\\') && !/[-+~!]/.test(applyEdits(text.slice(start, end), cut));
}

/** Different ones are of different values; equal ones may be. */
function valueOf(text: string, { leaves }: Element): string {
  return leaves
    .flatMap((leaf) => plainValue(text.slice(leaf.start, leaf.end), leaf.kind))
    .toSorted()
    .join('\n');
}

function plainValue(words: string, kind: Leaf['kind']): string[] {
  if (kind === 'nothing' || kind === 'list' || kind === 'record') return [];
  if (kind === 'truth') return [/^t/i.test(words) ? '1' : '0'];
  const content = words.replace(/^[a-z]{1,2}(?=["'])/i, '').replaceAll(/["'`\s]/g, '');
  const number = Number(content.replaceAll('_', '').replace(/(?<=\d)n$/, ''));
  return [Number.isNaN(number) ? content : String(number)];
}
