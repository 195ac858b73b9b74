/** Assertions of node:assert, of `expect` and of chai, and the values that decide them. */
import type { Names } from './bound-leaves.ts';
import { comparedNames, expectedNames } from './javascript-bindings.ts';
import { calleeNames } from './javascript-statements.ts';
import type { Assertion, ExpectedList, Leaf, TextEdit } from './source.ts';
import { nodeAt, nodesAt, partOf, rangeOf, type SyntaxNode, textAt } from './syntax-node.ts';
import { firstItem, itemAt, lastItem } from '../../domain/items.ts';

/** Matchers that compare with their arguments. */
const MATCHERS =
  /^(?:toBe|toEqual|toStrictEqual|toMatchObject|toHaveLength|toContain|toContainEqual|toHaveBeenCalledTimes|toHaveBeenCalledWith|toHaveBeenLastCalledWith|toHaveBeenNthCalledWith|toHaveReturnedWith|toThrow|toThrowError|toHaveProperty|toMatch|toMatchInlineSnapshot|equals?|eql|eq|lengthOf|deep|include|string|property)$/;
/** Of these, those that hold for one order only: the others look for a part, or for one among many. */
const ORDERED =
  /^(?:toBe|toEqual|toStrictEqual|toHaveBeenLastCalledWith|toHaveBeenNthCalledWith|toHaveProperty|property|equals?|eql|eq|deepEqual|deepStrictEqual|same|strictSame|isEqual|deepEquals|deepLooseEqual|isEquivalent)$/;
const UNORDERED = /^(?:any|contains?|includes?|members|not|never)$/;
const EQUALITY = /^(?:equal|strictEqual|deepEqual|deepStrictEqual|partialDeepStrictEqual|match|throws|rejects)$/;
/** Of the value that tests of tape, tap, ava and the like are handed. */
const COMPARING = /^(?:is|like|regex|same|equals|isEqual|strictSame|deepEquals|looseEqual|deepLooseEqual|isEquivalent|has|hasStrict)$/;
const HANDED = new RegExp(`${COMPARING.source}|^(?:ok|notOk|true|false|truthy|falsy|not|notRegex|notThrows|notSame|fail|error)$`);
const HANDED_OPPOSITES: Readonly<Record<string, string>> = {
  is: 'not',
  not: 'is',
  true: 'false',
  false: 'true',
  truthy: 'falsy',
  falsy: 'truthy',
  regex: 'notRegex',
  notRegex: 'regex',
};
const OPPOSITES: Readonly<Record<string, string>> = {
  same: 'notSame',
  notSame: 'same',
  equal: 'notEqual',
  strictEqual: 'notStrictEqual',
  deepEqual: 'notDeepEqual',
  deepStrictEqual: 'notDeepStrictEqual',
  notEqual: 'equal',
  notStrictEqual: 'strictEqual',
  notDeepEqual: 'deepEqual',
  notDeepStrictEqual: 'deepStrictEqual',
  match: 'doesNotMatch',
  doesNotMatch: 'match',
  throws: 'doesNotThrow',
  doesNotThrow: 'throws',
  rejects: 'doesNotReject',
  doesNotReject: 'rejects',
};

/** `handed`: what tests around the call are handed to assert with; `names`: what names of the test stand for. */
export function assertionIn(call: SyntaxNode, text: string, handed: ReadonlySet<string>, names: Names): Assertion | null {
  const callee = partOf(call, 'callee');
  return matcherIn(call, callee, names) ?? assertIn(call, callee, text, { handed, names });
}

/** `expect(value).not.toBe(other)`, and chai's chains. */
function matcherIn(call: SyntaxNode, callee: SyntaxNode, names: Names): Assertion | null {
  const chain = chainOf(callee);
  if (chain === null) return null;
  const name = lastItem(chain.names);
  const isNot = chain.names.includes('not') || chain.names.includes('never');
  const args = nodesAt(call, 'arguments');
  const decisive =
    name === 'toHaveProperty' || name === 'property' ? args.slice(1) : name === 'toHaveBeenNthCalledWith' ? args.slice(1) : args;
  const leaves = isNot || !MATCHERS.test(name) ? [] : decisive.flatMap(leavesOf);
  const condition = name === 'toBeTruthy' && !isNot ? nodesAt(chain.expect, 'arguments').slice(0, 1).flatMap(comparedLeaves) : [];
  const expected = isNot || !MATCHERS.test(name) ? [] : decisive;
  return {
    ...rangeOf(call),
    name,
    leaves: [...leaves, ...condition],
    bound: expected.flatMap(expectedNames).flatMap(names.leaves),
    lists: ORDERED.test(name) && !chain.names.some((one) => UNORDERED.test(one)) ? decisive.flatMap((one) => listsOf(one, names)) : [],
    looksAt: nodesAt(chain.expect, 'arguments').flatMap(names.within),
    expects: BY_KIND.test(name) ? [] : expected.flatMap(names.within),
    opposite: oppositeOf(callee, chain, name),
  };
}

interface Chain {
  expect: SyntaxNode;
  names: string[];
  not: SyntaxNode | null;
}

function chainOf(callee: SyntaxNode): Chain | null {
  const names: string[] = [];
  let not: SyntaxNode | null = null;
  let at: SyntaxNode | null = callee;
  while (at !== null && at.type === 'MemberExpression') {
    const property: SyntaxNode | null = nodeAt(at, 'property');
    const name = property === null ? null : textAt(property, 'name');
    if (name === null || property === null) return null;
    if (name === 'not') not = property;
    names.unshift(name);
    at = nodeAt(at, 'object');
  }
  if (at?.type !== 'CallExpression' || names.length === 0) return null;
  const root = calleeNames(partOf(at, 'callee'));
  return root[0] !== undefined && /^expect|^should$/.test(root[0]) ? { expect: at, names, not } : null;
}

function oppositeOf(callee: SyntaxNode, { names, not }: Chain, name: string): TextEdit[] {
  if (!/^to[A-Z]/.test(name)) return [];
  const property = partOf(callee, 'property');
  if (not === null) return [{ at: property.start, length: 0, text: 'not.' }];
  return names.length > 1 ? [{ at: not.start, length: not.end - not.start, text: '' }, ...afterDot(not)] : [];
}

/** The dot behind a name that is taken away. */
function afterDot(node: SyntaxNode): TextEdit[] {
  return [{ at: node.end, length: 1, text: '' }];
}

interface Around {
  handed: ReadonlySet<string>;
  names: Names;
}

/** What these are given says what kind of thing it is, not what it is. */
const BY_KIND = /throw|reject|instance|^match$/i;

function assertIn(call: SyntaxNode, callee: SyntaxNode, text: string, { handed, names }: Around): Assertion | null {
  const chain = calleeNames(callee);
  const name = chain.at(-1) ?? '';
  const isHanded =
    chain.length > 1 && (/^(?:t|st|tt|tap)$/.test(itemAt(chain, chain.length - 2)) || (chain.length === 2 && handed.has(firstItem(chain))));
  const before = chain.slice(0, -1).join('.');
  const isObject = isHanded || /(?:^|\.)(?:assert|strict|chai)$|^assert\.(?:not|is)$/.test(before);
  const isFunction = chain.length === 1 && (/^assert\w*$/.test(name) || EQUALITY.test(name) || name in OPPOSITES || name === 'ok');
  if (!isObject && !isFunction) return null;
  if (isHanded && !(EQUALITY.test(name) || name in OPPOSITES || HANDED.test(name))) return null;
  const args = nodesAt(call, 'arguments');
  if (name === 'assert' || name === 'ok' || name === 'isTrue') {
    const [condition] = args;
    if (condition === undefined) return null;
    const negated = {
      at: condition.start,
      length: condition.end - condition.start,
      text: `!(${text.slice(condition.start, condition.end)}\n)`,
    };
    const leaves = comparedLeaves(condition);
    const bound = comparedNames(condition).flatMap(names.leaves);
    return {
      ...rangeOf(call),
      name: 'assert',
      leaves,
      bound,
      lists: [],
      looksAt: names.within(condition),
      expects: [],
      opposite: [negated],
    };
  }
  if (chain.at(-2) === 'not' || chain.at(-2) === 'is')
    return { ...rangeOf(call), name, leaves: [], bound: [], lists: [], looksAt: [], expects: [], opposite: [] };
  const opposite =
    OPPOSITES[name] ?? (isHanded ? HANDED_OPPOSITES[name] : name === 'is' && callee['computed'] !== true ? 'is.not' : undefined);
  const property = callee.type === 'MemberExpression' ? nodeAt(callee, 'property') : null;
  const turned =
    opposite === undefined || property === null
      ? []
      : [{ at: property.start, length: property.end - property.start, text: callee['computed'] === true ? `'${opposite}'` : opposite }];
  const isComparing = EQUALITY.test(name) || COMPARING.test(name);
  return {
    ...rangeOf(call),
    name,
    leaves: isComparing ? expectedLeaves(args, name) : [],
    bound: isComparing ? args.slice(1, 2).flatMap(expectedNames).flatMap(names.leaves) : [],
    lists: ORDERED.test(name) ? expectedLists(args, names) : [],
    looksAt: args.slice(0, 1).flatMap(names.within),
    expects: isComparing && !BY_KIND.test(name) ? args.slice(1, 2).flatMap(names.within) : [],
    opposite: turned,
  };
}

function listsOf(node: SyntaxNode, names: Names): ExpectedList[] {
  return names.lists(node, expectedNames(node));
}

/** Where the second argument has no values, the first one may be the expected. */
function expectedLists([first, second]: readonly SyntaxNode[], names: Names): ExpectedList[] {
  const found = second === undefined ? [] : listsOf(second, names);
  const isExpected = found.length > 0 || first === undefined || (second !== undefined && leavesOf(second).length > 0);
  return isExpected ? found : names.lists(first, []);
}

function expectedLeaves(args: readonly SyntaxNode[], name: string): Leaf[] {
  const second = args[1] === undefined ? [] : leavesOf(args[1]);
  return second.length > 0 || args[0] === undefined || /^(?:throws|rejects|match|regex)$/.test(name) ? second : leavesOf(args[0]);
}

/** Literals that a condition is compared with, where the condition itself has to hold. */
function comparedLeaves(node: SyntaxNode): Leaf[] {
  if (node.type === 'LogicalExpression' && node['operator'] !== '??')
    return [...comparedLeaves(partOf(node, 'left')), ...comparedLeaves(partOf(node, 'right'))];
  if (node.type !== 'BinaryExpression' || !/^={2,3}$/.test(textAt(node, 'operator') ?? '')) return [];
  const right = leavesOf(partOf(node, 'right')).filter(isPlain);
  return right.length > 0 ? right : leavesOf(partOf(node, 'left')).filter(isPlain);
}

function isPlain(leaf: Leaf): boolean {
  return leaf.kind !== 'list' && leaf.kind !== 'record';
}

/** The last argument of a plain call, where it is a literal. */
export function callLeaf(call: SyntaxNode): Leaf[] {
  const last = nodesAt(call, 'arguments').at(-1);
  return last === undefined ? [] : leavesOf(last).slice(0, 1);
}

export function leavesOf(node: SyntaxNode): Leaf[] {
  const one = (kind: Leaf['kind']): Leaf[] => [{ ...rangeOf(node), kind }];
  switch (node.type) {
    case 'NumericLiteral':
    case 'BigIntLiteral':
      return one('number');
    case 'StringLiteral':
      return one('text');
    case 'BooleanLiteral':
      return one('truth');
    case 'NullLiteral':
      return one('nothing');
    case 'RegExpLiteral':
      return one('pattern');
    case 'Identifier':
      return /^(?:undefined|NaN|Infinity)$/.test(textAt(node, 'name') ?? '') ? one('nothing') : [];
    case 'UnaryExpression':
      return node['operator'] === '-' && nodeAt(node, 'argument')?.type === 'NumericLiteral' ? one('number') : [];
    case 'TemplateLiteral':
      return one('text');
    case 'ArrayExpression':
      return nodesAt(node, 'elements').length === 0 ? one('list') : nodesAt(node, 'elements').flatMap(leavesOf);
    case 'ObjectExpression':
      return nodesAt(node, 'properties').length === 0
        ? one('record')
        : nodesAt(node, 'properties').flatMap((property) => leavesOf(nodeAt(property, 'value') ?? property));
    case 'TSAsExpression':
    case 'TSSatisfiesExpression':
    case 'TSNonNullExpression':
      return leavesOf(partOf(node, 'expression'));
    case 'NewExpression':
      return nodesAt(node, 'arguments').flatMap(leavesOf);
    case 'CallExpression':
      return /^expect\.(?:objectContaining|arrayContaining|stringContaining|stringMatching)$|^Object\.freeze$/.test(
        calleeNames(partOf(node, 'callee')).join('.'),
      )
        ? nodesAt(node, 'arguments').flatMap(leavesOf)
        : [];
    default:
      return [];
  }
}
