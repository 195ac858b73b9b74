/** What names of a test or a module are bound to in JavaScript and TypeScript. */
import { scopeOf, type Binding, type Iterated, type Scope, type Spelling, type Step } from './bound-leaves.ts';
import { FUNCTIONS } from './javascript-names.ts';
import { bindingsOf, calleeNames, patternNames } from './javascript-statements.ts';
import type { Leaf } from './source.ts';
import { childrenOf, nodeAt, nodesAt, partOf, type SyntaxNode, textAt } from './syntax-node.ts';
import { firstItem } from '../../domain/items.ts';

/** `leaves`: the values that an expected expression consists of. */
export function javascriptSpelling(leaves: (node: SyntaxNode) => Leaf[]): Spelling {
  return { reference, elements, values, iterated, member, isConstant, leaves, names };
}

/** A test with its table, or a whole module. */
export function javascriptScope(node: SyntaxNode): Scope {
  const table = tableBindings(node);
  const bindings: Binding[] = [...table.bindings];
  const bodies = new Set([table.body]);
  const uses = new Map<string, number>();
  const visit = (one: SyntaxNode, isBound: boolean): void => {
    const rows = rowBindings(one);
    if (rows !== null) bodies.add(rows.body);
    bindings.push(...(rows?.bindings ?? []), ...(isBound ? [] : bindingsAt(one, bodies.has(one))));
    if (one.type === 'Identifier') uses.set(textAt(one, 'name') ?? '', (uses.get(textAt(one, 'name') ?? '') ?? 0) + 1);
    for (const child of childrenOf(one)) if (!isLabel(one, child)) visit(child, isRowName(one, child));
  };
  visit(node, false);
  return scopeOf(bindings, uses);
}

/** The declaration of a loop over rows binds what the loop says. */
function isRowName(parent: SyntaxNode, child: SyntaxNode): boolean {
  return /^For(?:Of|In)Statement$/.test(parent.type) && parent['left'] === child;
}

function bindingsAt(node: SyntaxNode, isTable: boolean): Binding[] {
  if (node.type === 'ForOfStatement' || node.type === 'ForInStatement') {
    const left = partOf(node, 'left');
    const id = left.type === 'VariableDeclaration' ? nodeAt(firstItem(nodesAt(left, 'declarations')), 'id') : null;
    return id === null ? [] : patternBindings(id, [], node.type === 'ForOfStatement' ? nodeAt(node, 'right') : null, true);
  }
  if (node.type === 'VariableDeclaration')
    return nodesAt(node, 'declarations').flatMap((one) =>
      patternBindings(partOf(one, 'id'), [], node['kind'] === 'const' ? nodeAt(one, 'init') : null, false),
    );
  const parameters = FUNCTIONS.has(node.type) && !isTable ? nodesAt(node, 'params').flatMap(patternNames) : [];
  return [
    ...parameters,
    ...(/^(?:CatchClause|ClassDeclaration|FunctionDeclaration|ImportDeclaration)$/.test(node.type) ? bindingsOf(node) : []),
  ].map(unknown);
}

/** Parameters of a function that is called for each row. */
function rowBindings(node: SyntaxNode): { body: SyntaxNode; bindings: Binding[] } | null {
  const callee = node.type === 'CallExpression' ? nodeAt(node, 'callee') : null;
  const before = callee === null ? null : nodeAt(callee, 'object');
  const property = callee === null ? null : nodeAt(callee, 'property');
  const [body] = nodesAt(node, 'arguments');
  if (before === null || property === null || textAt(property, 'name') !== 'forEach' || body === undefined || !FUNCTIONS.has(body.type))
    return null;
  const [first, ...others] = nodesAt(body, 'params');
  return {
    body,
    bindings: [...(first === undefined ? [] : patternBindings(first, [], before, true)), ...others.flatMap(patternNames).map(unknown)],
  };
}

/** Parameters of a test that runs once for each row. */
function tableBindings(node: SyntaxNode): { body: SyntaxNode | null; bindings: Binding[] } {
  const called = node.type === 'CallExpression' ? nodeAt(node, 'callee') : null;
  const callee = called?.type === 'CallExpression' ? called : null;
  const [rows] = callee === null ? [] : nodesAt(callee, 'arguments');
  const body = nodesAt(node, 'arguments').findLast((one) => FUNCTIONS.has(one.type));
  if (callee === null || rows === undefined || body === undefined || !calleeNames(partOf(callee, 'callee')).includes('each'))
    return { body: null, bindings: [] };
  return {
    body,
    bindings: nodesAt(body, 'params')
      .flatMap((one, at) => patternBindings(one, [at], rows, true))
      .map((one) => ({ ...one, isTable: true as const })),
  };
}

function patternBindings(pattern: SyntaxNode, path: readonly Step[], to: SyntaxNode | null, isEach: boolean): Binding[] {
  if (pattern.type === 'Identifier') return [{ name: textAt(pattern, 'name') ?? '', to, isEach, path }];
  if (pattern.type === 'ArrayPattern') {
    const parts = Array.isArray(pattern['elements']) ? pattern['elements'] : [];
    return nodesAt(pattern, 'elements').flatMap((one) => patternBindings(one, [...path, parts.indexOf(one)], to, isEach));
  }
  if (pattern.type === 'ObjectPattern')
    return nodesAt(pattern, 'properties').flatMap((one) => {
      const [key, value] = [nodeAt(one, 'key'), nodeAt(one, 'value')];
      const name = key === null || one['computed'] === true ? null : (textAt(key, 'name') ?? textAt(key, 'value'));
      return name === null || value === null ? patternNames(one).map(unknown) : patternBindings(value, [...path, name], to, isEach);
    });
  return patternNames(pattern).map(unknown);
}

function unknown(name: string): Binding {
  return { name, to: null, isEach: false, path: [] };
}

/** Names of members are no names of values. */
function isLabel(parent: SyntaxNode, child: SyntaxNode): boolean {
  if (parent['computed'] === true) return false;
  if (parent.type.endsWith('MemberExpression')) return parent['property'] === child;
  return (parent.type === 'ObjectProperty' || parent.type === 'ObjectMethod') && parent['key'] === child && parent['value'] !== child;
}

function names(node: SyntaxNode): string[] {
  const found: string[] = [];
  const visit = (one: SyntaxNode): void => {
    if (one.type === 'Identifier') found.push(textAt(one, 'name') ?? '');
    for (const child of childrenOf(one)) if (!isLabel(one, child)) visit(child);
  };
  visit(node);
  return found;
}

function reference(node: SyntaxNode): { name: string; path: string[] } | null {
  const [name, ...path] = calleeNames(node);
  return name === undefined || name === 'this' || name === 'import' ? null : { name, path };
}

function elements(node: SyntaxNode): SyntaxNode[] | null {
  if (/^TS(?:As|Satisfies|NonNull)Expression$/.test(node.type)) return elements(partOf(node, 'expression'));
  return node.type === 'ArrayExpression' ? nodesAt(node, 'elements') : null;
}

function values(node: SyntaxNode): SyntaxNode[] | null {
  if (/^TS(?:As|Satisfies|NonNull)Expression$/.test(node.type)) return values(partOf(node, 'expression'));
  return node.type === 'ObjectExpression' ? nodesAt(node, 'properties').flatMap((one) => nodeAt(one, 'value') ?? []) : null;
}

/** `Object.entries(table)`, `rows.entries()`, `new Map(rows)` and the like. */
function iterated(node: SyntaxNode): Iterated | null {
  const [first] = nodesAt(node, 'arguments');
  const called = /^(?:Call|New)Expression$/.test(node.type) ? calleeNames(partOf(node, 'callee')) : [];
  const name = called.join('.');
  if (first !== undefined && (name === 'Object.entries' || name === 'Object.values'))
    return { of: first, isRecord: true, isPaired: name === 'Object.entries' };
  if (first !== undefined && node.type === 'NewExpression' && /^(?:Map|Set)$/.test(name))
    return { of: first, isRecord: false, isPaired: false };
  const before = called.length > 1 && first === undefined ? nodeAt(partOf(node, 'callee'), 'object') : null;
  return before !== null && called.at(-1) === 'entries' ? { of: before, isRecord: false, isPaired: true } : null;
}

function member(node: SyntaxNode, step: Step): SyntaxNode | null {
  if (/^TS(?:As|Satisfies|NonNull)Expression$/.test(node.type)) return member(partOf(node, 'expression'), step);
  if (typeof step === 'number') return elements(node)?.[step] ?? null;
  const found = nodesAt(node, 'properties').findLast((one) => {
    const key = nodeAt(one, 'key');
    return key !== null && one['computed'] !== true && (textAt(key, 'name') ?? textAt(key, 'value')) === step;
  });
  return node.type === 'ObjectExpression' && found !== undefined ? nodeAt(found, 'value') : null;
}

const CONSTANT =
  /Literal$|^(?:ArrayExpression|ObjectExpression|ObjectProperty|UnaryExpression|TemplateElement|TSAsExpression|TSSatisfiesExpression)$/;

function isConstant(node: SyntaxNode): boolean {
  if (node.type === 'TemplateLiteral') return nodesAt(node, 'expressions').length === 0;
  if (node.type === 'ObjectProperty') return node['computed'] !== true && isConstant(partOf(node, 'value'));
  if (/^TS(?:As|Satisfies)Expression$/.test(node.type)) return isConstant(partOf(node, 'expression'));
  if (node.type === 'Identifier') return /^(?:undefined|NaN|Infinity)$/.test(textAt(node, 'name') ?? '');
  return CONSTANT.test(node.type) && node['operator'] !== 'delete' && childrenOf(node).every(isConstant);
}

/** Names and members of names where values of an expected expression stand. */
export function expectedNames(node: SyntaxNode): SyntaxNode[] {
  if (node.type === 'Identifier' || node.type === 'MemberExpression') return [node];
  if (node.type === 'ArrayExpression') return nodesAt(node, 'elements').flatMap(expectedNames);
  if (node.type !== 'ObjectExpression') return [];
  return nodesAt(node, 'properties').flatMap((one) => {
    const value = one['shorthand'] === true ? null : nodeAt(one, 'value');
    return value === null ? [] : expectedNames(value);
  });
}

/** The same for a condition that compares: of either side, where that is nothing but a name. */
export function comparedNames(node: SyntaxNode): SyntaxNode[] {
  if (node.type === 'LogicalExpression' && node['operator'] === '&&')
    return [...comparedNames(partOf(node, 'left')), ...comparedNames(partOf(node, 'right'))];
  if (node.type !== 'BinaryExpression' || !/^={2,3}$/.test(textAt(node, 'operator') ?? '')) return [];
  return [partOf(node, 'right'), partOf(node, 'left')].filter((one) => one.type === 'Identifier').slice(0, 1);
}
