/**
 * Values that an assertion expects by a name: of a constant, of a loop's rows, of a table of cases.
 *
 * 1. Only what is made of literals alone, and bound once, is followed.
 * 2. A value of a row counts where its name is used once: nothing but the assertion takes it.
 * 3. What stands outside of the test is reached through the name that stands for it there.
 */
import type { ExpectedList, Leaf, Range } from './source.ts';
import { rangeOf, type SyntaxNode } from './syntax-node.ts';
import { onlyOne } from '../../domain/items.ts';

export type Step = string | number;

export interface Binding {
  name: string;
  /** What it is bound to; null: nobody can tell. */
  to: SyntaxNode | null;
  /** To one element of that after the other. */
  isEach: boolean;
  /** From there to the value. */
  path: readonly Step[];
  /** A row that is no list is what the first parameter gets. */
  isTable?: true;
}

/** Names that are bound in a test or a module, and how often each is used there. */
export interface Scope {
  bindings: ReadonlyMap<string, readonly Binding[]>;
  uses: ReadonlyMap<string, number>;
}

export interface Iterated {
  of: SyntaxNode;
  isRecord: boolean;
  isPaired: boolean;
}

/** How a language writes these things. */
export interface Spelling {
  /** A name, or a member of one. */
  reference(node: SyntaxNode): { name: string; path: readonly Step[] } | null;
  elements(node: SyntaxNode): readonly SyntaxNode[] | null;
  /** Of a record. */
  values(node: SyntaxNode): readonly SyntaxNode[] | null;
  /** What an expression goes through one by one, where that is not the expression itself; `isPaired`: each with its key or number before it. */
  iterated(node: SyntaxNode): Iterated | null;
  member(node: SyntaxNode, step: Step): SyntaxNode | null;
  /** Made of literals alone. */
  isConstant(node: SyntaxNode): boolean;
  leaves(node: SyntaxNode): Leaf[];
  /** Names of values that stand in it. */
  names(node: SyntaxNode): string[];
}

/** What a test can be asked about names in it. */
export interface Names {
  /** Values that one stands for. */
  leaves(name: SyntaxNode): Leaf[];
  /** Lists in an expected expression, and in what names in it stand for that the test uses nowhere else: nothing else puts those in order. */
  lists(expected: SyntaxNode, named: readonly SyntaxNode[]): ExpectedList[];
  /** Those that an expression is made with. */
  within(node: SyntaxNode): string[];
}

export const NO_NAMES: Names = { leaves: () => [], lists: () => [], within: () => [] };

/** For each test of a module; nothing is looked up before it is asked for. */
export function namesReader(module: SyntaxNode, scopeIn: (node: SyntaxNode) => Scope, spelling: Spelling): (test: SyntaxNode) => Names {
  let outer: Scope | null = null;
  return (test) => {
    let own: Scope | null = null;
    const scopes = (): [Scope, Scope] => [(own ??= scopeIn(test)), (outer ??= scopeIn(module))];
    return {
      leaves: (name) => boundValues(name, ...scopes(), spelling, spelling.leaves),
      lists: (expected, named) => [
        ...listsIn(expected, spelling),
        ...named
          .filter((name) => scopes()[0].uses.get(spelling.reference(name)?.name ?? '') === 1)
          .flatMap((name) => boundValues(name, ...scopes(), spelling, (value) => listsIn(value, spelling))),
      ],
      within: (node) => namesWithin(node, ...scopes(), spelling),
    };
  };
}

const MOST_NAMES = 50;

function namesWithin(node: SyntaxNode, test: Scope, module: Scope, spelling: Spelling): string[] {
  const found = new Set(spelling.names(node));
  for (const name of found) {
    if (found.size > MOST_NAMES) break;
    const to = bindingOf(name, test, module)?.to;
    for (const other of to === undefined || to === null ? [] : spelling.names(to)) found.add(other);
  }
  return [...found];
}

const MOST_ROWS = 200;

/** Of two elements at least; those in sets and in what functions make of them have no order. */
function listsIn(node: SyntaxNode, spelling: Spelling): ExpectedList[] {
  const elements = spelling.elements(node);
  const known = (elements ?? []).filter(spelling.isConstant).map((one) => ({ ...rangeOf(one), leaves: spelling.leaves(one) }));
  return [
    ...(known.length < 2 ? [] : [{ ...rangeOf(node), elements: known }]),
    ...(elements ?? spelling.values(node) ?? []).flatMap((one) => listsIn(one, spelling)),
  ];
}

/** What is read from the values that a name stands for. */
type Read<T> = (value: SyntaxNode) => T[];

function boundValues<T extends Leaf | ExpectedList>(node: SyntaxNode, test: Scope, module: Scope, spelling: Spelling, read: Read<T>): T[] {
  const reference = spelling.reference(node);
  const binding = reference === null ? null : bindingOf(reference.name, test, module);
  if (reference === null || binding === null || binding.to === null) return [];
  const path = [...binding.path, ...reference.path];
  if (!binding.isEach) return constantValues(node, binding.to, path, spelling, read);
  if (!test.bindings.has(reference.name) || test.uses.get(reference.name) !== 1) return [];
  const rows = rowsOf(binding.to, test, module, spelling);
  if (rows === null || (rows.isPaired && path[0] !== 1)) return [];
  return rows.elements.slice(0, MOST_ROWS).flatMap((row) => {
    const isBare = rows.isPaired || (binding.isTable === true && path[0] === 0 && spelling.elements(row) === null);
    const value = follow(row, isBare ? path.slice(1) : path, spelling);
    return value === null || !spelling.isConstant(value)
      ? []
      : read(value).map((one) => (rows.through === undefined ? one : { ...one, through: rows.through }));
  });
}

/** The only one of that name, the nearest first. */
function bindingOf(name: string, test: Scope, module: Scope): Binding | null {
  const found = test.bindings.get(name) ?? module.bindings.get(name) ?? [];
  return onlyOne(found);
}

/** `uses`: how often each name stands there, those that bind it included. */
export function scopeOf(bindings: readonly Binding[], uses: Map<string, number>): Scope {
  const byName = new Map<string, Binding[]>();
  for (const binding of bindings) {
    byName.set(binding.name, [...(byName.get(binding.name) ?? []), binding].slice(0, 2));
    uses.set(binding.name, (uses.get(binding.name) ?? 0) - 1);
  }
  return { bindings: byName, uses };
}

function constantValues<T>(node: SyntaxNode, to: SyntaxNode, path: readonly Step[], spelling: Spelling, read: Read<T>): T[] {
  const value = follow(to, path, spelling);
  if (value === null || !spelling.isConstant(value)) return [];
  const through = { name: rangeOf(node), value: rangeOf(value) };
  return read(value).map((one) => ({ ...one, through }));
}

interface Rows {
  elements: readonly SyntaxNode[];
  isPaired: boolean;
  through?: { name: Range; value: Range };
}

function rowsOf(node: SyntaxNode, test: Scope, module: Scope, spelling: Spelling): Rows | null {
  const { of, isRecord, isPaired } = spelling.iterated(node) ?? { of: node, isRecord: false, isPaired: false };
  const listed = (one: SyntaxNode): readonly SyntaxNode[] | null => (isRecord ? spelling.values(one) : spelling.elements(one));
  const own = listed(of);
  if (own !== null) return { elements: own, isPaired };
  const reference = spelling.reference(of);
  const binding = reference === null ? null : bindingOf(reference.name, test, module);
  if (reference === null || binding === null || binding.to === null || binding.isEach) return null;
  const value = follow(binding.to, [...binding.path, ...reference.path], spelling);
  if (value === null || !spelling.isConstant(value)) return null;
  const elements = listed(value);
  return elements === null ? null : { elements, isPaired, through: { name: rangeOf(of), value: rangeOf(value) } };
}

function follow(node: SyntaxNode, path: readonly Step[], spelling: Spelling): SyntaxNode | null {
  let at: SyntaxNode | null = node;
  for (const step of path) at = at === null ? null : spelling.member(at, step);
  return at;
}
