/** How JavaScript, TypeScript and JSX write what a function does. */
import { withoutDetour, type Dialect, type NamedFunction } from './function-shape.ts';
import { FUNCTIONS, nameOf } from './javascript-names.ts';
import { bindingsOf, calleeNames, patternNames } from './javascript-statements.ts';
import { nodeAt, nodesAt, partOf, type SyntaxNode, textAt, walk } from './syntax-node.ts';
import { firstItem } from '../../domain/items.ts';

export const JAVASCRIPT: Dialect = {
  namedFunctions,
  declares: (node) => [...bindingsOf(node), ...(FUNCTIONS.has(node.type) ? nodesAt(node, 'params').flatMap(patternNames) : [])],
  plain,
  ownNames,
  reference: (node) => (node.type === 'Identifier' || node.type === 'JSXIdentifier' ? textAt(node, 'name') : null),
  steps,
  silent: new Set([
    'typeAnnotation',
    'returnType',
    'typeParameters',
    'typeArguments',
    'superTypeParameters',
    'directives',
    'shorthand',
    'method',
    'tail',
    'accessibility',
    'definite',
    'readonly',
    'override',
    'declare',
  ]),
  member: 'member',
  ofObject: /^(?:ThisExpression|Super)$/,
  call: /^(?:Optional)?(?:Call|New)Expression$|^JSXElement$/,
  value: /^(?:(?:String|Numeric|RegExp|BigInt)Literal|(?:Object|Array)Expression)$/,
};

const STEP =
  /^(?:Logical|Unary|Update|Conditional|TaggedTemplate)Expression$|^(?:If|For\w*|While|DoWhile|Switch|Try)Statement$|^(?:SwitchCase|SpreadElement|TemplateElement)$/;
const ARITHMETIC = 3;

function steps(node: SyntaxNode): number {
  const operator = textAt(node, 'operator') ?? '';
  if (node.type === 'BinaryExpression') return /^(?:[-+*/%&|^]|\*\*|<<|>>>?)$/.test(operator) ? ARITHMETIC : 1;
  if (node.type === 'AssignmentExpression') return operator === '=' ? 0 : 1;
  return STEP.test(node.type) ? 1 : 0;
}

function ownNames(module: SyntaxNode): ReturnType<Dialect['ownNames']> {
  const found = new Map<string, SyntaxNode | 'shared' | 'variable'>();
  for (const statement of nodesAt(module, 'body')) {
    const node = nodeAt(statement, 'declaration') ?? statement;
    if (node.type !== 'VariableDeclaration') for (const name of bindingsOf(node)) found.set(name, 'shared');
    else
      for (const one of nodesAt(node, 'declarations'))
        for (const name of patternNames(nodeAt(one, 'id'))) found.set(name, constantOf(one, node['kind'] === 'const'));
  }
  return found;
}

/** Functions and what is loaded are what they are in every module that uses them. */
function constantOf(declared: SyntaxNode, isConstant: boolean): SyntaxNode | 'shared' | 'variable' {
  const value = nodeAt(declared, 'init');
  if (
    value !== null &&
    (FUNCTIONS.has(value.type) || (value.type === 'CallExpression' && textAt(partOf(value, 'callee'), 'name') === 'require'))
  )
    return 'shared';
  return isConstant && value !== null && nodeAt(declared, 'id')?.type === 'Identifier' ? value : 'variable';
}

const DECLARES = new Set(['VariableDeclarator', 'ObjectProperty', 'ClassProperty', 'ClassPrivateProperty']);

/** Functions that are declared, or stored under a name; those that are only handed over have none. */
function namedFunctions(module: SyntaxNode): NamedFunction[] {
  const found: NamedFunction[] = [];
  walk(module, (node) => {
    const value = DECLARES.has(node.type) ? (nodeAt(node, 'init') ?? nodeAt(node, 'value')) : null;
    const assigned = node.type === 'AssignmentExpression' ? nodeAt(node, 'right') : null;
    if (value !== null && FUNCTIONS.has(value.type))
      found.push({ name: nameOf(node) ?? '', isMethod: node.type !== 'VariableDeclarator', node: value });
    else if (assigned !== null && FUNCTIONS.has(assigned.type))
      found.push({ name: assignedName(partOf(node, 'left')), isMethod: !isExport(partOf(node, 'left')), node: assigned });
    else if (node.type === 'FunctionDeclaration') found.push({ name: nameOf(node) ?? '', isMethod: false, node });
    else if (node.type === 'ObjectMethod' || node.type === 'ClassMethod' || node.type === 'ClassPrivateMethod')
      found.push({ name: textAt(nodeAt(node, 'key') ?? node, 'name') ?? '', isMethod: true, node });
    return true;
  });
  return found.filter(({ node }) => nodeAt(node, 'body') !== null);
}

function isExport(left: SyntaxNode): boolean {
  return left.type === 'Identifier' || /^(?:module\.)?exports\b/.test(calleeNames(left).join('.'));
}

function assignedName(left: SyntaxNode): string {
  return textAt(nodeAt(left, 'property') ?? left, 'name') ?? '';
}

function plain(node: SyntaxNode): SyntaxNode | null {
  if (FUNCTIONS.has(node.type)) return plainFunction(node);
  switch (node.type) {
    case 'TSAsExpression':
    case 'TSSatisfiesExpression':
    case 'TSNonNullExpression':
    case 'TSTypeAssertion':
    case 'TSInstantiationExpression':
      return plain(partOf(node, 'expression'));
    case 'TSParameterProperty':
      return plain(partOf(node, 'parameter'));
    case 'EmptyStatement':
      return null;
    case 'VariableDeclaration':
      return { ...node, kind: null };
    case 'TemplateLiteral':
      return nodesAt(node, 'expressions').length > 0 ? node : { ...place(node), type: 'StringLiteral', value: cooked(node) };
    case 'TemplateElement':
      return { ...place(node), type: 'TemplateElement', value: cookedPart(node) };
    case 'MemberExpression':
    case 'OptionalMemberExpression':
      return named(node, 'property');
    case 'ObjectProperty':
    case 'ClassProperty':
      return named(node, 'key');
    case 'BlockStatement':
      return {
        ...node,
        body: withoutDetour(
          nodesAt(node, 'body').filter((one) => one.type !== 'EmptyStatement'),
          held,
          returned,
        ),
      };
    case 'IfStatement':
      return { ...node, consequent: block(nodeAt(node, 'consequent')), alternate: block(nodeAt(node, 'alternate')) };
    case 'ForStatement':
    case 'ForOfStatement':
    case 'ForInStatement':
    case 'WhileStatement':
    case 'DoWhileStatement':
      return { ...node, body: block(nodeAt(node, 'body')) };
    default:
      return node;
  }
}

function plainFunction(node: SyntaxNode): SyntaxNode {
  const body = partOf(node, 'body');
  const statements =
    body.type === 'BlockStatement'
      ? body
      : { ...place(body), type: 'BlockStatement', body: [{ ...place(body), type: 'ReturnStatement', argument: body }] };
  return {
    ...place(node),
    type: 'Function',
    async: node['async'],
    generator: node['generator'],
    params: nodesAt(node, 'params'),
    body: statements,
  };
}

/** A member that is asked for by its name is no reference. */
function named(node: SyntaxNode, field: string): SyntaxNode {
  const key = nodeAt(node, field);
  const name = key === null || node['computed'] === true ? null : (textAt(key, 'name') ?? textAt(key, 'value'));
  return name === null ? node : { ...node, [field]: null, member: name };
}

function block(node: SyntaxNode | null): SyntaxNode | null {
  return node === null || node.type === 'BlockStatement' ? node : { ...place(node), type: 'BlockStatement', body: [node] };
}

function held(statement: SyntaxNode): { name: string; value: SyntaxNode } | null {
  const declared = statement.type === 'VariableDeclaration' ? nodesAt(statement, 'declarations') : [];
  const id = declared.length === 1 ? nodeAt(firstItem(declared), 'id') : null;
  const value = id?.type === 'Identifier' ? nodeAt(firstItem(declared), 'init') : null;
  return id === null || value === null ? null : { name: textAt(id, 'name') ?? '', value };
}

function returned(statement: SyntaxNode): { name: string | null; field: string } | null {
  const value = statement.type === 'ReturnStatement' ? nodeAt(statement, 'argument') : null;
  return value?.type === 'Identifier' ? { name: textAt(value, 'name'), field: 'argument' } : null;
}

function cooked(node: SyntaxNode): string {
  return nodesAt(node, 'quasis').map(cookedPart).join('');
}

function cookedPart(node: SyntaxNode): string {
  const value = node['value'];
  return typeof value === 'object' && value !== null && 'cooked' in value && typeof value.cooked === 'string' ? value.cooked : '';
}

function place({ start, end }: SyntaxNode): { start: number; end: number } {
  return { start, end };
}
