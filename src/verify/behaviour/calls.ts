/**
 * Calls in test files that can be made anywhere: their arguments are literals, imported names, and names that were given such a value. Pure.
 *
 * 1. A name means the last value that it was given before the call, in the same function or around it; in tables, for its value in each row.
 * 2. A call inside another one is a call too.
 */
import type { Language } from '../source/source.ts';
import { childrenOf, nodeAt, nodesAt, textAt, type SyntaxNode } from '../source/syntax-node.ts';
import { columnsAt } from './tables.ts';
import { formOf, type Literal } from './forms.ts';

/** A piece of a call's text; a literal can be exchanged for another one. */
export interface Piece {
  text: string;
  literal: Literal | null;
}

export interface OpenCall {
  pieces: readonly Piece[];
  /** Imported names that it is made with. */
  names: ReadonlySet<string>;
  /** The name that is called; of a method, its own and that of what it begins with. */
  called: readonly string[];
}

interface Source {
  program: SyntaxNode;
  text: string;
  language: Language;
  /** Names that can be imported elsewhere too. */
  imported: ReadonlySet<string>;
}

const MOST_DEPTH = 40;
const MOST_CHARACTERS = 2_000;
const KNOWN: Readonly<Record<Language, ReadonlySet<string>>> = {
  javascript: new Set(
    'undefined NaN Infinity Date Map Set RegExp Error TypeError RangeError Array Object String Number Boolean BigInt URL URLSearchParams Uint8Array Buffer JSON Math'.split(
      ' ',
    ),
  ),
  python: new Set('str int float complex bool list dict set tuple frozenset bytes bytearray sorted len range repr'.split(' ')),
};

export function callsIn(source: Source): OpenCall[] {
  const given = givenValues(source);
  const found: OpenCall[] = [];
  const visit = (node: SyntaxNode): void => {
    const called = isCall(node) ? calledBy(node, source.language) : [];
    const tables = { rows: source.imported.has(called.at(-1) ?? '') ? 1 : 0 };
    for (let row = 0; row < tables.rows; row += 1) {
      const names = new Set<string>();
      const pieces = piecesOf(source, node, { given, names, params: new Set(), depth: 0, row, tables });
      if (pieces !== null && textOf(pieces).length <= MOST_CHARACTERS) found.push({ pieces, names, called });
    }
    for (const child of childrenOf(node)) visit(child);
  };
  visit(source.program);
  return found;
}

export function textOf(pieces: readonly Piece[]): string {
  return pieces.map(({ text }) => text).join('');
}

function isCall({ type }: SyntaxNode): boolean {
  return type === 'CallExpression' || type === 'NewExpression' || type === 'Call';
}

/** `lib.slug('x')` and `new Words('x').first()`: the last name, and the first. */
function calledBy(call: SyntaxNode, language: Language): string[] {
  const [callee, object, property] =
    language === 'python' ? (['func', 'value', 'attr'] as const) : (['callee', 'object', 'property'] as const);
  const names: string[] = [];
  for (let node = nodeAt(call, callee); node !== null;) {
    const member = language === 'python' ? textAt(node, property) : textAt(nodeAt(node, property) ?? node, 'name');
    const name = member ?? textAt(node, language === 'python' ? 'id' : 'name');
    if (name !== null) names.push(name);
    node = nodeAt(node, object) ?? nodeAt(node, callee);
  }
  return names;
}

interface Given {
  name: string;
  /** In each row; of other names, one. */
  values: (SyntaxNode | null)[];
  /** Where it is known. */
  scope: SyntaxNode;
  /** From where on. */
  from: number;
}

/** Names that a statement gives a value. */
function givenValues({ program, language }: Source): Given[] {
  const found: Given[] = [];
  const visit = (node: SyntaxNode, scope: SyntaxNode): void => {
    const target = language === 'python' ? only(nodesAt(node, 'targets')) : nodeAt(node, 'id');
    const value = /^(?:VariableDeclarator|Assign)$/.test(node.type) ? (nodeAt(node, 'init') ?? nodeAt(node, 'value')) : null;
    const name = target === null ? null : (textAt(target, 'id') ?? textAt(target, 'name'));
    if (name !== null && value !== null) found.push({ name, values: [value], scope, from: value.end });
    found.push(...columnsAt(node, language, (list) => listAt(list, found)).map((one) => ({ ...one, from: one.scope.start })));
    const inner = /^(?:BlockStatement|FunctionDef|AsyncFunctionDef|ClassDef)$/.test(node.type) ? node : scope;
    for (const child of childrenOf(node)) visit(child, inner);
  };
  visit(program, program);
  return found;
}

/** A list that has a name. */
function listAt(node: SyntaxNode, given: readonly Given[]): SyntaxNode {
  const name = textAt(node, 'name') ?? textAt(node, 'id');
  return name === null ? node : (given.findLast((one) => one.name === name)?.values[0] ?? node);
}

function only<T>(items: readonly T[]): T | null {
  return items.length === 1 ? (items[0] ?? null) : null;
}

interface Writing {
  given: readonly Given[];
  names: Set<string>;
  params: ReadonlySet<string>;
  depth: number;
  row: number;
  /** How many rows there are, as far as they were met. */
  tables: { rows: number };
}

/** null: it cannot be made anywhere else. */
function piecesOf(source: Source, node: SyntaxNode, writing: Writing): Piece[] | null {
  const { text, language } = source;
  const form = writing.depth > MOST_DEPTH ? null : formOf(node, language);
  if (form === null) return null;
  if ('literal' in form) return [{ text: text.slice(node.start, node.end), literal: form.literal }];
  if ('name' in form) return nameAt(source, node, form.name, writing);
  const inner = { ...writing, depth: writing.depth + 1, params: new Set([...writing.params, ...(form.params ?? [])]) };
  const pieces: Piece[] = [];
  let at = node.start;
  for (const part of form.parts.toSorted((a, b) => a.start - b.start)) {
    const own = piecesOf(source, part, inner);
    if (own === null || part.start < at) return null;
    pieces.push({ text: text.slice(at, part.start), literal: null }, ...own);
    at = part.end;
  }
  return [...pieces, { text: text.slice(at, node.end), literal: null }];
}

/** Needs no brackets in the place of a name, unless a member of it is used. */
const STANDS_ALONE = /^(?:\w*Literal|ArrayExpression|CallExpression|Constant|List|Tuple|Dict|Call)$/;

function nameAt(source: Source, node: SyntaxNode, name: string, writing: Writing): Piece[] | null {
  const plain = [{ text: name, literal: null }];
  if (writing.params.has(name)) return plain;
  if (source.imported.has(name)) {
    writing.names.add(name);
    return plain;
  }
  const value = writing.given.findLast(
    (one) => one.name === name && one.from <= node.start && one.scope.start <= node.start && node.end <= one.scope.end,
  );
  if (value !== undefined) {
    const { tables, row } = writing;
    tables.rows = Math.max(tables.rows, value.values.length);
    const own = value.values[value.values.length === 1 ? 0 : row] ?? null;
    const pieces = own === null ? null : piecesOf(source, own, { ...writing, depth: writing.depth + 5 });
    if (pieces === null || own === null || (STANDS_ALONE.test(own.type) && source.text.charAt(node.end) !== '.')) return pieces;
    return [{ text: '(', literal: null }, ...pieces, { text: ')', literal: null }];
  }
  return KNOWN[source.language].has(name) ? plain : null;
}
