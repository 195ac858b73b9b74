/** Statements of a JavaScript module, and the names that matter in them. */
import type { SourceStatement } from './source.ts';
import { childrenOf, nodeAt, nodesAt, partOf, rangeOf, type SyntaxNode, textAt, walk } from './syntax-node.ts';
import { firstItem, itemAt } from '../../domain/items.ts';

const TESTS = ['test', 'it', 'specify', 'xit', 'xtest', 'fit'];
const GROUPS = ['describe', 'suite', 'context', 'xdescribe', 'fdescribe'];
const RUNNERS = /^(?:node:test|vitest|@jest\/globals|bun:test|mocha|@playwright\/test|tape|tap|ava|uvu)$/;
/** Modules whose own value is the test function, and those whose value has it as a member. */
const IS_TEST = /^(?:node:test|tape|ava)$/;
const HAS_TEST = /^(?:node:test|tape|tap)$/;

/** What tests are called in a module: the usual names, and those under which they are imported. */
export function testNamesIn(program: SyntaxNode): Set<string> {
  const names = new Set(TESTS);
  for (const node of nodesAt(program, 'body')) {
    const source = node.type === 'ImportDeclaration' ? nodeAt(node, 'source') : null;
    for (const name of [...requiredNames(node), ...suiteNames(node)]) names.add(name);
    if (source === null || !RUNNERS.test(textAt(source, 'value') ?? '')) continue;
    for (const one of nodesAt(node, 'specifiers')) {
      const imported = one.type === 'ImportDefaultSpecifier' ? 'test' : textAt(nodeAt(one, 'imported') ?? one, 'name');
      const local = textAt(nodeAt(one, 'local') ?? one, 'name');
      if (one.type === 'ImportNamespaceSpecifier' && local !== null) for (const name of TESTS) names.add(`${local}.${name}`);
      if (local !== null && imported !== null && (TESTS.includes(imported) || imported === 'default'))
        for (const name of namesOfModule(textAt(source, 'value') ?? '', local, one.type !== 'ImportSpecifier' || imported === 'default'))
          names.add(name);
    }
  }
  return names;
}

/** What a module's value is called by as a test function; `isWhole`: not one of its members. */
function namesOfModule(module: string, local: string, isWhole: boolean): string[] {
  if (!isWhole) return [local];
  return [...(HAS_TEST.test(module) ? [`${local}.test`] : []), ...(module === 'tap' ? [] : [local])];
}

/** `const test = require('tape')` and the like. */
function requiredNames(node: SyntaxNode): string[] {
  if (node.type !== 'VariableDeclaration') return [];
  return nodesAt(node, 'declarations').flatMap((one) => {
    const [id, init] = [nodeAt(one, 'id'), nodeAt(one, 'init')];
    const isMember = init?.type === 'MemberExpression';
    const call = isMember ? nodeAt(init, 'object') : init;
    if (id === null || call?.type !== 'CallExpression' || calleeNames(partOf(call, 'callee'))[0] !== 'require') return [];
    const module = textAt(nodesAt(call, 'arguments')[0] ?? call, 'value') ?? '';
    if (id.type !== 'Identifier' || !RUNNERS.test(module)) return [];
    const local = textAt(id, 'name') ?? '';
    if (isMember) return TESTS.includes(textAt(partOf(init, 'property'), 'name') ?? '') ? [local] : [];
    return IS_TEST.test(module) || HAS_TEST.test(module) ? namesOfModule(module, local, true) : [];
  });
}

/** Uvu's `const subject = suite('subject')`: its tests are made by the suite itself. */
function suiteNames(node: SyntaxNode): string[] {
  if (node.type !== 'VariableDeclaration') return [];
  return nodesAt(node, 'declarations').flatMap((one) => {
    const [id, init] = [nodeAt(one, 'id'), nodeAt(one, 'init')];
    const isSuite = init?.type === 'CallExpression' && /^(?:uvu\.)?suite$/.test(calleeNames(partOf(init, 'callee')).join('.'));
    return isSuite && id?.type === 'Identifier' ? [textAt(id, 'name') ?? ''] : [];
  });
}

/** `a.b.c` and `a['b'].c` as their names; empty where something else stands at its beginning. */
export function calleeNames(node: SyntaxNode): string[] {
  if (node.type === 'Identifier') return [textAt(node, 'name') ?? ''];
  if (node.type === 'Import') return ['import'];
  if (node.type === 'ThisExpression') return ['this'];
  if (node.type !== 'MemberExpression' && node.type !== 'OptionalMemberExpression') return [];
  const before = calleeNames(partOf(node, 'object'));
  const property = partOf(node, 'property');
  const name = node['computed'] !== true ? textAt(property, 'name') : property.type === 'StringLiteral' ? textAt(property, 'value') : null;
  return before.length === 0 || name === null ? [] : [...before, name];
}

const NO_TEST = /^(?:run|before|after|beforeEach|afterEach|beforeAll|afterAll|describe|suite|step|use|extend|setTimeout|skipIf|runIf)$/;

export function isTestName(chain: readonly string[], names: ReadonlySet<string>): boolean {
  const known =
    chain.length > 0 && (names.has(firstItem(chain)) || (chain.length > 1 && names.has(`${firstItem(chain)}.${itemAt(chain, 1)}`)));
  return known && !chain.slice(1).some((name) => NO_TEST.test(name));
}

export function statementsOf(nodes: readonly SyntaxNode[], names: ReadonlySet<string>): SourceStatement[] {
  return nodes.map((node) => toStatement(node, names));
}

function toStatement(node: SyntaxNode, names: ReadonlySet<string>): SourceStatement {
  const declared = bindingsOf(node.type.startsWith('Export') ? (nodeAt(node, 'declaration') ?? node) : node);
  const statement: SourceStatement = { ...rangeOf(node), kind: 'other', names: declared, isPure: isPure(node), header: null, inner: [] };
  if (node.type === 'ImportDeclaration') return { ...statement, kind: 'import' };
  const call = node.type === 'ExpressionStatement' ? nodeAt(node, 'expression') : null;
  if (call?.type === 'CallExpression') return callStatement(statement, call, names);
  return declared.length > 0 ? { ...statement, kind: 'declaration' } : statement;
}

function callStatement(statement: SourceStatement, call: SyntaxNode, names: ReadonlySet<string>): SourceStatement {
  const callee = partOf(call, 'callee');
  const chain = calleeNames(
    callee.type === 'CallExpression'
      ? partOf(callee, 'callee')
      : callee.type === 'TaggedTemplateExpression'
        ? partOf(callee, 'tag')
        : callee,
  );
  if (isTestName(chain, names)) return { ...statement, kind: 'test' };
  const body = nodeAt(nodesAt(call, 'arguments').at(-1) ?? call, 'body');
  if (!GROUPS.includes(chain[0] ?? '') || body?.type !== 'BlockStatement') return statement;
  return {
    ...statement,
    kind: 'group',
    header: { start: statement.start, end: body.start + 1 },
    inner: statementsOf(nodesAt(body, 'body'), names),
  };
}

/** Names that a declaration, a parameter, an import or a caught error makes. */
export function bindingsOf(node: SyntaxNode): string[] {
  switch (node.type) {
    case 'VariableDeclaration':
      return nodesAt(node, 'declarations').flatMap((one) => patternNames(nodeAt(one, 'id')));
    case 'FunctionDeclaration':
    case 'ClassDeclaration':
    case 'TSEnumDeclaration':
    case 'FunctionExpression':
    case 'ClassExpression':
      return patternNames(nodeAt(node, 'id'));
    case 'ImportDeclaration':
      return nodesAt(node, 'specifiers').flatMap((one) => patternNames(nodeAt(one, 'local')));
    case 'CatchClause':
      return patternNames(nodeAt(node, 'param'));
    case 'Identifier':
    case 'ObjectPattern':
    case 'ArrayPattern':
    case 'AssignmentPattern':
    case 'RestElement':
    case 'TSParameterProperty':
      return node.type === 'Identifier' ? [] : patternNames(node);
    default:
      return [];
  }
}

/** Names in a pattern; a plain name is one. */
export function patternNames(node: SyntaxNode | null): string[] {
  if (node === null) return [];
  if (node.type === 'Identifier') return [textAt(node, 'name') ?? ''];
  if (node.type === 'AssignmentPattern') return patternNames(nodeAt(node, 'left'));
  if (node.type === 'RestElement') return patternNames(nodeAt(node, 'argument'));
  if (node.type === 'TSParameterProperty') return patternNames(nodeAt(node, 'parameter'));
  if (node.type === 'ObjectProperty') return patternNames(nodeAt(node, 'value'));
  return [...nodesAt(node, 'properties'), ...nodesAt(node, 'elements')].flatMap(patternNames);
}

const PURE_VALUES = /Literal$|^(?:TemplateElement|Identifier|ObjectProperty|SpreadElement|TS\w+)$/;

/** Functions, types, and values made of literals: nothing is called and nothing is changed. */
function isPure(node: SyntaxNode): boolean {
  if (node.type.startsWith('Export'))
    return nodeAt(node, 'source') === null && childrenOf(node).every((one) => one.type === 'ExportSpecifier' || isPure(one));
  if (/^(?:FunctionDeclaration|TSInterface\w*|TSTypeAlias\w*|ArrowFunctionExpression|FunctionExpression|ObjectMethod)$/.test(node.type))
    return true;
  if (node.type === 'VariableDeclaration')
    return nodesAt(node, 'declarations').every(
      (one) => nodeAt(one, 'id')?.type === 'Identifier' && (nodeAt(one, 'init') === null || isPure(partOf(one, 'init'))),
    );
  if (node.type === 'ClassDeclaration' || node.type === 'ClassExpression') return isPureClass(node);
  if (
    node.type === 'ObjectExpression' ||
    node.type === 'ArrayExpression' ||
    node.type === 'TemplateLiteral' ||
    node.type === 'UnaryExpression'
  )
    return node['operator'] !== 'delete' && childrenOf(node).every(isPure);
  return node.type === 'ObjectProperty' || node.type === 'SpreadElement' ? childrenOf(node).every(isPure) : PURE_VALUES.test(node.type);
}

function isPureClass(node: SyntaxNode): boolean {
  let pure = nodesAt(node, 'decorators').length === 0;
  walk(node, (one) => {
    if (one.type === 'StaticBlock' || one.type === 'Decorator' || (one.type.endsWith('Property') && one['static'] === true)) pure = false;
    return !one.type.endsWith('Method');
  });
  return pure;
}
