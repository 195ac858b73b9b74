/** What an expression is made of, as far as a copy of it needs to know: literals, names and parts, the same for both languages. Pure. */
import type { Language } from '../source/source.ts';
import { nodeAt, nodesAt, textAt, type SyntaxNode } from '../source/syntax-node.ts';

export type Literal = 'text' | 'number' | 'truth';

/** `params`: names that the expression brings itself. */
export type Form = { literal: Literal } | { name: string } | { parts: readonly SyntaxNode[]; params?: readonly string[] };

/** null: it is made of something that no copy could have. */
export function formOf(node: SyntaxNode, language: Language): Form | null {
  return language === 'python' ? pythonForm(node) : javascriptForm(node);
}

const NO_PARTS: Form = { parts: [] };

function javascriptForm(node: SyntaxNode): Form | null {
  const of = (...fields: readonly string[]): Form => ({ parts: fields.flatMap((field) => nodeAt(node, field) ?? nodesAt(node, field)) });
  switch (node.type) {
    case 'StringLiteral':
      return { literal: 'text' };
    case 'NumericLiteral':
      return { literal: 'number' };
    case 'BooleanLiteral':
      return { literal: 'truth' };
    case 'NullLiteral':
    case 'RegExpLiteral':
    case 'BigIntLiteral':
      return NO_PARTS;
    case 'Identifier':
      return { name: textAt(node, 'name') ?? '' };
    case 'TemplateLiteral':
      return of('expressions');
    case 'ArrayExpression':
      return of('elements');
    case 'ObjectExpression':
      return of('properties');
    case 'ObjectProperty':
      return node['shorthand'] === true || node['computed'] === true ? null : of('value');
    case 'SpreadElement':
    case 'AwaitExpression':
      return of('argument');
    case 'UnaryExpression':
      return node['operator'] === 'delete' ? null : of('argument');
    case 'ParenthesizedExpression':
    case 'TSAsExpression':
    case 'TSSatisfiesExpression':
    case 'TSNonNullExpression':
      return of('expression');
    case 'BinaryExpression':
    case 'LogicalExpression':
      return of('left', 'right');
    case 'ConditionalExpression':
      return of('test', 'consequent', 'alternate');
    case 'MemberExpression':
    case 'OptionalMemberExpression':
      return node['computed'] === true ? of('object', 'property') : of('object');
    case 'CallExpression':
    case 'OptionalCallExpression':
    case 'NewExpression':
      return of('callee', 'arguments');
    case 'ArrowFunctionExpression':
      return arrowForm(node);
    default:
      return null;
  }
}

function arrowForm(node: SyntaxNode): Form | null {
  const body = nodeAt(node, 'body');
  const params = nodesAt(node, 'params').map((one) => textAt(one, 'name'));
  if (body === null || body.type === 'BlockStatement' || params.includes(null)) return null;
  return { parts: [body], params: params.filter((name) => name !== null) };
}

function pythonForm(node: SyntaxNode): Form | null {
  const of = (...fields: readonly string[]): Form => ({ parts: fields.flatMap((field) => nodeAt(node, field) ?? nodesAt(node, field)) });
  switch (node.type) {
    case 'Constant':
      return constantForm(node['value']);
    case 'Name':
      return { name: textAt(node, 'id') ?? '' };
    case 'Attribute':
    case 'Starred':
      return of('value');
    case 'Call':
      return {
        parts: [...nodesAt(node, 'args'), ...nodesAt(node, 'keywords').flatMap((one) => nodeAt(one, 'value') ?? [])].concat(
          nodeAt(node, 'func') ?? [],
        ),
      };
    case 'List':
    case 'Tuple':
    case 'Set':
      return of('elts');
    case 'Dict':
      return of('keys', 'values');
    case 'UnaryOp':
      return of('operand');
    case 'BinOp':
      return of('left', 'right');
    case 'BoolOp':
      return of('values');
    case 'Compare':
      return of('left', 'comparators');
    case 'IfExp':
      return of('test', 'body', 'orelse');
    case 'Subscript':
      return of('value', 'slice');
    case 'Slice':
      return of('lower', 'upper', 'step');
    case 'Lambda':
      return lambdaForm(node);
    default:
      return null;
  }
}

function constantForm(value: unknown): Form {
  if (typeof value === 'string') return { literal: 'text' };
  const kind = Object.keys(value ?? {})[0];
  return kind === 'number' || kind === 'truth' ? { literal: kind } : NO_PARTS;
}

function lambdaForm(node: SyntaxNode): Form | null {
  const [body, args] = [nodeAt(node, 'body'), nodeAt(node, 'args')];
  if (body === null || args === null || nodesAt(args, 'defaults').length > 0) return null;
  return { parts: [body], params: nodesAt(args, 'args').flatMap((one) => textAt(one, 'arg') ?? []) };
}
