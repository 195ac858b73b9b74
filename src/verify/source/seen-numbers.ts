/**
 * A test in which whoever runs it is shown both sides of each comparison: what is no number is neither greater nor less, nor equal to anything, and a
 * test that asks only for that holds. Pure.
 */
import { partOf, type SyntaxNode, textAt, walk } from './syntax-node.ts';
import { applyEdits, type TextEdit } from './source.ts';

const COMPARES = new Set(['<', '>', '<=', '>=', '!=', '!==']);
const KNOWN = /Literal$|^(?:Function|Class|Object|Array|ArrowFunction)Expression$/;

/** `show`: what is called with each side, and hands it back. */
export function withSeenNumbers(text: string, program: SyntaxNode, show: string): string {
  const edits: TextEdit[] = [];
  walk(program, (node) => {
    if (node.type === 'BinaryExpression' && COMPARES.has(textAt(node, 'operator') ?? ''))
      for (const side of [partOf(node, 'left'), partOf(node, 'right')])
        if (!KNOWN.test(side.type) && side.type !== 'PrivateName' && textAt(side, 'operator') !== 'typeof')
          edits.push({ at: side.start, length: 0, text: `${show}((` }, { at: side.end, length: 0, text: '))' });
    return true;
  });
  return applyEdits(text, edits);
}
