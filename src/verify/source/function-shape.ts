/**
 * Functions written in one way, so that two which do the same by the same steps read alike. Pure.
 *
 * 1. Names of its own (parameters, variables, the function itself) are numbered as they come; names from outside, members, literals and
 *    operators stay. Types, comments, documentation, braces, quotes and line breaks are gone; an arrow's value is a `return`, a variable
 *    that is only returned is its value, and so is a constant of the module.
 * 2. The weight says how much a function does: each call, operator, branch and written value counts, and arithmetic counts most.
 * 3. Only functions with a name have a shape, and none that is longer than people call short.
 */
import type { Range } from './source.ts';
import { isNode, walk, type SyntaxNode } from './syntax-node.ts';

export interface FunctionShape extends Range {
  name: string;
  /** It belongs to an object: stands in a class or a record, or speaks of `this`. */
  isMethod: boolean;
  /** It works with a variable of what stands around it, so it cannot simply be shared. */
  isBound: boolean;
  /** It asks nothing of its module: no import, no other function. */
  isClosed: boolean;
  form: string;
  steps: number;
  calls: number;
  values: number;
  /** Names of members and of what comes from outside: a text without them cannot hold the same function. */
  words: string[];
}

/** What a language brings: everything else is the same for all of them. */
export interface Dialect {
  namedFunctions(module: SyntaxNode): NamedFunction[];
  /** What the module itself declares; where it is a constant, with its value. */
  ownNames(module: SyntaxNode): ReadonlyMap<string, SyntaxNode | 'shared' | 'variable'>;
  /** Names that the node itself declares. */
  declares(node: SyntaxNode): string[];
  /** The same in its plain form; null: it says nothing. */
  plain(node: SyntaxNode, text: string): SyntaxNode | null;
  /** A name that stands for something; null: the node is none. */
  reference(node: SyntaxNode): string | null;
  /** How many steps the node is. */
  steps(node: SyntaxNode): number;
  call: RegExp;
  value: RegExp;
  /** Speaks of the object that a method belongs to. */
  ofObject: RegExp;
  /** Fields that say nothing about what is done. */
  silent: ReadonlySet<string>;
  /** The field that holds the name of a member. */
  member: string;
}

export interface NamedFunction {
  name: string;
  isMethod: boolean;
  node: SyntaxNode;
}

interface Module {
  text: string;
  dialect: Dialect;
  /** Everything that is declared anywhere in it. */
  declared: ReadonlySet<string>;
  own: ReturnType<Dialect['ownNames']>;
}

const LONGEST = 3_000;
const LONGEST_CONSTANT = 200;

export function functionShapes(root: SyntaxNode, text: string, dialect: Dialect): FunctionShape[] {
  const module = { text, dialect, declared: declaredIn(root, dialect), own: dialect.ownNames(root) };
  const short = dialect.namedFunctions(root).filter(({ node }) => node.end - node.start <= LONGEST);
  return short.map((named) => shapeOf(named, module));
}

function shapeOf({ name, isMethod, node }: NamedFunction, module: Module): FunctionShape {
  const { dialect, text } = module;
  const own = declaredIn(node, dialect).add(name);
  const shape: FunctionShape = {
    start: node.start,
    end: node.end,
    name,
    isMethod,
    isBound: false,
    isClosed: true,
    form: '',
    steps: 0,
    calls: 0,
    values: 0,
    words: [],
  };
  const numbers = new Map<string, number>();
  const words = new Set<string>();
  const within = new Set<string>();
  const reference = (word: string): string => {
    if (own.has(word)) {
      const number = numbers.get(word) ?? numbers.size;
      numbers.set(word, number);
      return `$${number}`;
    }
    const constant = module.own.get(word);
    if (constant === 'variable' || (constant === undefined && module.declared.has(word))) shape.isBound = true;
    if (typeof constant === 'object' && constant.end - constant.start <= LONGEST_CONSTANT && !within.has(word)) {
      within.add(word);
      const value = write(constant);
      within.delete(word);
      return value;
    }
    if (constant !== undefined) shape.isClosed = false;
    words.add(word);
    return word;
  };
  const write = (given: SyntaxNode): string => {
    const one = dialect.plain(given, text);
    if (one === null) return '';
    const word = dialect.reference(one);
    if (word !== null) return reference(word);
    shape.steps += dialect.steps(one);
    if (dialect.call.test(one.type)) shape.calls += 1;
    if (dialect.value.test(one.type)) shape.values += 1;
    if (dialect.ofObject.test(one.type)) shape.isMethod = true;
    const member = one[dialect.member];
    if (typeof member === 'string') words.add(member);
    const fields = Object.keys(one).filter((field) => !PLACE.has(field) && !dialect.silent.has(field));
    return `(${one.type} ${fields.map((field) => written(one[field], write)).join(' ')})`;
  };
  shape.form = write(node);
  shape.words = [...words];
  return shape;
}

const PLACE: ReadonlySet<string> = new Set(['type', 'start', 'end']);

function declaredIn(root: SyntaxNode, dialect: Dialect): Set<string> {
  const found = new Set<string>();
  walk(root, (node) => {
    for (const name of dialect.declares(node)) found.add(name);
    return true;
  });
  return found;
}

function written(value: unknown, write: (node: SyntaxNode) => string): string {
  if (Array.isArray(value)) return `[${value.map((one) => written(one, write)).join(' ')}]`;
  if (isNode(value)) return write(value);
  return value === null || value === undefined || value === false ? '' : JSON.stringify(value);
}

/** A variable that is made to be returned at once is what it holds. */
export function withoutDetour(
  statements: readonly SyntaxNode[],
  held: (statement: SyntaxNode) => { name: string; value: SyntaxNode } | null,
  returned: (statement: SyntaxNode) => { name: string | null; field: string } | null,
): SyntaxNode[] {
  const [before, last] = statements.slice(-2);
  if (before === undefined || last === undefined) return [...statements];
  const holder = held(before);
  const result = returned(last);
  if (holder === null || result?.name !== holder.name) return [...statements];
  return [...statements.slice(0, -2), { ...last, [result.field]: holder.value }];
}
