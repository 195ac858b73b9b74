/** What code does with values, the same for every language: just enough to follow what it observes about where it runs. */

export type Expression = { start: number } & (
  | { is: 'name'; name: string }
  | { is: 'text'; value: string }
  | { is: 'member'; of: Expression; name: string | null; key: Expression | null }
  | { is: 'call'; callee: Expression; args: Expression[]; isNew: boolean }
  /** Strings put together. */
  | { is: 'joined'; parts: Expression[] }
  /** One of the parts; the tests say which. */
  | { is: 'either'; parts: Expression[]; tests: Expression[] }
  /** A comparison or a condition: only whether it holds comes of it. */
  | { is: 'decision'; parts: Expression[] }
  /** `declares`: the names are new in the function around it. */
  | { is: 'binding'; to: Bound[]; value: Expression | null; declares: boolean }
  | { is: 'function'; name: string; params: Bound[][]; body: Expression[] }
  | { is: 'result'; value: Expression | null }
  /** `import.meta`. */
  | { is: 'meta' }
  | { is: 'group'; parts: Expression[] }
);

/** A name, and which part of the value it is bound to. */
export interface Bound {
  name: string;
  path: readonly string[];
}

export function partsOf(node: Expression): Expression[] {
  switch (node.is) {
    case 'member':
      return node.key === null ? [node.of] : [node.of, node.key];
    case 'call':
      return [node.callee, ...node.args];
    case 'either':
      return [...node.tests, ...node.parts];
    case 'binding':
    case 'result':
      return node.value === null ? [] : [node.value];
    case 'function':
      return node.body;
    case 'joined':
    case 'decision':
    case 'group':
      return node.parts;
    default:
      return [];
  }
}
