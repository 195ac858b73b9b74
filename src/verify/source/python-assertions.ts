/** Assertions of Python: plain ones, unittest's methods and pytest's expected errors, and the values that decide them. */
import type { Names } from './bound-leaves.ts';
import { expectedNames } from './python-bindings.ts';
import type { Assertion, ExpectedList, Leaf } from './source.ts';
import { nodeAt, nodesAt, partOf, rangeOf, type SyntaxNode, textAt } from './syntax-node.ts';
import { firstItem } from '../../domain/items.ts';

/** `names`: what names of the test stand for. */
export function pythonAssertion(node: SyntaxNode, text: string, names: Names): Assertion | null {
  if (node.type === 'Assert') return plainAssertion(node, text, names);
  const callee = node.type === 'Call' ? nodeAt(node, 'func') : null;
  const name = callee?.type === 'Attribute' ? (textAt(callee, 'attr') ?? '') : '';
  const args = callee === null ? [] : nodesAt(node, 'args');
  if (/^assert(?:List|Dict|Tuple|Set|Sequence|MultiLine|Count|Almost)?Equals?$/.test(name)) {
    const [first, second] = args;
    const expected = second === undefined ? [] : leavesOf(second);
    const bound = second === undefined ? [] : expectedNames(second).flatMap(names.leaves);
    const looksAt = first === undefined ? [] : names.within(first);
    const expects = second === undefined ? [] : names.within(second);
    const leaves = expected.length > 0 || first === undefined ? expected : leavesOf(first);
    const lists = /^assert(?:List|Dict|Tuple|Sequence)?Equals?$/.test(name) ? expectedLists(second, first, names) : [];
    return { ...rangeOf(node), name, leaves, bound, lists, looksAt, expects, opposite: [] };
  }
  if (name === 'raises' || name === 'warns') {
    const match = nodesAt(node, 'keywords').find((one) => textAt(one, 'arg') === 'match');
    return {
      ...rangeOf(node),
      name,
      leaves: match === undefined ? [] : leavesOf(partOf(match, 'value')),
      bound: [],
      lists: [],
      looksAt: [],
      expects: [],
      opposite: name === 'raises' ? anotherError(args[0]) : [],
    };
  }
  return /^assert[A-Z_]/.test(name)
    ? {
        ...rangeOf(node),
        name,
        leaves: [],
        bound: [],
        lists: [],
        looksAt: [],
        expects: [],
        opposite: name === 'assertRaises' ? anotherError(args[0]) : [],
      }
    : null;
}

/** An error that hardly any code raises in the place of the expected one: the test has to fail, whatever it is about. */
function anotherError(expected: SyntaxNode | undefined): Assertion['opposite'] {
  if (expected === undefined || expected.type === 'Starred') return [];
  return [{ at: expected.start, length: expected.end - expected.start, text: 'StopAsyncIteration' }];
}

/** Where the expected side has no values, the other one may be the expected. */
function expectedLists(expected: SyntaxNode | undefined, other: SyntaxNode | undefined, names: Names): ExpectedList[] {
  const found = expected === undefined ? [] : names.lists(expected, expectedNames(expected));
  const isExpected = found.length > 0 || other === undefined || (expected !== undefined && leavesOf(expected).length > 0);
  return isExpected ? found : names.lists(other, []);
}

function plainAssertion(node: SyntaxNode, text: string, names: Names): Assertion {
  const condition = partOf(node, 'test');
  const negated = {
    at: condition.start,
    length: condition.end - condition.start,
    text: `not (${text.slice(condition.start, condition.end)})`,
  };
  const compared = equationIn(condition);
  return {
    ...rangeOf(node),
    name: 'assert',
    leaves: comparedLeaves(condition),
    bound: comparedNames(condition).flatMap(names.leaves),
    lists: equationsIn(condition).flatMap(({ left, right }) => expectedLists(right, left, names)),
    looksAt: names.within(compared?.left ?? condition),
    expects: compared === null ? [] : names.within(compared.right),
    opposite: [negated],
  };
}

function equationIn(node: SyntaxNode): { left: SyntaxNode; right: SyntaxNode } | null {
  const operators = node.type === 'Compare' ? nodesAt(node, 'ops') : [];
  const [right] = nodesAt(node, 'comparators');
  const left = nodeAt(node, 'left');
  return operators.length === 1 && firstItem(operators).type === 'Eq' && left !== null && right !== undefined ? { left, right } : null;
}

/** All that have to hold. */
function equationsIn(node: SyntaxNode): { left: SyntaxNode; right: SyntaxNode }[] {
  if (node.type === 'BoolOp' && nodeAt(node, 'op')?.type === 'And') return nodesAt(node, 'values').flatMap(equationsIn);
  const equation = equationIn(node);
  return equation === null ? [] : [equation];
}

/** Names that the right side of a comparison consists of, where it has to hold. */
function comparedNames(node: SyntaxNode): SyntaxNode[] {
  return equationsIn(node).flatMap(({ right }) => expectedNames(right));
}

/** Literals of comparisons that have to hold. */
function comparedLeaves(node: SyntaxNode): Leaf[] {
  if (node.type === 'BoolOp' && nodeAt(node, 'op')?.type === 'And') return nodesAt(node, 'values').flatMap(comparedLeaves);
  const [operator, ...more] = node.type === 'Compare' ? nodesAt(node, 'ops') : [];
  const [right] = nodesAt(node, 'comparators');
  const left = nodeAt(node, 'left');
  if (operator === undefined || more.length > 0 || right === undefined || left === null) return [];
  if (operator.type === 'In') return leavesOf(left).filter((leaf) => leaf.kind === 'text' || leaf.kind === 'number');
  if (operator.type !== 'Eq' && operator.type !== 'Is') return [];
  const expected = leavesOf(right);
  return expected.length > 0 ? expected : leavesOf(left);
}

/** The last argument of a plain call, where it is a literal. */
export function callLeaf(statement: SyntaxNode): Leaf[] {
  const call = nodeAt(statement, 'value');
  const last = call?.type === 'Call' ? nodesAt(call, 'args').at(-1) : undefined;
  return last === undefined ? [] : leavesOf(last).slice(0, 1);
}

export function leavesOf(node: SyntaxNode): Leaf[] {
  const one = (kind: Leaf['kind']): Leaf[] => [{ ...rangeOf(node), kind }];
  switch (node.type) {
    case 'Constant':
      return constantLeaf(node);
    case 'UnaryOp':
      return nodeAt(node, 'op')?.type === 'USub' && nodeAt(node, 'operand')?.type === 'Constant' ? one('number') : [];
    case 'List':
    case 'Tuple':
    case 'Set':
      return nodesAt(node, 'elts').length === 0 ? (node.type === 'List' ? one('list') : []) : nodesAt(node, 'elts').flatMap(leavesOf);
    case 'Dict':
      return nodesAt(node, 'values').length === 0 ? one('record') : nodesAt(node, 'values').flatMap(leavesOf);
    case 'Call':
      return [...nodesAt(node, 'args'), ...nodesAt(node, 'keywords').map((keyword) => partOf(keyword, 'value'))]
        .slice(0, 1)
        .flatMap((first) => (isApproximate(node) ? leavesOf(first) : []));
    default:
      return [];
  }
}

function isApproximate(call: SyntaxNode): boolean {
  const callee = nodeAt(call, 'func');
  return /^(?:approx|Decimal|Fraction|date|datetime|frozenset|set|list|tuple|dict)$/.test(
    callee === null ? '' : (textAt(callee, 'attr') ?? textAt(callee, 'id') ?? ''),
  );
}

function constantLeaf(node: SyntaxNode): Leaf[] {
  const value = node['value'];
  const kind = (): Leaf['kind'] | null => {
    if (typeof value === 'string') return 'text';
    if (value === undefined) return 'nothing';
    if (typeof value !== 'object' || value === null) return null;
    return 'truth' in value ? 'truth' : 'number' in value ? 'number' : 'bytes' in value ? 'text' : null;
  };
  const known = kind();
  return known === null ? [] : [{ ...rangeOf(node), kind: known }];
}
