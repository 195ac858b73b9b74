/** A parsed Python module, as the values that it works with. */
import { childrenOf, nodeAt, nodesAt, textAt, type SyntaxNode } from '../source/syntax-node.ts';
import type { Bound, Expression } from './expression.ts';
import { beforeFirst } from '../../domain/text-parts.ts';

const TESTED = /^(?:If|While|Assert)$/;

export function fromPython(node: SyntaxNode): Expression {
  const { start } = node;
  if (node.type === 'Name') return { is: 'name', name: textAt(node, 'id') ?? '', start };
  if (node.type === 'Constant') return constantOf(node);
  if (node.type === 'Attribute') return { is: 'member', of: ofField(node, 'value'), name: textAt(node, 'attr'), key: null, start };
  if (node.type === 'Subscript') return subscriptOf(node);
  if (node.type === 'Call') return callOf(node);
  if (node.type === 'Await' || node.type === 'FormattedValue' || node.type === 'Starred') return ofField(node, 'value');
  if (node.type === 'JoinedStr') return { is: 'joined', parts: nodesAt(node, 'values').map(fromPython), start };
  if (/^(?:Async)?FunctionDef$|^Lambda$/.test(node.type)) return functionOf(node);
  if (node.type === 'Return') return { is: 'result', value: optional(node, 'value'), start };
  if (/^(?:Assign|AnnAssign|NamedExpr|withitem)$/.test(node.type)) return assignmentOf(node);
  if (node.type === 'Import' || node.type === 'ImportFrom') return importOf(node);
  return decisionOf(node) ?? { is: 'group', parts: childrenOf(node).map(fromPython), start };
}

function ofField(node: SyntaxNode, field: string): Expression {
  return optional(node, field) ?? { is: 'group', parts: [], start: node.start };
}

function optional(node: SyntaxNode, field: string): Expression | null {
  const child = nodeAt(node, field);
  return child === null ? null : fromPython(child);
}

function constantOf(node: SyntaxNode): Expression {
  const value = textAt(node, 'value');
  return value === null ? { is: 'group', parts: [], start: node.start } : { is: 'text', value, start: node.start };
}

function subscriptOf(node: SyntaxNode): Expression {
  const key = ofField(node, 'slice');
  return { is: 'member', of: ofField(node, 'value'), name: key.is === 'text' ? key.value : null, key, start: node.start };
}

function callOf(node: SyntaxNode): Expression {
  const named = nodesAt(node, 'keywords').map((one) => ofField(one, 'value'));
  const args = [...nodesAt(node, 'args').map(fromPython), ...named];
  const callee = ofField(node, 'func');
  const [of, key] = args;
  // A member by its name, known or not.
  if (callee.is === 'name' && /^(?:get|has)attr$/.test(callee.name) && of !== undefined && key !== undefined)
    return { is: 'member', of, name: key.is === 'text' ? key.value : null, key, start: node.start };
  return { is: 'call', callee, args, isNew: false, start: node.start };
}

function decisionOf(node: SyntaxNode): Expression | null {
  const { start } = node;
  if (node.type === 'Compare') return { is: 'decision', parts: childrenOf(node).map(fromPython), start };
  if (node.type === 'UnaryOp' && nodeAt(node, 'op')?.type === 'Not') return { is: 'decision', parts: [ofField(node, 'operand')], start };
  if (node.type === 'BinOp' && /^(?:Add|Div|Mod)$/.test(nodeAt(node, 'op')?.type ?? ''))
    return { is: 'joined', parts: [ofField(node, 'left'), ofField(node, 'right')], start };
  if (node.type === 'BoolOp') {
    const values = nodesAt(node, 'values').map(fromPython);
    const isAnd = nodeAt(node, 'op')?.type === 'And';
    return { is: 'either', parts: isAnd ? values.slice(-1) : values, tests: isAnd ? values.slice(0, -1) : [], start };
  }
  if (node.type === 'IfExp')
    return { is: 'either', parts: [ofField(node, 'body'), ofField(node, 'orelse')], tests: [ofField(node, 'test')], start };
  if (node.type === 'Match') return tested(node, 'subject');
  return TESTED.test(node.type) ? tested(node, 'test') : null;
}

function tested(node: SyntaxNode, field: string): Expression {
  const test = nodeAt(node, field);
  const others = childrenOf(node)
    .filter((one) => one !== test)
    .map(fromPython);
  const parts: Expression[] = test === null ? others : [{ is: 'decision', parts: [fromPython(test)], start: test.start }, ...others];
  return { is: 'group', parts, start: node.start };
}

function assignmentOf(node: SyntaxNode): Expression {
  const targets = [...nodesAt(node, 'targets'), ...['target', 'optional_vars'].flatMap((field) => nodeAt(node, field) ?? [])];
  const value = optional(node, node.type === 'withitem' ? 'context_expr' : 'value');
  const binding: Expression = { is: 'binding', to: targets.flatMap((one) => boundBy(one, [])), value, declares: true, start: node.start };
  const places = targets.flatMap(readInPlace);
  return places.length === 0 ? binding : { is: 'group', parts: [...places, binding], start: node.start };
}

/** Writing to a member reads nothing but what its place is worked out from. */
function readInPlace(place: SyntaxNode): Expression[] {
  if (place.type === 'Name') return [];
  if (place.type !== 'Attribute' && place.type !== 'Subscript') return place.type === 'Call' ? [fromPython(place)] : [];
  const [of, key] = [nodeAt(place, 'value'), nodeAt(place, 'slice')];
  return [...(of === null ? [] : readInPlace(of)), ...(key === null ? [] : [fromPython(key)])];
}

function boundBy(target: SyntaxNode, path: readonly string[]): Bound[] {
  if (target.type === 'Name') return [{ name: textAt(target, 'id') ?? '', path }];
  if (target.type === 'Starred') return boundBy(nodeAt(target, 'value') ?? target, path);
  const parts = target.type === 'Tuple' || target.type === 'List' ? nodesAt(target, 'elts') : [];
  return parts.flatMap((one, at) => boundBy(one, [...path, String(at)]));
}

function functionOf(node: SyntaxNode): Expression {
  const given = nodeAt(node, 'args');
  const params = given === null ? [] : [...nodesAt(given, 'posonlyargs'), ...nodesAt(given, 'args'), ...nodesAt(given, 'kwonlyargs')];
  const defaults = given === null ? [] : [...nodesAt(given, 'defaults'), ...nodesAt(given, 'kw_defaults')];
  const body = node.type === 'Lambda' ? [resultOf(ofField(node, 'body'))] : nodesAt(node, 'body').map(fromPython);
  const outside = [...defaults, ...nodesAt(node, 'decorator_list')].map(fromPython);
  return {
    is: 'function',
    name: textAt(node, 'name') ?? '',
    params: params.map((one) => [{ name: textAt(one, 'arg') ?? '', path: [] }]),
    body: [...outside, ...body],
    start: node.start,
  };
}

function resultOf(value: Expression): Expression {
  return { is: 'result', value, start: value.start };
}

function importOf(node: SyntaxNode): Expression {
  const from = node.type === 'ImportFrom' ? (textAt(node, 'module') ?? '') : null;
  const { start } = node;
  const level = node['level'];
  const isRelative = typeof level === 'number' && level > 0;
  const parts = nodesAt(node, 'names').map((one): Expression => {
    const name = textAt(one, 'name') ?? '';
    const as = textAt(one, 'asname');
    const module = isRelative ? '.' : (from ?? (as === null ? beforeFirst(name, '.') : name));
    const value: Expression = {
      is: 'call',
      callee: { is: 'name', name: '__import__', start },
      args: [{ is: 'text', value: module, start }],
      isNew: false,
      start,
    };
    const path = from === null ? [] : [name];
    return { is: 'binding', to: [{ name: as ?? (from === null ? module : name), path }], value, declares: true, start };
  });
  return { is: 'group', parts, start };
}
