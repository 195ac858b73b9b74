/** A parsed JavaScript or TypeScript module, as the values that it works with. */
import { FUNCTIONS } from '../source/javascript-names.ts';
import { childrenOf, nodeAt, nodesAt, textAt, type SyntaxNode } from '../source/syntax-node.ts';
import type { Bound, Expression } from './expression.ts';

const COMPARISON = /^(?:[=!]==?|[<>]=?|in|instanceof)$/;
const TESTED = /^(?:IfStatement|WhileStatement|DoWhileStatement|ForStatement)$/;
const PASSED_ON =
  /^(?:AwaitExpression|TS(?:As|Satisfies|NonNull|Instantiation)Expression|TSTypeAssertion|ParenthesizedExpression|TypeCastExpression)$/;
const IS_TYPE = /^(?:TSType|TSInterface|TSDeclare)|^(?:TypeAnnotation|TSEnumDeclaration)$/;

export function fromJavascript(node: SyntaxNode): Expression {
  const { start } = node;
  if (PASSED_ON.test(node.type)) return ofField(node, nodeAt(node, 'argument') === null ? 'expression' : 'argument');
  if (FUNCTIONS.has(node.type)) return functionOf(node, '');
  if (node.type === 'Identifier') return { is: 'name', name: textAt(node, 'name') ?? '', start };
  if (node.type === 'StringLiteral') return { is: 'text', value: textAt(node, 'value') ?? '', start };
  if (node.type === 'RegExpLiteral') return { is: 'text', value: textAt(node, 'pattern') ?? '', start };
  if (node.type === 'CatchClause') return caughtBy(node);
  if (node.type === 'MetaProperty') return { is: 'meta', start };
  if (node.type === 'TemplateLiteral') return templateOf(node);
  if (node.type.endsWith('MemberExpression')) return memberOf(node);
  if (/^(?:Optional)?CallExpression$|^NewExpression$/.test(node.type)) return callOf(node);
  if (node.type === 'ImportExpression')
    return { is: 'call', callee: { is: 'name', name: 'require', start }, args: [ofField(node, 'source')], isNew: false, start };
  if (node.type === 'TaggedTemplateExpression')
    return { is: 'call', callee: ofField(node, 'tag'), args: [ofField(node, 'quasi')], isNew: false, start };
  if (node.type === 'ReturnStatement') return { is: 'result', value: optional(node, 'argument'), start };
  if (node.type === 'VariableDeclarator') return declaratorOf(node);
  if (node.type === 'AssignmentExpression' || node.type === 'AssignmentPattern') return assignmentOf(node);
  if (/^Class(?:Private|Accessor)?Property$/.test(node.type)) return propertyOf(node);
  if (node.type === 'ObjectProperty') return entryOf(node);
  return decisionOf(node) ?? importOf(node) ?? groupOf(node);
}

function groupOf(node: SyntaxNode): Expression {
  return {
    is: 'group',
    parts: childrenOf(node)
      .filter((one) => !IS_TYPE.test(one.type))
      .map(fromJavascript),
    start: node.start,
  };
}

function ofField(node: SyntaxNode, field: string): Expression {
  return optional(node, field) ?? { is: 'group', parts: [], start: node.start };
}

function optional(node: SyntaxNode, field: string): Expression | null {
  const child = nodeAt(node, field);
  return child === null ? null : fromJavascript(child);
}

/** What is caught has a stack, like an error that is made. */
function caughtBy(node: SyntaxNode): Expression {
  const { start } = node;
  const param = nodeAt(node, 'param');
  const value: Expression = { is: 'call', callee: { is: 'name', name: 'Error', start }, args: [], isNew: true, start };
  const binding: Expression[] = param === null ? [] : [{ is: 'binding', to: boundBy(param, []), value, declares: true, start }];
  return { is: 'group', parts: [...binding, ofField(node, 'body')], start };
}

function templateOf(node: SyntaxNode): Expression {
  const texts = nodesAt(node, 'quasis').map((one): Expression => {
    const value: unknown = one['value'];
    const cooked = typeof value === 'object' && value !== null && 'cooked' in value ? String(value.cooked) : '';
    return { is: 'text', value: cooked, start: one.start };
  });
  const values = nodesAt(node, 'expressions').map(fromJavascript);
  return { is: 'joined', parts: texts.flatMap((text, at) => [text, ...values.slice(at, at + 1)]), start: node.start };
}

function memberOf(node: SyntaxNode): Expression {
  const property = nodeAt(node, 'property');
  const isComputed = node['computed'] === true;
  const name = isComputed || property === null ? null : (textAt(property, 'name') ?? textAt(nodeAt(property, 'id') ?? property, 'name'));
  const key = isComputed && property !== null ? fromJavascript(property) : null;
  return { is: 'member', of: ofField(node, 'object'), name: key?.is === 'text' ? key.value : name, key, start: node.start };
}

function callOf(node: SyntaxNode): Expression {
  const callee = nodeAt(node, 'callee');
  const args = nodesAt(node, 'arguments').map(fromJavascript);
  const called =
    callee === null || callee.type === 'Import' ? ({ is: 'name', name: 'require', start: node.start } as const) : fromJavascript(callee);
  return { is: 'call', callee: called, args, isNew: node.type === 'NewExpression', start: node.start };
}

function decisionOf(node: SyntaxNode): Expression | null {
  const { start } = node;
  const operator = textAt(node, 'operator') ?? '';
  const [left, right] = [(): Expression => ofField(node, 'left'), (): Expression => ofField(node, 'right')];
  if (node.type === 'BinaryExpression' && operator === '+') return { is: 'joined', parts: [left(), right()], start };
  if (node.type === 'BinaryExpression' && COMPARISON.test(operator)) return { is: 'decision', parts: [left(), right()], start };
  if (node.type === 'UnaryExpression' && operator === '!') return { is: 'decision', parts: [ofField(node, 'argument')], start };
  // What a name is, not what it says: `typeof process`.
  if (node.type === 'UnaryExpression' && operator === 'typeof' && nodeAt(node, 'argument')?.type === 'Identifier')
    return { is: 'group', parts: [], start };
  if (node.type === 'UnaryExpression' && operator === 'typeof') return { is: 'decision', parts: [ofField(node, 'argument')], start };
  if (node.type === 'LogicalExpression')
    return operator === '&&'
      ? { is: 'either', parts: [right()], tests: [left()], start }
      : { is: 'either', parts: [left(), right()], tests: [], start };
  if (node.type === 'ConditionalExpression')
    return { is: 'either', parts: [ofField(node, 'consequent'), ofField(node, 'alternate')], tests: [ofField(node, 'test')], start };
  if (TESTED.test(node.type)) {
    const test = nodeAt(node, 'test');
    const others = childrenOf(node)
      .filter((one) => one !== test)
      .map(fromJavascript);
    return {
      is: 'group',
      parts: test === null ? others : [{ is: 'decision', parts: [fromJavascript(test)], start: test.start }, ...others],
      start,
    };
  }
  if (node.type !== 'SwitchStatement') return null;
  const cases = nodesAt(node, 'cases');
  const tests = [ofField(node, 'discriminant'), ...cases.flatMap((one) => optional(one, 'test') ?? [])];
  return {
    is: 'group',
    parts: [{ is: 'decision', parts: tests, start }, ...cases.flatMap((one) => nodesAt(one, 'consequent').map(fromJavascript))],
    start,
  };
}

function declaratorOf(node: SyntaxNode): Expression {
  const id = nodeAt(node, 'id');
  const init = nodeAt(node, 'init');
  const name = id === null ? '' : (textAt(id, 'name') ?? '');
  const value = init === null ? null : FUNCTIONS.has(init.type) ? functionOf(init, name) : fromJavascript(init);
  return { is: 'binding', to: id === null ? [] : boundBy(id, []), value: withDefaults(id, value), declares: true, start: node.start };
}

/** `=`, and what a parameter or a part has if nothing is given. */
function assignmentOf(node: SyntaxNode): Expression {
  const left = nodeAt(node, 'left');
  const right = ofField(node, 'right');
  const to = left === null ? [] : boundBy(left, []);
  const declares = node.type === 'AssignmentPattern';
  const binding: Expression = { is: 'binding', to, value: withDefaults(left, right), declares, start: node.start };
  if (left === null || to.length > 0) return binding;
  const reads = textAt(node, 'operator') === '=' ? readInPlace(left) : [fromJavascript(left)];
  return { is: 'group', parts: [...reads, binding], start: node.start };
}

/** Writing to a member reads nothing but what its place is worked out from. */
function readInPlace(place: SyntaxNode): Expression[] {
  if (!place.type.endsWith('MemberExpression')) return place.type === 'Identifier' ? [] : [fromJavascript(place)];
  const object = nodeAt(place, 'object');
  const key = place['computed'] === true ? nodeAt(place, 'property') : null;
  return [...(object === null ? [] : readInPlace(object)), ...(key === null ? [] : [fromJavascript(key)])];
}

/** Values inside the pattern are bound beside it. */
function withDefaults(pattern: SyntaxNode | null, value: Expression | null): Expression | null {
  const inner = pattern === null ? [] : defaultsIn(pattern);
  if (inner.length === 0) return value;
  return {
    is: 'either',
    parts: value === null ? [] : [value],
    tests: [{ is: 'group', parts: inner, start: pattern?.start ?? 0 }],
    start: pattern?.start ?? 0,
  };
}

function defaultsIn(pattern: SyntaxNode): Expression[] {
  if (pattern.type === 'AssignmentPattern') return [fromJavascript(pattern), ...defaultsIn(nodeAt(pattern, 'left') ?? pattern)];
  if (pattern.type === 'ObjectPattern') return nodesAt(pattern, 'properties').flatMap((one) => defaultsIn(nodeAt(one, 'value') ?? one));
  return pattern.type === 'ArrayPattern' ? nodesAt(pattern, 'elements').flatMap(defaultsIn) : [];
}

function boundBy(pattern: SyntaxNode, path: readonly string[]): Bound[] {
  if (pattern.type === 'Identifier') return [{ name: textAt(pattern, 'name') ?? '', path }];
  if (pattern.type === 'AssignmentPattern') return boundBy(nodeAt(pattern, 'left') ?? pattern, path).filter(({ name }) => name !== '');
  if (pattern.type === 'RestElement') return boundBy(nodeAt(pattern, 'argument') ?? pattern, path);
  if (pattern.type === 'ArrayPattern') return nodesAt(pattern, 'elements').flatMap((one, at) => boundBy(one, [...path, String(at)]));
  if (pattern.type !== 'ObjectPattern') return [];
  return nodesAt(pattern, 'properties').flatMap((one) => {
    const key = nodeAt(one, 'key');
    const name = key === null || one['computed'] === true ? '*' : (textAt(key, 'name') ?? textAt(key, 'value') ?? '*');
    return one.type === 'RestElement' ? boundBy(one, path) : boundBy(nodeAt(one, 'value') ?? one, [...path, name]);
  });
}

function functionOf(node: SyntaxNode, given: string): Expression {
  const key = nodeAt(node, 'id') ?? nodeAt(node, 'key');
  const name = key === null ? given : (textAt(key, 'name') ?? textAt(key, 'value') ?? given);
  const params = nodesAt(node, 'params');
  const body = nodeAt(node, 'body');
  const made = body === null ? [] : [fromJavascript(body)];
  const inside =
    body === null || body.type === 'BlockStatement' ? made : made.map((value): Expression => ({ is: 'result', value, start: value.start }));
  return {
    is: 'function',
    name,
    params: params.map((one) => boundBy(one, [])),
    body: [...params.flatMap(defaultsIn), ...inside],
    start: node.start,
  };
}

function propertyOf(node: SyntaxNode): Expression {
  const key = nodeAt(node, 'key');
  const value = nodeAt(node, 'value');
  const name = key === null ? '' : (textAt(key, 'name') ?? '');
  if (value === null) return { is: 'group', parts: [], start: node.start };
  return { is: 'group', parts: [FUNCTIONS.has(value.type) ? functionOf(value, name) : fromJavascript(value)], start: node.start };
}

function entryOf(node: SyntaxNode): Expression {
  const key = nodeAt(node, 'key');
  const computed = node['computed'] === true && key !== null ? [fromJavascript(key)] : [];
  return { is: 'group', parts: [...computed, ...(propertyOf(node) as Expression & { is: 'group' }).parts], start: node.start };
}

function importOf(node: SyntaxNode): Expression | null {
  const source = nodeAt(node, 'source');
  if (node.type !== 'ImportDeclaration' || source === null) return null;
  const { start } = node;
  const module: Expression = { is: 'text', value: textAt(source, 'value') ?? '', start };
  const value: Expression = { is: 'call', callee: { is: 'name', name: 'require', start }, args: [module], isNew: false, start };
  const to = nodesAt(node, 'specifiers').map((one): Bound => {
    const imported = nodeAt(one, 'imported');
    const name = imported === null ? '' : (textAt(imported, 'name') ?? textAt(imported, 'value') ?? '');
    return { name: textAt(nodeAt(one, 'local') ?? one, 'name') ?? '', path: name === '' || name === 'default' ? [] : [name] };
  });
  return { is: 'binding', to, value, declares: true, start };
}
