/** Names and signatures of a JavaScript or TypeScript module, one a line: what it offers, without a value of it. */
import { calleeNames } from '../source/javascript-statements.ts';
import { nodeAt, nodesAt, textAt, walk, type SyntaxNode } from '../source/syntax-node.ts';
import { BLANK, blanked, parameterWords, withShortNames } from './blanked.ts';

const TYPES: ReadonlySet<string> = new Set(['TSInterfaceDeclaration', 'TSTypeAliasDeclaration', 'TSEnumDeclaration']);
const FUNCTION = /^(?:FunctionDeclaration|FunctionExpression|ArrowFunctionExpression|ObjectMethod|ClassMethod)$/;

/** Empty: it offers nothing that has a name. */
export function javascriptSkeleton(program: SyntaxNode, text: string): string[] {
  const body = nodesAt(program, 'body');
  const local = new Map<string, SyntaxNode>();
  for (const node of body) for (const [name, declared] of declarationsOf(nodeAt(node, 'declaration') ?? node)) local.set(name, declared);
  const lines = body.flatMap((node) => exportedLines(node, local, text));
  walk(program, (node) => {
    if (node.type === 'AssignmentExpression') lines.push(...commonLines(node, local, text));
    return !FUNCTION.test(node.type);
  });
  return [...new Set(lines)];
}

function declarationsOf(node: SyntaxNode): [string, SyntaxNode][] {
  if (node.type === 'VariableDeclaration')
    return nodesAt(node, 'declarations').flatMap((one): [string, SyntaxNode][] => {
      const name = textAt(nodeAt(one, 'id') ?? one, 'name');
      return name === null ? [] : [[name, one]];
    });
  const id = nodeAt(node, 'id');
  const name = id === null ? null : textAt(id, 'name');
  return name === null ? [] : [[name, node]];
}

function exportedLines(node: SyntaxNode, local: ReadonlyMap<string, SyntaxNode>, text: string): string[] {
  if (node.type === 'ExportAllDeclaration') return ['export * from another module'];
  if (node.type === 'ExportDefaultDeclaration') {
    const declared = nodeAt(node, 'declaration');
    return declared === null ? [] : prefixed('export', described('default', declared, local, text));
  }
  if (node.type !== 'ExportNamedDeclaration') return [];
  const declared = nodeAt(node, 'declaration');
  if (declared !== null)
    return TYPES.has(declared.type)
      ? [`export ${blanked(text, declared, 'javascript')}`]
      : declarationsOf(declared).flatMap(([name, one]) => prefixed('export', described(name, one, local, text)));
  return nodesAt(node, 'specifiers').flatMap((one) => {
    const [inner, outer] = [nodeAt(one, 'local'), nodeAt(one, 'exported')].map((side) => (side === null ? null : nameIn(side)));
    if (outer === null || outer === undefined) return [];
    const known = inner === null || inner === undefined ? undefined : local.get(inner);
    return known === undefined ? [`export ${short(outer)}`] : prefixed('export', described(outer, known, local, text));
  });
}

function prefixed(word: string, [first, ...rest]: readonly string[]): string[] {
  return first === undefined ? [] : [`${word} ${first}`, ...rest];
}

function nameIn(node: SyntaxNode): string | null {
  return textAt(node, 'name') ?? textAt(node, 'value');
}

function short(name: string): string {
  return /^[\p{L}\p{N}_$.]+$/u.test(name) ? withShortNames(name) : BLANK;
}

/** A name and what it is: a signature, a class with its members, the members of an object, or only the name. */
function described(name: string, node: SyntaxNode, local: ReadonlyMap<string, SyntaxNode>, text: string): string[] {
  const value = valueOf(node, local);
  if (FUNCTION.test(value.type)) {
    const kind = `${value['async'] === true ? 'async ' : ''}function${value['generator'] === true ? '*' : ''}`;
    return [`${kind} ${short(name)}${parameterWords(text, value)}`];
  }
  if (value.type === 'ClassDeclaration' || value.type === 'ClassExpression') return classLines(name, value, text);
  if (value.type === 'ObjectExpression') return [`const ${short(name)} = {`, ...memberLines(value, local, text), '}'];
  if (TYPES.has(value.type)) return [blanked(text, value, 'javascript')];
  return [`const ${short(name)}${typeWords(node, text)}`];
}

function typeWords(node: SyntaxNode, text: string): string {
  const type = nodeAt(nodeAt(node, 'id') ?? node, 'typeAnnotation');
  return type === null ? '' : blanked(text, type, 'javascript');
}

/** What stands behind a declaration or a plain name. */
function valueOf(node: SyntaxNode, local: ReadonlyMap<string, SyntaxNode>): SyntaxNode {
  const value = node.type === 'VariableDeclarator' ? (nodeAt(node, 'init') ?? node) : node;
  const known = value.type === 'Identifier' ? local.get(textAt(value, 'name') ?? '') : undefined;
  if (known !== undefined && known !== node) return known.type === 'VariableDeclarator' ? (nodeAt(known, 'init') ?? known) : known;
  return value;
}

function memberLines(object: SyntaxNode, local: ReadonlyMap<string, SyntaxNode>, text: string): string[] {
  return nodesAt(object, 'properties').flatMap((one) => {
    const key = one['computed'] === true ? null : nodeAt(one, 'key');
    const name = key === null ? null : nameIn(key);
    if (name === null) return [];
    if (FUNCTION.test(one.type)) return [`  ${short(name)}${parameterWords(text, one)}`];
    const value = valueOf(nodeAt(one, 'value') ?? one, local);
    return [FUNCTION.test(value.type) ? `  ${short(name)}${parameterWords(text, value)}` : `  ${short(name)}`];
  });
}

function classLines(name: string, node: SyntaxNode, text: string): string[] {
  const parent = nodeAt(node, 'superClass');
  const above = parent === null ? '' : ` extends ${short(calleeNames(parent).join('.'))}`;
  const body = nodeAt(node, 'body');
  const members = (body === null ? [] : nodesAt(body, 'body')).flatMap((one) => {
    const key = one['computed'] === true ? null : nodeAt(one, 'key');
    const own = key === null ? null : nameIn(key);
    if (own === null || one.type.startsWith('ClassPrivate') || one['accessibility'] === 'private') return [];
    const kind = textAt(one, 'kind');
    const prefix = `${one['static'] === true ? 'static ' : ''}${kind === 'get' || kind === 'set' ? `${kind} ` : ''}${one['async'] === true ? 'async ' : ''}`;
    return [`  ${prefix}${short(own)}${one.type === 'ClassMethod' ? parameterWords(text, one) : ''}`];
  });
  return [`class ${short(name)}${above} {`, ...members, '}'];
}

/** `exports.a = …`, `module.exports = { … }` and `module.exports.a = …`. */
function commonLines(node: SyntaxNode, local: ReadonlyMap<string, SyntaxNode>, text: string): string[] {
  const [left, right] = [nodeAt(node, 'left'), nodeAt(node, 'right')];
  const chain = left?.type === 'MemberExpression' ? calleeNames(left) : [];
  const isWhole = chain.join('.') === 'module.exports';
  const name =
    chain[0] === 'exports' && chain.length === 2 ? chain[1] : chain[0] === 'module' && chain[1] === 'exports' ? chain[2] : undefined;
  if (right === null || (!isWhole && name === undefined)) return [];
  if (name !== undefined) return prefixed('exports', described(name, right, local, text));
  if (right.type !== 'ObjectExpression') return prefixed('module.exports =', described('default', right, local, text));
  return ['module.exports = {', ...memberLines(right, local, text), '}'];
}
