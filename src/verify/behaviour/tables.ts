/** Names that mean a part of each row: in tables of tests, in loops over lists that are written down. Pure. */
import type { Language } from '../source/source.ts';
import { nodeAt, nodesAt, textAt, type SyntaxNode } from '../source/syntax-node.ts';
import { dottedName } from '../source/read-python.ts';

/** A name, and its value in each row; null: a row has none. */
export interface Column {
  name: string;
  values: (SyntaxNode | null)[];
  scope: SyntaxNode;
}

const MOST_ROWS = 50;

/** `valueOf`: the value of a name, as far as it is known. */
export function columnsAt(node: SyntaxNode, language: Language, valueOf: (node: SyntaxNode) => SyntaxNode): Column[] {
  return language === 'python' ? pythonColumns(node, valueOf) : javascriptColumns(node, valueOf);
}

function rowsOf(list: SyntaxNode | null, valueOf: (node: SyntaxNode) => SyntaxNode): SyntaxNode[] {
  const value = list === null ? null : valueOf(list);
  return value === null ? [] : itemsOf(value).slice(0, MOST_ROWS);
}

function itemsOf(node: SyntaxNode): SyntaxNode[] {
  const inner = /^TS(?:As|Satisfies)Expression$/.test(node.type) ? (nodeAt(node, 'expression') ?? node) : node;
  if (inner.type === 'ArrayExpression') return nodesAt(inner, 'elements');
  return inner.type === 'List' || inner.type === 'Tuple' ? nodesAt(inner, 'elts') : [];
}

function javascriptColumns(node: SyntaxNode, valueOf: (node: SyntaxNode) => SyntaxNode): Column[] {
  if (node.type === 'ForOfStatement') {
    const [target] = nodesAt(nodeAt(node, 'left') ?? node, 'declarations');
    const pattern = target === undefined ? null : nodeAt(target, 'id');
    return pattern === null
      ? []
      : columns(
          [pattern],
          rowsOf(nodeAt(node, 'right'), valueOf).map((row) => [row]),
          node,
        );
  }
  const callee = node.type === 'CallExpression' ? nodeAt(node, 'callee') : null;
  const body = nodesAt(node, 'arguments').find((one) => /^(?:Arrow)?Function/.test(one.type));
  if (callee === null || body === undefined) return [];
  const params = nodesAt(body, 'params');
  if (callee.type === 'MemberExpression' && /^(?:forEach|map)$/.test(memberOf(callee)))
    return columns(
      params.slice(0, 1),
      rowsOf(nodeAt(callee, 'object'), valueOf).map((row) => [row]),
      body,
    );
  const table = callee.type === 'CallExpression' ? nodeAt(callee, 'callee') : null;
  if (table === null || !/^(?:each|for)$/.test(memberOf(table))) return [];
  const rows = rowsOf(nodesAt(callee, 'arguments')[0] ?? null, valueOf);
  const isSpread = memberOf(table) === 'each';
  return columns(
    params,
    rows.map((row) => (isSpread && row.type === 'ArrayExpression' ? itemsOf(row) : [row])),
    body,
  );
}

function memberOf(node: SyntaxNode): string {
  return textAt(nodeAt(node, 'property') ?? node, 'name') ?? '';
}

function pythonColumns(node: SyntaxNode, valueOf: (node: SyntaxNode) => SyntaxNode): Column[] {
  const target = node.type === 'For' ? nodeAt(node, 'target') : null;
  if (target !== null)
    return columns(
      [target],
      rowsOf(nodeAt(node, 'iter'), valueOf).map((row) => [row]),
      node,
    );
  return nodesAt(node, 'decorator_list').flatMap((one) => {
    const [names, list] = nodesAt(one, 'args');
    if (!dottedName(nodeAt(one, 'func') ?? one).endsWith('parametrize') || names === undefined || list === undefined) return [];
    const text = textAt(names, 'value');
    const words = text === null ? itemsOf(names).map((name) => textAt(name, 'value') ?? '') : text.split(',').map((name) => name.trim());
    const rows = rowsOf(list, valueOf);
    return words.map((name, at) => ({
      name,
      scope: node,
      values: rows.map((row) => (words.length === 1 ? row : (itemsOf(row)[at] ?? null))),
    }));
  });
}

/** Each pattern beside what it is given in each row. */
function columns(patterns: readonly SyntaxNode[], rows: readonly (readonly SyntaxNode[])[], scope: SyntaxNode): Column[] {
  return patterns.flatMap((pattern, at) =>
    namesIn(pattern).map(({ name, part }) => ({
      name,
      scope,
      values: rows.map((row) => (row[at] === undefined ? null : part(row[at]))),
    })),
  );
}

interface NamedPart {
  name: string;
  part: (value: SyntaxNode) => SyntaxNode | null;
}

function namesIn(pattern: SyntaxNode): NamedPart[] {
  const own = textAt(pattern, 'name') ?? textAt(pattern, 'id');
  if (own !== null) return [{ name: own, part: (value) => value }];
  const elements = [...nodesAt(pattern, 'elements'), ...nodesAt(pattern, 'elts')];
  return [
    ...elements.flatMap((one, at) => within(one, (value) => itemsOf(value)[at] ?? null)),
    ...nodesAt(pattern, 'properties').flatMap((one) => {
      const key = textAt(nodeAt(one, 'key') ?? one, 'name');
      const target = nodeAt(one, 'value');
      return key === null || target === null ? [] : within(target, (value) => memberAt(value, key));
    }),
  ];
}

function within(pattern: SyntaxNode, outer: NamedPart['part']): NamedPart[] {
  return namesIn(pattern).map(({ name, part }) => ({
    name,
    part: (value) => {
      const inner = outer(value);
      return inner === null ? null : part(inner);
    },
  }));
}

function memberAt(value: SyntaxNode, key: string): SyntaxNode | null {
  const found = nodesAt(value, 'properties').find((one) => {
    const own = nodeAt(one, 'key');
    return own !== null && (textAt(own, 'name') ?? textAt(own, 'value')) === key;
  });
  return found === undefined ? null : nodeAt(found, 'value');
}
