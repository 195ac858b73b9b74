/** What names of a test or a module are bound to in Python. */
import { scopeOf, type Binding, type Iterated, type Scope, type Spelling, type Step } from './bound-leaves.ts';
import type { Leaf } from './source.ts';
import { childrenOf, nodeAt, nodesAt, partOf, type SyntaxNode, textAt, walk } from './syntax-node.ts';
import { itemAt } from '../../domain/items.ts';

/** `leaves`: the values that an expected expression consists of. */
export function pythonSpelling(leaves: (node: SyntaxNode) => Leaf[]): Spelling {
  return { reference, elements, values, iterated, member, isConstant, leaves, names };
}

/** A test with its decorators, or a whole module. */
export function pythonScope(node: SyntaxNode): Scope {
  const rows = tableBindings(node);
  const bindings: Binding[] = [...rows];
  const uses = new Map(rows.map(({ name }) => [name, 1]));
  walk(node, (one) => {
    bindings.push(...bindingsAt(one).filter(({ name }) => one.type !== 'arguments' || !rows.some((row) => row.name === name)));
    const name =
      one.type === 'Name'
        ? textAt(one, 'id')
        : one.type === 'arg' && !rows.some((row) => row.name === textAt(one, 'arg'))
          ? textAt(one, 'arg')
          : null;
    if (name !== null) uses.set(name, (uses.get(name) ?? 0) + 1);
    return true;
  });
  return scopeOf(bindings, uses);
}

function bindingsAt(node: SyntaxNode): Binding[] {
  const value = nodeAt(node, 'value');
  if (node.type === 'Assign') {
    const targets = nodesAt(node, 'targets');
    return targets.flatMap((one) => targetBindings(one, [], targets.length === 1 ? value : null, false));
  }
  if (node.type === 'AnnAssign') return targetBindings(partOf(node, 'target'), [], value, false);
  if (node.type === 'For') return targetBindings(partOf(node, 'target'), [], nodeAt(node, 'iter'), true);
  if (/^(?:AugAssign|NamedExpr|comprehension|AsyncFor)$/.test(node.type)) return targetBindings(partOf(node, 'target'), [], null, false);
  if (node.type === 'withitem') return targetsIn(nodeAt(node, 'optional_vars'));
  return node.type === 'arguments'
    ? [...nodesAt(node, 'args'), ...nodesAt(node, 'kwonlyargs')].map((one) => unknown(textAt(one, 'arg') ?? ''))
    : [];
}

function targetsIn(node: SyntaxNode | null): Binding[] {
  return node === null ? [] : targetBindings(node, [], null, false);
}

function targetBindings(target: SyntaxNode, path: readonly Step[], to: SyntaxNode | null, isEach: boolean): Binding[] {
  if (target.type === 'Name') return [{ name: textAt(target, 'id') ?? '', to, isEach, path }];
  const parts = target.type === 'Tuple' || target.type === 'List' ? nodesAt(target, 'elts') : [];
  const isOpen = parts.some((one) => one.type === 'Starred');
  return parts.flatMap((one, at) => targetBindings(one, [...path, at], isOpen ? null : to, isEach));
}

/** Parameters that pytest hands over row by row. */
function tableBindings(test: SyntaxNode): Binding[] {
  const tables = nodesAt(test, 'decorator_list').filter(
    (one) => one.type === 'Call' && textAt(nodeAt(one, 'func') ?? one, 'attr') === 'parametrize',
  );
  return tables.flatMap((one) => {
    const [names, rows] = nodesAt(one, 'args');
    if (names === undefined || rows === undefined) return [];
    const listed =
      names.type === 'Constant'
        ? (textAt(names, 'value') ?? '').split(',')
        : nodesAt(names, 'elts').map((part) => textAt(part, 'value') ?? '');
    const words = listed.map((word) => word.trim()).filter((word) => word !== '');
    return words.map((name, at) => ({ name, to: rows, isEach: true, path: words.length === 1 && names.type === 'Constant' ? [] : [at] }));
  });
}

function unknown(name: string): Binding {
  return { name, to: null, isEach: false, path: [] };
}

function names(node: SyntaxNode): string[] {
  const found: string[] = [];
  walk(node, (one) => {
    if (one.type === 'Name') found.push(textAt(one, 'id') ?? '');
    return true;
  });
  return found;
}

function reference(node: SyntaxNode): { name: string; path: Step[] } | null {
  if (node.type === 'Name') return { name: textAt(node, 'id') ?? '', path: [] };
  const [before, slice] = [nodeAt(node, 'value'), nodeAt(node, 'slice')];
  const key = node.type === 'Subscript' && slice?.type === 'Constant' ? textAt(slice, 'value') : null;
  if (before === null || key === null) return null;
  const found = reference(before);
  return found === null ? null : { name: found.name, path: [...found.path, key] };
}

/** A row of `pytest.param` is what it is called with. */
function elements(node: SyntaxNode): SyntaxNode[] | null {
  if (node.type === 'Call' && /^param$/.test(textAt(partOf(node, 'func'), 'attr') ?? textAt(partOf(node, 'func'), 'id') ?? ''))
    return nodesAt(node, 'args');
  return node.type === 'List' || node.type === 'Tuple' ? nodesAt(node, 'elts') : null;
}

function values(node: SyntaxNode): SyntaxNode[] | null {
  return node.type === 'Dict' ? nodesAt(node, 'values') : null;
}

/** `table.items()`, `enumerate(rows)` and the like. */
function iterated(node: SyntaxNode): Iterated | null {
  const func = node.type === 'Call' ? nodeAt(node, 'func') : null;
  const [first] = nodesAt(node, 'args');
  const [attribute, name] = func === null ? [null, null] : [textAt(func, 'attr'), textAt(func, 'id')];
  const before = func === null ? null : nodeAt(func, 'value');
  if (before !== null && first === undefined && (attribute === 'items' || attribute === 'values'))
    return { of: before, isRecord: true, isPaired: attribute === 'items' };
  if (first === undefined || name === null || !/^(?:enumerate|sorted|reversed|list|tuple|iter)$/.test(name)) return null;
  return name === 'enumerate'
    ? { of: first, isRecord: false, isPaired: true }
    : (iterated(first) ?? { of: first, isRecord: false, isPaired: false });
}

function member(node: SyntaxNode, step: Step): SyntaxNode | null {
  if (typeof step === 'number') return elements(node)?.[step] ?? null;
  const at = nodesAt(node, 'keys').findLastIndex((one) => textAt(one, 'value') === step);
  return node.type === 'Dict' && at >= 0 && nodesAt(node, 'keys').length === nodesAt(node, 'values').length
    ? itemAt(nodesAt(node, 'values'), at)
    : null;
}

function isConstant(node: SyntaxNode): boolean {
  return /^(?:Constant|List|Tuple|Set|Dict|UnaryOp|USub|UAdd)$/.test(node.type) && childrenOf(node).every(isConstant);
}

/** Names and members of names where values of an expected expression stand. */
export function expectedNames(node: SyntaxNode): SyntaxNode[] {
  if (node.type === 'Name' || node.type === 'Subscript') return [node];
  if (/^(?:List|Tuple|Set)$/.test(node.type)) return nodesAt(node, 'elts').flatMap(expectedNames);
  return node.type === 'Dict' ? nodesAt(node, 'values').flatMap(expectedNames) : [];
}
