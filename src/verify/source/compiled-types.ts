/**
 * The simple part of what TypeScript makes code of, written as a compiler would: enumerations of constants, and parameters that are members. Pure.
 *
 * What has more to it (values that are worked out by calls, two declarations of one name, members that are made of parameters) has no answer.
 */
import { childrenOf, nodeAt, nodesAt, partOf, type SyntaxNode, textAt, textPartOf, walk } from './syntax-node.ts';
import type { Range, TextEdit } from './source.ts';

const LITERALS = new Set(['NumericLiteral', 'StringLiteral']);

/** An enumeration as an object, on as many lines; `all`: names of the enumerations that the module declares, in their order. */
export function enumObject(text: string, node: SyntaxNode, all: readonly string[]): TextEdit | null {
  const name = textPartOf(partOf(node, 'id'), 'name');
  if (all.filter((one) => one === name).length !== 1) return null;
  const others = all.slice(0, all.indexOf(name));
  const known: string[] = [];
  const steps: string[] = [];
  let last: 'number' | 'text' = 'number';
  for (const [at, member] of nodesAt(node, 'members').entries()) {
    const id = partOf(member, 'id');
    const own = id.type === 'Identifier' ? textAt(id, 'name') : textAt(id, 'value');
    const value = nodeAt(member, 'initializer');
    if (own === null || (value === null ? last === 'text' : !isConstant(value, name, known, others))) return null;
    const words = value === null ? (at === 0 ? '0' : 'last + 1') : valueText(text, value, name, known);
    steps.push(`put(${JSON.stringify(own)}, ${words});`);
    last = value !== null && isText(value) ? 'text' : 'number';
    known.push(own);
  }
  const put = `const put = (name, value) => { made[name] = last = value; if (typeof value === 'number') made[value] = name; };`;
  const lines = text.slice(node.start, node.end).replaceAll(/[^\n]/g, '');
  return {
    at: node.start,
    length: node.end - node.start,
    text: `var ${name} = (() => { const made = {}; let last; ${put} ${steps.join(' ')} return made; })();${lines}`,
  };
}

function isText(node: SyntaxNode): boolean {
  if (node.type === 'BinaryExpression') return [nodeAt(node, 'left'), nodeAt(node, 'right')].some((one) => one !== null && isText(one));
  return node.type === 'StringLiteral' || node.type === 'TemplateLiteral';
}

/** Of literals, operators, earlier members, and members of this and earlier enumerations of the module. */
function isConstant(node: SyntaxNode, name: string, known: readonly string[], others: readonly string[]): boolean {
  if (LITERALS.has(node.type)) return true;
  if (node.type === 'TemplateLiteral') return nodesAt(node, 'expressions').length === 0;
  if (node.type === 'Identifier') return known.includes(textAt(node, 'name') ?? '');
  if (node.type === 'MemberExpression') {
    const [of, member] = [textAt(partOf(node, 'object'), 'name'), textAt(partOf(node, 'property'), 'name')];
    return (
      node['computed'] !== true && of !== null && !known.includes(of) && (of === name ? known.includes(member ?? '') : others.includes(of))
    );
  }
  if (node.type !== 'UnaryExpression' && node.type !== 'BinaryExpression') return false;
  return (
    /^(?:[-+~*/%|&^]|\*\*|<<|>>>?)$/.test(textAt(node, 'operator') ?? '') &&
    childrenOf(node).every((one) => isConstant(one, name, known, others))
  );
}

/** Members of the enumeration itself are taken from the object that is being made. */
function valueText(text: string, value: SyntaxNode, name: string, known: readonly string[]): string {
  const found: { at: Range; to: string }[] = [];
  walk(value, (node) => {
    if (node.type === 'MemberExpression') {
      const of = partOf(node, 'object');
      if (textAt(of, 'name') === name) found.push({ at: of, to: 'made' });
      return false;
    }
    if (node.type === 'Identifier' && known.includes(textPartOf(node, 'name')))
      found.push({ at: node, to: `made.${textPartOf(node, 'name')}` });
    return true;
  });
  let [words, at] = ['', value.start];
  for (const one of found.toSorted((a, b) => a.at.start - b.at.start)) {
    words += text.slice(at, one.at.start) + one.to;
    at = one.at.end;
  }
  return words + text.slice(at, value.end);
}

/** What gives a class the members that its constructor's parameters are; null where other members are made of them, or no place for it is plain. */
export function parameterMembers(node: SyntaxNode): TextEdit[] | null {
  const body = partOf(node, 'body');
  const members = nodesAt(body, 'body');
  const made = members.find((one) => one.type === 'ClassMethod' && textAt(one, 'kind') === 'constructor');
  const names = (made === undefined ? [] : nodesAt(made, 'params'))
    .filter((one) => one.type === 'TSParameterProperty')
    .map((one) => partOf(one, 'parameter'))
    .map((one) => textAt(nodeAt(one, 'left') ?? one, 'name'));
  if (made === undefined || names.length === 0) return [];
  const known = names.filter((name) => name !== null);
  if (known.length < names.length || members.some((one) => one.type.endsWith('Property') && one['static'] !== true && mentionsThis(one)))
    return null;
  const inner = partOf(made, 'body');
  const above = nodesAt(inner, 'body').find((one) => nodeAt(nodeAt(one, 'expression') ?? one, 'callee')?.type === 'Super');
  if (nodeAt(node, 'superClass') !== null && above === undefined) return null;
  const given = known.map((name) => `this.${name} = ${name};`).join(' ');
  return [
    { at: body.start + 1, length: 0, text: ` ${known.map((name) => `${name};`).join(' ')}` },
    { at: above === undefined ? inner.start + 1 : above.end, length: 0, text: above === undefined ? ` ${given}` : `; ${given}` },
  ];
}

/** Not by functions, which look later. */
function mentionsThis(node: SyntaxNode): boolean {
  let is = false;
  walk(node, (one) => {
    is ||= one.type === 'ThisExpression';
    return !is && !/Function/.test(one.type);
  });
  return is;
}
