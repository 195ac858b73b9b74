/**
 * How the change's own tests and docs call what it offers: kinds of arguments, never their values.
 *
 * 1. Only calls of names that the skeleton has. Names of members count where they are written as names.
 */
import { calleeNames } from '../source/javascript-statements.ts';
import { FUNCTIONS } from '../source/javascript-names.ts';
import { dottedName } from '../source/read-python.ts';
import type { Language } from '../source/source.ts';
import { nodeAt, nodesAt, textAt, walk, type SyntaxNode } from '../source/syntax-node.ts';
import { BLANK, withShortNames } from './blanked.ts';

const MOST_DEPTH = 3;
const MOST_PARTS = 8;
const KEY = /^[A-Za-z_$][\w$]{0,59}$/;

export function callShapes(program: SyntaxNode, language: Language, names: ReadonlySet<string>): string[] {
  const found = new Set<string>();
  const constants = language === 'javascript' ? constantsIn(program) : new Map<string, SyntaxNode>();
  walk(program, (node) => {
    const shape = language === 'javascript' ? javascriptCall(node, names, constants) : pythonCall(node, names);
    if (shape !== null) found.add(withShortNames(shape));
    return true;
  });
  return [...found];
}

function constantsIn(program: SyntaxNode): Map<string, SyntaxNode> {
  const found = new Map<string, SyntaxNode>();
  walk(program, (node) => {
    const [id, init] = node.type === 'VariableDeclarator' ? [nodeAt(node, 'id'), nodeAt(node, 'init')] : [null, null];
    const name = id === null ? null : textAt(id, 'name');
    if (name !== null && init !== null && !found.has(name)) found.set(name, init);
    return true;
  });
  return found;
}

type Constants = ReadonlyMap<string, SyntaxNode>;

function javascriptCall(node: SyntaxNode, names: ReadonlySet<string>, constants: Constants): string | null {
  const isNew = node.type === 'NewExpression';
  const callee = isNew || node.type === 'CallExpression' ? nodeAt(node, 'callee') : null;
  if (callee === null) return null;
  const own = textAt(callee, 'name');
  const member =
    node.type === 'CallExpression' && callee.type === 'MemberExpression' && callee['computed'] !== true ? nodeAt(callee, 'property') : null;
  const name = own ?? (member === null ? null : textAt(member, 'name'));
  if (name === null || !names.has(name)) return null;
  const shapes = nodesAt(node, 'arguments').map((one) => javascriptShape(one, constants, 0));
  return `${isNew ? 'new ' : own === null ? '.' : ''}${name}(${shapes.join(', ')})`;
}

function javascriptShape(node: SyntaxNode, constants: Constants, depth: number): string {
  if (FUNCTIONS.has(node.type)) return 'function';
  switch (node.type) {
    case 'NumericLiteral':
      return 'number';
    case 'UnaryExpression':
      return node['operator'] === '-' ? 'number' : node['operator'] === '!' ? 'boolean' : 'value';
    case 'StringLiteral':
    case 'TemplateLiteral':
      return 'string';
    case 'BooleanLiteral':
      return 'boolean';
    case 'NullLiteral':
      return 'null';
    case 'RegExpLiteral':
      return 'regexp';
    case 'BigIntLiteral':
      return 'bigint';
    case 'NewExpression':
      return `new ${calleeNames(nodeAt(node, 'callee') ?? node).join('.') || 'object'}`;
    case 'ArrayExpression':
      return listShape(nodesAt(node, 'elements').map((one) => deeper(one, constants, depth)));
    case 'ObjectExpression':
      return depth >= MOST_DEPTH ? 'object' : recordShape(node, constants, depth);
    case 'Identifier':
      return nameShape(textAt(node, 'name') ?? '', constants, depth);
    default:
      return 'value';
  }
}

function deeper(node: SyntaxNode, constants: Constants, depth: number): string {
  return depth >= MOST_DEPTH ? 'value' : javascriptShape(node, constants, depth + 1);
}

function nameShape(name: string, constants: Constants, depth: number): string {
  const known = constants.get(name);
  if (name === 'undefined') return 'undefined';
  return known === undefined ? 'value' : deeper(known, constants, depth);
}

function recordShape(node: SyntaxNode, constants: Constants, depth: number): string {
  const parts = nodesAt(node, 'properties').map((one) => {
    const key = one['computed'] === true ? null : nodeAt(one, 'key');
    const name = key === null ? null : (textAt(key, 'name') ?? textAt(key, 'value'));
    const words = name !== null && KEY.test(name) ? name : BLANK;
    return `${words}: ${one.type === 'ObjectMethod' ? 'function' : deeper(nodeAt(one, 'value') ?? one, constants, depth)}`;
  });
  return bracketed('{ ', [...new Set(parts)], ' }');
}

function listShape(parts: readonly string[]): string {
  return `[${[...new Set(parts)].slice(0, MOST_PARTS).join(' | ')}]`;
}

function bracketed(open: string, parts: readonly string[], close: string): string {
  const shown = parts.slice(0, MOST_PARTS);
  return parts.length === 0
    ? `${open}${close}`.replace(/\s+/g, '')
    : `${open}${[...shown, ...(parts.length > MOST_PARTS ? [BLANK] : [])].join(', ')}${close}`;
}

function pythonCall(node: SyntaxNode, names: ReadonlySet<string>): string | null {
  const callee = node.type === 'Call' ? nodeAt(node, 'func') : null;
  const path = callee === null ? '' : dottedName(callee);
  const member = callee?.type === 'Attribute' ? textAt(callee, 'attr') : null;
  const name = member ?? path;
  if (name === '' || !names.has(name)) return null;
  const positional = nodesAt(node, 'args').map((one) => pythonShape(one, 0));
  const keywords = nodesAt(node, 'keywords').map((one) => `${textAt(one, 'arg') ?? '**'}=${pythonShape(nodeAt(one, 'value') ?? one, 0)}`);
  return `${member === null ? '' : '.'}${name}(${[...positional, ...keywords].join(', ')})`;
}

function pythonShape(node: SyntaxNode, depth: number): string {
  const below = (one: SyntaxNode): string => (depth >= MOST_DEPTH ? 'value' : pythonShape(one, depth + 1));
  switch (node.type) {
    case 'Constant':
      return constantShape(node['value']);
    case 'JoinedStr':
      return 'str';
    case 'UnaryOp':
      return below(nodeAt(node, 'operand') ?? node);
    case 'List':
    case 'Tuple':
    case 'Set':
      return listShape(nodesAt(node, 'elts').map(below));
    case 'Dict':
      return bracketed('{', pairsOf(node, below), '}');
    case 'Lambda':
      return 'function';
    default:
      return 'value';
  }
}

function pairsOf(node: SyntaxNode, below: (one: SyntaxNode) => string): string[] {
  const values = nodesAt(node, 'values');
  return [
    ...new Set(
      nodesAt(node, 'keys').map((key, at) => {
        const name = textAt(key, 'value');
        const value = values[at];
        return `${name !== null && KEY.test(name) ? name : BLANK}: ${value === undefined ? 'value' : below(value)}`;
      }),
    ),
  ];
}

function constantShape(value: unknown): string {
  if (typeof value === 'string') return 'str';
  if (value === undefined) return 'None';
  const kind = Object.keys(value ?? {})[0];
  return kind === 'number' ? 'number' : kind === 'truth' ? 'bool' : kind === 'bytes' ? 'bytes' : 'value';
}
