/** Nodes of a syntax tree as parsers hand them over: plain values that came out of a thread or a process. */

export interface SyntaxNode {
  type: string;
  start: number;
  end: number;
  [field: string]: unknown;
}

export function isNode(value: unknown): value is SyntaxNode {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string' && 'start' in value;
}

/** A field that holds one node. */
export function nodeAt(node: SyntaxNode, field: string): SyntaxNode | null {
  const value = node[field];
  return isNode(value) ? value : null;
}

/** A field that the grammar gives every such node. */
export function partOf(node: SyntaxNode, field: string): SyntaxNode {
  const value = node[field];
  if (!isNode(value)) throw new Error(`a ${node.type} has no ${field}`);
  return value;
}

/** A field that holds several; holes are left out. */
export function nodesAt(node: SyntaxNode, field: string): SyntaxNode[] {
  const value = node[field];
  return Array.isArray(value) ? value.filter(isNode) : [];
}

export function textAt(node: SyntaxNode, field: string): string | null {
  const value = node[field];
  return typeof value === 'string' ? value : null;
}

/** A text that the grammar gives every such node. */
export function textPartOf(node: SyntaxNode, field: string): string {
  const value = node[field];
  if (typeof value !== 'string') throw new Error(`a ${node.type} has no text in ${field}`);
  return value;
}

export function childrenOf(node: SyntaxNode): SyntaxNode[] {
  return Object.values(node).flatMap((value) => (Array.isArray(value) ? value.filter(isNode) : isNode(value) ? [value] : []));
}

/** The node and everything below it, parents first; what `enter` says no to is not gone into. */
export function walk(node: SyntaxNode, enter: (node: SyntaxNode) => boolean): void {
  const left = [node];
  for (let next = left.pop(); next !== undefined; next = left.pop()) if (enter(next)) left.push(...childrenOf(next).toReversed());
}

export function rangeOf(node: SyntaxNode): { start: number; end: number } {
  return { start: node.start, end: node.end };
}
