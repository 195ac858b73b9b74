/**
 * Source text without values: what of a signature the examiner may see.
 *
 * 1. Literals, defaults, enum values, literal types, decorators and comments are blanked, and so are names over 60 characters: no text that an
 *    agent can choose freely is left but names.
 */
import type { SyntaxNode } from '../source/syntax-node.ts';
import { nodeAt, nodesAt, walk } from '../source/syntax-node.ts';
import { withoutComments } from '../source/mask.ts';
import { applyEdits, type Language, type TextEdit } from '../source/source.ts';

export const BLANK = '…';
const LONGEST_NAME = 60;
const LONGEST_LINE = 400;

const LITERALS: ReadonlySet<string> = new Set([
  'StringLiteral',
  'NumericLiteral',
  'BigIntLiteral',
  'BooleanLiteral',
  'RegExpLiteral',
  'TemplateLiteral',
  'TSTemplateLiteralType',
  'DirectiveLiteral',
  'JSXText',
  'Constant',
  'JoinedStr',
]);

/** One line of text for a node; offsets are those of `text`. */
export function blanked(text: string, node: SyntaxNode, language: Language): string {
  const edits: TextEdit[] = [];
  const blank = (one: SyntaxNode): void => {
    if (one.start >= 0) edits.push({ at: one.start - node.start, length: one.end - one.start, text: BLANK });
  };
  walk(node, (one) => {
    if (LITERALS.has(one.type)) {
      if (!isNothing(one)) blank(one);
      return false;
    }
    if (one.type === 'Decorator') {
      blank(one);
      return false;
    }
    const fallback =
      one.type === 'AssignmentPattern' ? nodeAt(one, 'right') : one.type === 'TSEnumMember' ? nodeAt(one, 'initializer') : null;
    if (fallback !== null) blank(fallback);
    return true;
  });
  const bare = withoutComments(text, language).slice(node.start, node.end);
  return inOneLine(applyEdits(bare, outermost(edits)));
}

/** `null`, `None` and `undefined` say only that there may be nothing. */
function isNothing(node: SyntaxNode): boolean {
  return node.type === 'Constant' && node['value'] === undefined;
}

function outermost(edits: readonly TextEdit[]): TextEdit[] {
  const isWithin = (edit: TextEdit, other: TextEdit): boolean => other.at <= edit.at && other.at + other.length >= edit.at + edit.length;
  return edits.filter((edit, at) => !edits.some((other, index) => isWithin(edit, other) && (!isWithin(other, edit) || index < at)));
}

export function inOneLine(text: string): string {
  const line = withShortNames(text).replace(/\s+/g, ' ').trim();
  return line.length > LONGEST_LINE ? `${line.slice(0, LONGEST_LINE)}${BLANK}` : line;
}

export function withShortNames(text: string): string {
  return text.replace(/[\p{L}\p{N}_$]+/gu, (name) => (name.length > LONGEST_NAME ? BLANK : name));
}

/** Paths are names as well: each part is bounded, and anything that is no letter, digit or usual sign goes. */
export function plainPathText(path: string): string {
  return path
    .split('/')
    .map((part) => (part.length > LONGEST_NAME ? BLANK : part.replace(/[^\p{L}\p{N}._@+$[\]()-]/gu, BLANK)))
    .join('/');
}

/** Parameters of a JavaScript function, in one line. */
export function parameterWords(text: string, node: SyntaxNode): string {
  const parameters = nodesAt(node, 'params').map((one) => blanked(text, one, 'javascript'));
  const back = nodeAt(node, 'returnType');
  return `(${parameters.join(', ')})${back === null ? '' : blanked(text, back, 'javascript')}`;
}
