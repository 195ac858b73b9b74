/** How Python writes what a function does. */
import { withoutDetour, type Dialect, type NamedFunction } from './function-shape.ts';
import { nodeAt, nodesAt, textAt, walk, type SyntaxNode } from './syntax-node.ts';
import { beforeFirst } from '../../domain/text-parts.ts';
import { onlyOne } from '../../domain/items.ts';

export const PYTHON: Dialect = {
  namedFunctions,
  declares,
  plain,
  reference: (node) => (node.type === 'Name' ? textAt(node, 'id') : node.type === 'arg' ? textAt(node, 'arg') : null),
  silent: new Set(['annotation', 'returns', 'decorator_list', 'type_params', 'simple', 'kind']),
  member: 'attr',
  steps,
  ownNames,
  ofObject: /^$/,
  call: /^Call$/,
  value: /^(?:Constant|List|Dict|Set|Tuple|ListComp|SetComp|DictComp|GeneratorExp)$/,
};

const STEP =
  /^(?:UnaryOp|BoolOp|Compare|IfExp|AugAssign|If|For|AsyncFor|While|Try|TryStar|Assert|With|AsyncWith|comprehension|Slice|Delete|match_case|FormattedValue)$/;
const ARITHMETIC = 3;

function steps(node: SyntaxNode): number {
  return node.type === 'BinOp' ? ARITHMETIC : STEP.test(node.type) ? 1 : 0;
}

function ownNames(module: SyntaxNode): ReturnType<Dialect['ownNames']> {
  const found = new Map<string, SyntaxNode | 'shared' | 'variable'>();
  for (const node of nodesAt(module, 'body')) {
    const value = nodeAt(node, 'value');
    const isConstant = node.type === 'Assign' || node.type === 'AnnAssign';
    for (const name of declares(node))
      found.set(name, !isConstant ? 'shared' : value === null || found.has(name) ? 'variable' : value.type === 'Lambda' ? 'shared' : value);
  }
  return found;
}

function namedFunctions(module: SyntaxNode): NamedFunction[] {
  const found: NamedFunction[] = [];
  const inClass = new Set<SyntaxNode>();
  walk(module, (node) => {
    if (node.type === 'ClassDef') for (const one of nodesAt(node, 'body')) inClass.add(one);
    const isMethod = inClass.has(node);
    const target = node.type === 'Assign' ? onlyOne(nodesAt(node, 'targets')) : null;
    const value = nodeAt(node, 'value');
    if (target?.type === 'Name' && value?.type === 'Lambda') found.push({ name: textAt(target, 'id') ?? '', isMethod, node: value });
    if (node.type === 'FunctionDef' || node.type === 'AsyncFunctionDef') found.push({ name: textAt(node, 'name') ?? '', isMethod, node });
    return true;
  });
  return found;
}

function declares(node: SyntaxNode): string[] {
  switch (node.type) {
    case 'FunctionDef':
    case 'AsyncFunctionDef':
    case 'ClassDef':
    case 'ExceptHandler':
      return [textAt(node, 'name') ?? ''];
    case 'arg':
      return [textAt(node, 'arg') ?? ''];
    case 'Import':
    case 'ImportFrom':
      return nodesAt(node, 'names').map((one) => textAt(one, 'asname') ?? beforeFirst(textAt(one, 'name') ?? '', '.'));
    case 'Assign':
      return nodesAt(node, 'targets').flatMap(targetNames);
    case 'AnnAssign':
    case 'AugAssign':
    case 'For':
    case 'AsyncFor':
    case 'comprehension':
    case 'NamedExpr':
      return targetNames(nodeAt(node, 'target'));
    case 'withitem':
      return targetNames(nodeAt(node, 'optional_vars'));
    default:
      return [];
  }
}

/** Names that are bound; members and places in a list are not. */
function targetNames(node: SyntaxNode | null): string[] {
  if (node === null) return [];
  if (node.type === 'Name') return [textAt(node, 'id') ?? ''];
  return node.type === 'Starred' ? targetNames(nodeAt(node, 'value')) : nodesAt(node, 'elts').flatMap(targetNames);
}

function plain(node: SyntaxNode, text: string): SyntaxNode | null {
  switch (node.type) {
    case 'FunctionDef':
    case 'AsyncFunctionDef':
      return { ...place(node), type: 'Function', async: node.type === 'AsyncFunctionDef', args: node['args'], body: statements(node) };
    case 'Lambda':
      return {
        ...place(node),
        type: 'Function',
        async: false,
        args: node['args'],
        body: [{ ...place(node), type: 'Return', value: node['body'] }],
      };
    case 'AnnAssign':
      return nodeAt(node, 'value') === null ? null : { ...place(node), type: 'Assign', targets: [node['target']], value: node['value'] };
    case 'Constant':
      return typeof node['value'] === 'object' ? { ...place(node), type: 'Constant', value: text.slice(node.start, node.end) } : node;
    case 'ExceptHandler':
      return { ...node, name: null };
    default:
      return node;
  }
}

/** Without the documentation. */
function statements(node: SyntaxNode): SyntaxNode[] {
  const all = nodesAt(node, 'body').filter((one) => !(one.type === 'Expr' && nodeAt(one, 'value')?.type === 'Constant'));
  return withoutDetour(all, held, returned);
}

function held(statement: SyntaxNode): { name: string; value: SyntaxNode } | null {
  const targets = statement.type === 'Assign' ? nodesAt(statement, 'targets') : [nodeAt(statement, 'target')];
  const [only] = targets.length === 1 && /^(?:Ann)?Assign$/.test(statement.type) ? targets : [null];
  if (only?.type !== 'Name') return null;
  const value = nodeAt(statement, 'value');
  return value === null ? null : { name: textAt(only, 'id') ?? '', value };
}

function returned(statement: SyntaxNode): { name: string | null; field: string } | null {
  const value = statement.type === 'Return' ? nodeAt(statement, 'value') : null;
  return value?.type === 'Name' ? { name: textAt(value, 'id'), field: 'value' } : null;
}

function place({ start, end }: SyntaxNode): { start: number; end: number } {
  return { start, end };
}
