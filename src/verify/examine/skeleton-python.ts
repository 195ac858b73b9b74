/** Names and signatures of a Python module, one a line: what it offers, without a value of it. */
import { dottedName } from '../source/read-python.ts';
import { nodeAt, nodesAt, textAt, type SyntaxNode } from '../source/syntax-node.ts';
import { BLANK, blanked, withShortNames } from './blanked.ts';

export function pythonSkeleton(module: SyntaxNode, text: string): string[] {
  return nodesAt(module, 'body').flatMap((node) => linesOf(node, text, ''));
}

function linesOf(node: SyntaxNode, text: string, indent: string): string[] {
  if (isFunction(node)) return functionLines(node, text, indent);
  if (node.type === 'ClassDef') return classLines(node, text);
  const target = node.type === 'AnnAssign' ? nodeAt(node, 'target') : (nodesAt(node, 'targets')[0] ?? null);
  const name = target === null ? null : textAt(target, 'id');
  if (name === null || isPrivate(name) || !/^(?:AnnAssign|Assign)$/.test(node.type)) return [];
  const annotation = nodeAt(node, 'annotation');
  return [`${indent}${short(name)}${annotation === null ? '' : `: ${blanked(text, annotation, 'python')}`}`];
}

function isFunction(node: SyntaxNode): boolean {
  return node.type === 'FunctionDef' || node.type === 'AsyncFunctionDef';
}

function isPrivate(name: string): boolean {
  return name.startsWith('_') && name !== '__init__' && name !== '__call__';
}

function short(name: string): string {
  return withShortNames(name);
}

function functionLines(node: SyntaxNode, text: string, indent: string): string[] {
  const name = textAt(node, 'name') ?? '';
  if (isPrivate(name)) return [];
  const back = nodeAt(node, 'returns');
  const parameters = nodeAt(node, 'args');
  const words = parameters === null ? '' : parametersOf(parameters, text).join(', ');
  const start = node.type === 'AsyncFunctionDef' ? 'async def' : 'def';
  return [
    ...decorators(node, indent),
    `${indent}${start} ${short(name)}(${words})${back === null ? '' : ` -> ${blanked(text, back, 'python')}`}`,
  ];
}

/** Their names alone: what they are handed may say anything. */
function decorators(node: SyntaxNode, indent: string): string[] {
  return nodesAt(node, 'decorator_list').flatMap((one) => {
    const name = dottedName(nodeAt(one, 'func') ?? one);
    return name === '' ? [] : [`${indent}@${short(name)}`];
  });
}

function parametersOf(node: SyntaxNode, text: string): string[] {
  const positional = [...nodesAt(node, 'posonlyargs'), ...nodesAt(node, 'args')];
  const defaults = nodesAt(node, 'defaults').length;
  const [rest, named] = [nodeAt(node, 'vararg'), nodeAt(node, 'kwarg')];
  const keywords = nodesAt(node, 'kwonlyargs');
  const fallbacks = Array.isArray(node['kw_defaults']) ? node['kw_defaults'] : [];
  return [
    ...positional.map((one, at) => parameter(one, text, at >= positional.length - defaults)),
    ...(rest !== null ? [`*${parameter(rest, text, false)}`] : keywords.length > 0 ? ['*'] : []),
    ...keywords.map((one, at) => parameter(one, text, (fallbacks[at] ?? null) !== null)),
    ...(named === null ? [] : [`**${parameter(named, text, false)}`]),
  ];
}

function parameter(node: SyntaxNode, text: string, hasDefault: boolean): string {
  const annotation = nodeAt(node, 'annotation');
  const type = annotation === null ? '' : `: ${blanked(text, annotation, 'python')}`;
  return `${short(textAt(node, 'arg') ?? BLANK)}${type}${hasDefault ? ` = ${BLANK}` : ''}`;
}

function classLines(node: SyntaxNode, text: string): string[] {
  const name = textAt(node, 'name') ?? '';
  if (isPrivate(name)) return [];
  const bases = nodesAt(node, 'bases').map((one) => short(dottedName(one)));
  const members = nodesAt(node, 'body').flatMap((one) => (one.type === 'ClassDef' ? [] : linesOf(one, text, '    ')));
  return [...decorators(node, ''), `class ${short(name)}(${bases.join(', ')}):`, ...members];
}
