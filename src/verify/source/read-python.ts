/** What a parsed Python module tells. */
import { namesReader, NO_NAMES, type Names } from './bound-leaves.ts';
import { callLeaf, leavesOf, pythonAssertion } from './python-assertions.ts';
import { pythonScope, pythonSpelling } from './python-bindings.ts';
import type { Range, SourceFunction, SourceReading, SourceStatement, SourceTest } from './source.ts';
import { childrenOf, nodeAt, nodesAt, partOf, rangeOf, type SyntaxNode, textAt, walk } from './syntax-node.ts';
import { beforeFirst, matched } from '../../domain/text-parts.ts';
import { firstItem } from '../../domain/items.ts';

interface Place {
  inside: SourceFunction | null;
  test: SourceTest | null;
  /** What names of the test stand for. */
  bound: Names;
  names: readonly string[];
  list: number;
}

export function readPython(module: SyntaxNode, text: string): SourceReading {
  const body = nodesAt(module, 'body');
  const reading: SourceReading = {
    language: 'python',
    tests: [],
    functions: [],
    values: [],
    imports: [],
    exports: body.flatMap(boundNames),
    hasOpenImport: false,
    madeClasses: [],
    statements: statementsOf(body),
    texts: [],
    globals: globalsOf(module),
    afterImports: endOfImports(body, text),
  };
  let lists = 0;
  const boundIn = namesReader(module, pythonScope, pythonSpelling(leavesOf));
  const visit = (node: SyntaxNode, place: Place): void => {
    takeImport(node, reading);
    if (node.type === 'Constant' && typeof node['value'] === 'string') reading.texts.push(node['value']);
    if (isFunction(node)) return visitFunction(node, place);
    if (node.type === 'ClassDef') return visitClass(node, place);
    const assertion = place.test === null ? null : pythonAssertion(node, text, place.bound);
    if (assertion !== null) place.test?.assertions.push(assertion);
    else if (place.test !== null && node.type === 'Expr') place.test.calls.push(...callLeaf(node));
    if (place.inside !== null) takeHanded(node, place.inside);
    else takeValue(node, place, reading);
    for (const child of childrenOf(node)) visit(child, place);
  };
  const visitFunction = (node: SyntaxNode, place: Place): void => {
    const made = functionFrom(node, place, text);
    const isTest = place.test === null && place.inside === null && (textAt(node, 'name') ?? '').startsWith('test');
    const test = isTest ? testFrom(node, place, made, text) : null;
    if (test !== null) reading.tests.push(test);
    else if (place.test === null) reading.functions.push(made);
    const bound = test === null ? place.bound : boundIn(node);
    for (const child of childrenOf(node))
      visit(child, { ...place, inside: made, test: test ?? place.test, bound, names: made.name.split('.') });
  };
  const visitClass = (node: SyntaxNode, place: Place): void => {
    const list = (lists += 1);
    if (place.test === null) reading.madeClasses.push({ start: startOf(node), end: node.end });
    for (const child of childrenOf(node))
      visit(child, { ...place, inside: null, names: [...place.names, textAt(node, 'name') ?? ''], list });
  };
  visit(module, { inside: null, test: null, bound: NO_NAMES, names: [], list: 0 });
  return reading;
}

function isFunction(node: SyntaxNode): boolean {
  return node.type === 'FunctionDef' || node.type === 'AsyncFunctionDef';
}

/** Decorators stand before what they belong to. */
function startOf(node: SyntaxNode): number {
  const [first] = nodesAt(node, 'decorator_list');
  return first === undefined ? node.start : first.start - 1;
}

function functionFrom(node: SyntaxNode, place: Place, text: string): SourceFunction {
  const body = nodesAt(node, 'body');
  const [first] = body;
  const start = first === undefined ? node.end : startOf(first);
  const line = text.lastIndexOf('\n', start - 1) + 1;
  const own = textAt(node, 'name') ?? '';
  return {
    start: node.start,
    end: node.end,
    name: [...place.names, own].join('.'),
    body: { start, end: node.end },
    isExpression: false,
    isAsync: node.type === 'AsyncFunctionDef',
    isGenerator: yieldsIn(node),
    isConstructor: own === '__init__' || own === '__new__' || own === '__post_init__' || own === '__init_subclass__',
    isMember: place.inside === null && place.names.length > 0 && nodesAt(node, 'decorator_list').length === 0,
    returns: returnsIn(node),
    handed: [],
    indent: matched(/^[ \t]*/, text.slice(line, start)),
  };
}

function yieldsIn(node: SyntaxNode): boolean {
  let found = false;
  walk(node, (one) => {
    if (one.type === 'Yield' || one.type === 'YieldFrom') found = true;
    return one === node || !(isFunction(one) || one.type === 'Lambda');
  });
  return found;
}

function returnsIn(node: SyntaxNode): SourceFunction['returns'] {
  const found: SourceFunction['returns'] = [];
  walk(node, (one) => {
    const value = nodeAt(one, 'value');
    if (one.type === 'Return') found.push({ ...rangeOf(one), value: value === null ? null : rangeOf(value) });
    return one === node || !(isFunction(one) || one.type === 'Lambda');
  });
  return found;
}

function takeHanded(node: SyntaxNode, inside: SourceFunction): void {
  if (node.type === 'Assign' && nodesAt(node, 'targets').every((one) => one.type === 'Attribute' || one.type === 'Subscript'))
    inside.handed.push(...plainOnes([partOf(node, 'value')]));
  const value = node.type === 'Expr' ? nodeAt(node, 'value') : null;
  const call = value?.type === 'Await' ? nodeAt(value, 'value') : value;
  if (call?.type !== 'Call') return;
  inside.handed.push(...plainOnes([...nodesAt(call, 'args'), ...nodesAt(call, 'keywords').map((one) => partOf(one, 'value'))]));
}

function plainOnes(values: readonly SyntaxNode[]): Range[] {
  return values.filter((value) => value.type !== 'Starred' && value.type !== 'Lambda').map(rangeOf);
}

/** What a module or a class works out as it is loaded; annotations and documentation aside. */
function takeValue(node: SyntaxNode, place: Place, reading: SourceReading): void {
  const value = node.type === 'Assign' || node.type === 'AnnAssign' ? nodeAt(node, 'value') : null;
  const targets = [...nodesAt(node, 'targets'), ...[nodeAt(node, 'target')].filter((one) => one !== null)];
  const name = targets.flatMap((one) => textAt(one, 'id') ?? []).join('.');
  if (value === null || /^__\w+__$/.test(name) || value.type === 'Lambda' || place.test !== null) return;
  reading.values.push({ ...rangeOf(value), name: [...place.names, name].join('.') });
}

function testFrom(node: SyntaxNode, place: Place, made: SourceFunction, text: string): SourceTest {
  const start = startOf(node);
  const name = textAt(node, 'name') ?? '';
  const named = node.start + matched(/^(?:async\s+)?def\s+/, text.slice(node.start, node.start + 400)).length;
  const decorators = nodesAt(node, 'decorator_list');
  const parameters = nodeAt(node, 'args');
  return {
    start: node.start,
    end: node.end,
    title: [name],
    titleRange: { start: named, end: named + name.length },
    copyRange: { start: named, end: named + name.length },
    body: {
      start: Math.min(made.body.start, parameters === null || parameters.start < 0 ? made.body.start : parameters.start),
      end: node.end,
    },
    statement: { start, end: node.end },
    list: place.list,
    isTable: decorators.some((one) => dottedName(nodeAt(one, 'func') ?? one).endsWith('parametrize')),
    assertions: [],
    calls: [],
  };
}

export function dottedName(node: SyntaxNode): string {
  if (node.type === 'Name') return textAt(node, 'id') ?? '';
  const before = node.type === 'Attribute' ? nodeAt(node, 'value') : null;
  return before === null ? '' : `${dottedName(before)}.${textAt(node, 'attr') ?? ''}`;
}

function takeImport(node: SyntaxNode, reading: SourceReading): void {
  if (node.type === 'Import')
    for (const one of nodesAt(node, 'names'))
      reading.imports.push({ ...rangeOf(node), specifier: textAt(one, 'name') ?? '', names: [], locals: [], isType: false });
  if (node.type === 'ImportFrom') {
    const level = typeof node['level'] === 'number' ? node['level'] : 0;
    const names = nodesAt(node, 'names').flatMap((one) => textAt(one, 'name') ?? []);
    const specifier = `${'.'.repeat(level)}${textAt(node, 'module') ?? ''}`;
    reading.imports.push({ ...rangeOf(node), specifier, names, locals: boundNames(node), isType: false });
  }
  if (node.type !== 'Call' || !/^(?:importlib\.)?import_module$|^__import__$/.test(dottedName(partOf(node, 'func')))) return;
  const [first] = nodesAt(node, 'args');
  const value = first?.type === 'Constant' ? textAt(first, 'value') : null;
  if (value === null) reading.hasOpenImport = true;
  else reading.imports.push({ ...rangeOf(node), specifier: value, names: [], locals: [], isType: false });
}

function boundNames(node: SyntaxNode): string[] {
  const own = isFunction(node) || node.type === 'ClassDef' ? textAt(node, 'name') : null;
  if (own !== null) return [own];
  if (node.type === 'Import' || node.type === 'ImportFrom')
    return nodesAt(node, 'names').map((one) => textAt(one, 'asname') ?? beforeFirst(textAt(one, 'name') ?? '', '.'));
  const targets = [...nodesAt(node, 'targets'), ...[nodeAt(node, 'target')].filter((one) => one !== null)];
  return /^(?:Assign|AnnAssign|AugAssign)$/.test(node.type) ? targets.flatMap((one) => textAt(one, 'id') ?? []) : [];
}

function statementsOf(nodes: readonly SyntaxNode[]): SourceStatement[] {
  return nodes.map((node): SourceStatement => {
    const start = startOf(node);
    const names = boundNames(node);
    const statement: SourceStatement = { start, end: node.end, kind: 'other', names, isPure: isPure(node), header: null, inner: [] };
    if (node.type === 'Import' || node.type === 'ImportFrom') return { ...statement, kind: 'import' };
    if (isFunction(node) && firstItem(names).startsWith('test')) return { ...statement, kind: 'test' };
    const [first] = nodesAt(node, 'body');
    if (node.type === 'ClassDef' && firstItem(names).startsWith('Test') && first !== undefined)
      return { ...statement, kind: 'group', header: { start, end: startOf(first) }, inner: statementsOf(nodesAt(node, 'body')) };
    return names.length > 0 ? { ...statement, kind: 'declaration' } : statement;
  });
}

const PURE = /^(?:Constant|Name|List|Tuple|Dict|Set|UnaryOp|USub|Lambda|arguments|arg)$/;

function isPure(node: SyntaxNode): boolean {
  if (isFunction(node))
    return nodesAt(node, 'decorator_list').every((one) => /^(?:staticmethod|classmethod|property|pytest\.fixture)$/.test(dottedName(one)));
  if (node.type === 'ClassDef')
    return (
      nodesAt(node, 'decorator_list').length === 0 &&
      nodesAt(node, 'keywords').length === 0 &&
      nodesAt(node, 'body').every((one) => isPure(one) || one.type === 'Pass' || isDocumentation(one))
    );
  if (node.type === 'Assign' || node.type === 'AnnAssign') {
    const value = nodeAt(node, 'value');
    return boundNames(node).length > 0 && (value === null || isPure(value));
  }
  return node.type === 'Lambda' || (PURE.test(node.type) && childrenOf(node).every(isPure));
}

function isDocumentation(node: SyntaxNode): boolean {
  return node.type === 'Expr' && nodeAt(node, 'value')?.type === 'Constant';
}

function globalsOf(module: SyntaxNode): string[] {
  const declared = new Set<string>();
  const used = new Set<string>();
  walk(module, (node) => {
    for (const name of boundNames(node)) declared.add(name);
    if (node.type === 'arg') declared.add(textAt(node, 'arg') ?? '');
    if (node.type === 'Name') used.add(textAt(node, 'id') ?? '');
    return true;
  });
  return [...used].filter((name) => !declared.has(name));
}

/** Behind the last import at the top; a statement can begin there. */
function endOfImports(body: readonly SyntaxNode[], text: string): number {
  const last = body.findLast(
    (node, index) => node.type === 'Import' || node.type === 'ImportFrom' || (index === 0 && isDocumentation(node)),
  );
  if (last === undefined) return 0;
  const end = text.indexOf('\n', last.end);
  return end < 0 ? text.length : end + 1;
}
