/** Names of a JavaScript module: of its parts, of what it offers, and of what it takes from nowhere. */
import { bindingsOf, calleeNames, patternNames } from './javascript-statements.ts';
import { nodeAt, nodesAt, textAt, walk, type SyntaxNode } from './syntax-node.ts';
import { itemAt } from '../../domain/items.ts';

export function exportsOf(program: SyntaxNode): string[] {
  const found = new Set<string>();
  walk(program, (node) => {
    if (node.type === 'ExportDefaultDeclaration') found.add('default');
    if (node.type === 'ExportAllDeclaration') found.add('*');
    const declared = node.type === 'ExportNamedDeclaration' ? nodeAt(node, 'declaration') : null;
    if (declared !== null) for (const name of bindingsOf(declared)) found.add(name);
    const exported = node.type === 'ExportSpecifier' || node.type === 'ExportNamespaceSpecifier' ? nodeAt(node, 'exported') : null;
    if (exported !== null) found.add(textAt(exported, 'name') ?? textAt(exported, 'value') ?? '');
    if (node.type === 'AssignmentExpression') for (const name of commonExports(node)) found.add(name);
    return true;
  });
  return [...found];
}

function commonExports(node: SyntaxNode): string[] {
  const left = nodeAt(node, 'left');
  const chain = left?.type === 'MemberExpression' ? calleeNames(left) : [];
  if (chain[0] === 'exports' && chain.length === 2) return [itemAt(chain, 1)];
  if (chain[0] !== 'module' || chain[1] !== 'exports') return [];
  if (chain.length > 2) return [itemAt(chain, 2)];
  const right = nodeAt(node, 'right');
  const members =
    right?.type === 'ObjectExpression'
      ? nodesAt(right, 'properties').flatMap((one) => nameOf(one) ?? textAt(nodeAt(one, 'key') ?? one, 'name') ?? [])
      : [];
  return ['default', ...members];
}

export function globalsOf(program: SyntaxNode): string[] {
  const declared = new Set<string>();
  const used = new Set<string>();
  const members = new Set<SyntaxNode | null>();
  walk(program, (node) => {
    for (const name of bindingsOf(node)) declared.add(name);
    for (const parameter of FUNCTIONS.has(node.type) ? nodesAt(node, 'params') : [])
      for (const name of patternNames(parameter)) declared.add(name);
    if (node['computed'] !== true) members.add(nodeAt(node, node.type.endsWith('MemberExpression') ? 'property' : 'key'));
    if (node.type === 'Identifier' && !members.has(node)) used.add(textAt(node, 'name') ?? '');
    return true;
  });
  return [...used].filter((name) => !declared.has(name));
}

export function nameOf(node: SyntaxNode): string | null {
  const id = nodeAt(node, 'id') ?? (PROPERTIES.has(node.type) && node['computed'] !== true ? nodeAt(node, 'key') : null);
  return id === null ? null : (textAt(id, 'name') ?? textAt(id, 'value'));
}

export const PROPERTIES: ReadonlySet<string> = new Set([
  'ObjectProperty',
  'ClassProperty',
  'ClassPrivateProperty',
  'ClassAccessorProperty',
]);

export const FUNCTIONS: ReadonlySet<string> = new Set([
  'FunctionDeclaration',
  'FunctionExpression',
  'ArrowFunctionExpression',
  'ObjectMethod',
  'ClassMethod',
  'ClassPrivateMethod',
]);
