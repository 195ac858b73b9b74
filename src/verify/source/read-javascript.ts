/** What a parsed JavaScript, TypeScript or JSX module tells. */
import { namesReader, NO_NAMES, type Names } from './bound-leaves.ts';
import { assertionIn, callLeaf, leavesOf } from './javascript-assertions.ts';
import { javascriptScope, javascriptSpelling } from './javascript-bindings.ts';
import { exportsOf, FUNCTIONS, globalsOf, nameOf, PROPERTIES } from './javascript-names.ts';
import { calleeNames, isTestName, patternNames, statementsOf, testNamesIn } from './javascript-statements.ts';
import type { Range, SourceFunction, SourceImport, SourceReading, SourceTest } from './source.ts';
import { childrenOf, nodeAt, nodesAt, partOf, rangeOf, type SyntaxNode, textAt, walk } from './syntax-node.ts';
import { firstItem, lastItem } from '../../domain/items.ts';

interface Place {
  /** The function that the node stands in; null: it is run as the module is loaded. */
  inside: SourceFunction | null;
  test: SourceTest | null;
  /** What names of the test stand for. */
  bound: Names;
  /** What the tests around the node are handed: tests within them and assertions are their members. */
  handed: ReadonlySet<string>;
  /** Names of what the node stands in. */
  names: readonly string[];
  /** The list of statements, and the one that the node is or begins with. */
  list: number;
  statement: SyntaxNode | null;
}

export function readJavascript(program: SyntaxNode, text: string): SourceReading {
  const names = testNamesIn(program);
  const reading: SourceReading = {
    language: 'javascript',
    tests: [],
    functions: [],
    values: [],
    imports: [],
    exports: exportsOf(program),
    hasOpenImport: false,
    madeClasses: [],
    statements: statementsOf(nodesAt(program, 'body'), names),
    texts: [],
    globals: globalsOf(program),
    afterImports: endOfImports(program),
  };
  let lists = 0;
  const boundIn = namesReader(program, javascriptScope, javascriptSpelling(leavesOf));
  const taken = new Map<SyntaxNode, Taken>();
  const visit = (node: SyntaxNode, place: Place): void => {
    takeRequired(node, taken);
    takeImport(node, reading, taken.get(node));
    if (node.type === 'StringLiteral' || node.type === 'DirectiveLiteral') reading.texts.push(textAt(node, 'value') ?? '');
    if (node.type === 'TemplateElement') reading.texts.push(cooked(node));
    if (FUNCTIONS.has(node.type)) return visitFunction(node, place);
    const statements = listOf(node);
    if (statements !== null) {
      const list = (lists += 1);
      for (const one of statements) visit(one, { ...place, list, statement: one });
      for (const other of nodesAt(node, 'directives')) visit(other, { ...place, statement: null });
      return;
    }
    if (node.type === 'CallExpression') return visitCall(node, place);
    if (place.inside !== null) takeHanded(node, place.inside);
    else takeValue(node, place, reading);
    const own = nameOf(node);
    const below = { ...place, names: own === null ? place.names : [...place.names, own], statement: stillStatement(node, place) };
    for (const child of childrenOf(node)) visit(child, below);
  };
  const visitFunction = (node: SyntaxNode, place: Place): void => {
    const made = functionFrom(node, place.names);
    const isReal = made !== null && place.test === null;
    if (isReal) reading.functions.push(made);
    const below = { ...place, statement: null, inside: made ?? place.inside, names: made === null ? place.names : made.name.split('.') };
    for (const child of childrenOf(node)) visit(child, below);
  };
  const visitCall = (node: SyntaxNode, place: Place): void => {
    const test = testFrom(node, place, names);
    if (test !== null) reading.tests.push(test);
    const within = test ?? place.test;
    const assertion = assertionIn(node, text, place.handed, place.bound);
    if (assertion !== null) within?.assertions.push(assertion);
    else if (within !== null && test === null && place.statement?.type === 'ExpressionStatement') within.calls.push(...callLeaf(node));
    const handed = test === null ? place.handed : new Set([...place.handed, ...handedTo(node)]);
    const bound = test === null ? place.bound : boundIn(node);
    for (const child of childrenOf(node)) visit(child, { ...place, test: within, bound, handed, statement: null });
  };
  visit(program, { inside: null, test: null, bound: NO_NAMES, handed: new Set(), names: [], list: 0, statement: null });
  return reading;
}

function listOf(node: SyntaxNode): SyntaxNode[] | null {
  return node.type === 'Program' || node.type === 'BlockStatement' || node.type === 'StaticBlock' ? nodesAt(node, 'body') : null;
}

/** A call is a statement of its own where nothing but these stands around it. */
function stillStatement(node: SyntaxNode, place: Place): SyntaxNode | null {
  return node === place.statement && node.type === 'ExpressionStatement' ? node : null;
}

function functionFrom(node: SyntaxNode, names: readonly string[]): SourceFunction | null {
  const body = nodeAt(node, 'body');
  if (body === null) return null;
  const key = nodeAt(node, 'id') ?? nodeAt(node, 'key');
  const own = key === null ? null : (textAt(key, 'name') ?? textAt(key, 'value'));
  const isBlock = body.type === 'BlockStatement';
  return {
    ...rangeOf(node),
    name: (own === null ? names : [...names, own]).join('.'),
    body: isBlock ? { start: body.start + 1, end: body.end - 1 } : rangeOf(body),
    isExpression: !isBlock,
    isAsync: node['async'] === true,
    isGenerator: node['generator'] === true,
    isConstructor: node['kind'] === 'constructor' || node['kind'] === 'set',
    isMember: node.type === 'ClassMethod' || node.type === 'ClassPrivateMethod',
    returns: isBlock ? returnsIn(body) : [{ ...rangeOf(body), value: rangeOf(body) }],
    handed: isBlock ? [] : handedIn(body),
    indent: '',
  };
}

function returnsIn(body: SyntaxNode): SourceFunction['returns'] {
  const found: SourceFunction['returns'] = [];
  walk(body, (node) => {
    if (FUNCTIONS.has(node.type)) return false;
    const value = nodeAt(node, 'argument');
    if (node.type === 'ReturnStatement') found.push({ ...rangeOf(node), value: value === null ? null : rangeOf(value) });
    return true;
  });
  return found;
}

function takeHanded(node: SyntaxNode, inside: SourceFunction): void {
  const value = node.type === 'YieldExpression' && node['delegate'] !== true ? nodeAt(node, 'argument') : null;
  if (value !== null) inside.handed.push(rangeOf(value));
  const expression =
    node.type === 'ExpressionStatement' ? nodeAt(node, 'expression') : node.type === 'ReturnStatement' ? nodeAt(node, 'argument') : null;
  if (expression !== null) inside.handed.push(...handedIn(expression));
}

/** What a call or an assignment to a member hands on; functions are not handed over changed. */
function handedIn(expression: SyntaxNode): Range[] {
  if (expression.type === 'AwaitExpression') return handedIn(partOf(expression, 'argument'));
  if (expression.type === 'AssignmentExpression')
    return nodeAt(expression, 'left')?.type === 'MemberExpression' ? plainOnes([partOf(expression, 'right')]) : [];
  if (expression.type !== 'CallExpression' && expression.type !== 'OptionalCallExpression') return [];
  const callee = partOf(expression, 'callee');
  const before = nodeAt(callee, 'object');
  return [...(before === null ? [] : handedIn(before)), ...plainOnes(nodesAt(expression, 'arguments'))];
}

function plainOnes(values: readonly SyntaxNode[]): Range[] {
  return values.filter((value) => !FUNCTIONS.has(value.type) && !NO_VALUE.test(value.type)).map(rangeOf);
}

const NO_VALUE = /^(?:SpreadElement|Class\w+|Super|Import|ThisExpression|ArgumentPlaceholder)$/;

function takeValue(node: SyntaxNode, place: Place, reading: SourceReading): void {
  const value =
    node.type === 'VariableDeclarator'
      ? nodeAt(node, 'init')
      : PROPERTIES.has(node.type) && node.type !== 'ObjectProperty'
        ? nodeAt(node, 'value')
        : node.type === 'ExportDefaultDeclaration'
          ? nodeAt(node, 'declaration')
          : exportedValue(node);
  if (value === null || FUNCTIONS.has(value.type) || !MAKES_VALUE.test(value.type) || loadsModule(value) || place.test !== null) return;
  reading.values.push({ ...rangeOf(value), name: [...place.names, nameOf(node) ?? ''].join('.') });
}

const MAKES_VALUE =
  /Literal$|^(?:Object|Array|Call|New|Tagged\w*|Binary|Logical|Conditional|Unary|Member|TS\w+|JSX\w+)(?:Expression|Element)?$/;

function exportedValue(node: SyntaxNode): SyntaxNode | null {
  const left = node.type === 'AssignmentExpression' ? nodeAt(node, 'left') : null;
  return left?.type === 'MemberExpression' && /^(?:module\.exports|exports)\b/.test(calleeNames(left).join('.'))
    ? nodeAt(node, 'right')
    : null;
}

function loadsModule(value: SyntaxNode): boolean {
  const names = value.type === 'CallExpression' ? calleeNames(partOf(value, 'callee')) : [];
  return names[0] === 'require' || (value.type === 'MemberExpression' && loadsModule(partOf(value, 'object')));
}

function testFrom(node: SyntaxNode, place: Place, names: ReadonlySet<string>): SourceTest | null {
  const callee = partOf(node, 'callee');
  const isTable = callee.type === 'CallExpression' || callee.type === 'TaggedTemplateExpression';
  const called = isTable ? (nodeAt(callee, 'callee') ?? nodeAt(callee, 'tag')) : callee;
  const chain = called === null ? [] : calleeNames(called);
  const isInner = chain[1] === 'test' && place.handed.has(firstItem(chain));
  if (!(isInner || isTestName(chain, names)) || (isTable && !chain.includes('each') && !chain.includes('for'))) return null;
  if (!isTable && (chain.at(-1) === 'each' || chain.at(-1) === 'for')) return null;
  const [first, ...rest] = nodesAt(node, 'arguments');
  const title = first === undefined ? null : titleOf(first);
  const titleRange = first !== undefined && title?.length === 1 ? rangeOf(first) : null;
  const body = title === null && first !== undefined && FUNCTIONS.has(first.type) ? first : (rest.at(-1) ?? first ?? node);
  const begin = first === undefined || title === null ? (first?.start ?? node.start) : (rest[0]?.start ?? first.end);
  return {
    ...rangeOf(node),
    title: isTable && title !== null ? title.flatMap((part) => part.split(/[%$][\w.#]*/)) : title,
    titleRange: isTable ? null : titleRange,
    copyRange: titleRange,
    body: { start: Math.min(begin, body.start), end: Math.max(body.end, begin) },
    statement: place.statement === null ? null : rangeOf(place.statement),
    list: place.list,
    isTable,
    assertions: [],
    calls: [],
  };
}

/** The first parameter of a test's function. */
function handedTo(call: SyntaxNode): string[] {
  const body = nodesAt(call, 'arguments').findLast((one) => FUNCTIONS.has(one.type));
  const [first] = body === undefined ? [] : nodesAt(body, 'params');
  return first?.type === 'Identifier' ? patternNames(first) : [];
}

function titleOf(node: SyntaxNode): string[] | null {
  if (node.type === 'StringLiteral') return [textAt(node, 'value') ?? ''];
  if (node.type === 'TemplateLiteral') return nodesAt(node, 'quasis').map(cooked);
  if (node.type !== 'BinaryExpression' || node['operator'] !== '+')
    return node.type === 'Identifier' || FUNCTIONS.has(node.type) ? null : ['', ''];
  const titleAt = (side: SyntaxNode | null): string[] => (side === null ? null : titleOf(side)) ?? ['', ''];
  const [left, right] = [titleAt(nodeAt(node, 'left')), titleAt(nodeAt(node, 'right'))];
  return [...left.slice(0, -1), `${lastItem(left)}${firstItem(right)}`, ...right.slice(1)];
}

function cooked(node: SyntaxNode): string {
  const value = node['value'];
  return typeof value === 'object' && value !== null && 'cooked' in value && typeof value.cooked === 'string' ? value.cooked : '';
}

type Taken = Pick<SourceImport, 'names' | 'locals'>;

/** `const { sum: add } = require('./sum')`, `const sum = await import('./sum')`, `exports.sum = require('./sum').sum`: what the call is for. */
function takeRequired(node: SyntaxNode, taken: Map<SyntaxNode, Taken>): void {
  const id = node.type === 'VariableDeclarator' ? nodeAt(node, 'id') : null;
  const init = id === null ? exportedValue(node) : nodeAt(node, 'init');
  if (init === null) return;
  const [inner, member] = init.type === 'MemberExpression' ? [nodeAt(init, 'object'), nodeAt(init, 'property')] : [init, null];
  const call = inner?.type === 'AwaitExpression' ? nodeAt(inner, 'argument') : inner;
  if (call?.type !== 'CallExpression') return;
  const locals = patternNames(id);
  const keys = id === null ? [] : nodesAt(id, 'properties').flatMap((one) => textAt(nodeAt(one, 'key') ?? one, 'name') ?? []);
  taken.set(call, { names: keys.length > 0 ? keys : [(member === null ? null : textAt(member, 'name')) ?? '*'], locals });
}

function takeImport(node: SyntaxNode, reading: SourceReading, taken: Taken = { names: [], locals: [] }): void {
  const isRequire =
    node.type === 'CallExpression' &&
    /^(?:require|require\.resolve|import|(?:jest|vi)\.\w*(?:[mM]ock|Actual)\w*|mock\.module)$/.test(
      calleeNames(partOf(node, 'callee')).join('.'),
    );
  const source = isRequire ? nodesAt(node, 'arguments')[0] : nodeAt(node, 'source');
  if (source === undefined || source === null) return;
  if (source.type !== 'StringLiteral') {
    const isFixed = source.type === 'TemplateLiteral' && nodesAt(source, 'expressions').length === 0;
    if (!isFixed) reading.hasOpenImport = true;
    else reading.imports.push({ ...rangeOf(node), specifier: cooked(firstItem(nodesAt(source, 'quasis'))), ...taken, isType: false });
    return;
  }
  const specifiers = nodesAt(node, 'specifiers');
  const names = specifiers.map(takenName);
  const locals = specifiers.flatMap((one) => textAt(nodeAt(one, 'local') ?? one, 'name') ?? []);
  const isType = node['importKind'] === 'type' || node['exportKind'] === 'type';
  const own = isRequire ? taken : { names, locals };
  reading.imports.push({ ...rangeOf(node), specifier: textAt(source, 'value') ?? '', ...own, isType });
}

function takenName(specifier: SyntaxNode): string {
  if (specifier.type === 'ImportDefaultSpecifier') return 'default';
  const name = nodeAt(specifier, 'imported') ?? nodeAt(specifier, 'local');
  return /Namespace/.test(specifier.type) || name === null ? '*' : (textAt(name, 'name') ?? textAt(name, 'value') ?? '*');
}

function endOfImports(program: SyntaxNode): number {
  const directives = nodesAt(program, 'directives').map((one) => one.end);
  const imports = nodesAt(program, 'body').filter((one) => one.type === 'ImportDeclaration' || isRequireOnly(one));
  const shebang = nodeAt(program, 'interpreter')?.end ?? 0;
  return Math.max(shebang, ...directives, ...imports.map((one) => one.end), 0);
}

function isRequireOnly(node: SyntaxNode): boolean {
  const values = node.type === 'VariableDeclaration' ? nodesAt(node, 'declarations').map((one) => nodeAt(one, 'init')) : [];
  return (
    values.length > 0 &&
    values.every((value) => value !== null && loadsModule(value.type === 'AwaitExpression' ? partOf(value, 'argument') : value))
  );
}
