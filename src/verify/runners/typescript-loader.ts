/** Programs that are node with TypeScript loaded first: tsx and ts-node. */
import { itemAt } from '../../domain/items.ts';

interface NodeCommand {
  /** What node is told in their place. */
  loader: string[];
  /** What follows. */
  words: string[];
}

/** null: another program, or one that is told something that node cannot be told. */
export function asNode([program = '', ...rest]: readonly string[]): NodeCommand | null {
  const name = /(?:^|\/)(node|tsx|ts-node(?:-esm|-transpile-only|-cwd|-script)?)$/.exec(program)?.[1];
  if (name === undefined) return null;
  if (name === 'node') return { loader: [], words: rest };
  if (name === 'tsx') return { loader: ['--import', 'tsx'], words: rest };
  return fromTsNode(name, rest);
}

function fromTsNode(name: string, rest: readonly string[]): NodeCommand | null {
  let [isModule, isQuick] = [name === 'ts-node-esm', name === 'ts-node-transpile-only'];
  const loaded: string[] = [];
  let at = 0;
  for (; rest[at]?.startsWith('-') === true && rest[at] !== '--test'; at += 1) {
    const word = itemAt(rest, at);
    if (/^(?:--esm)$/.test(word)) isModule = true;
    else if (/^(?:-T|--transpile-only|--transpileOnly|--swc)$/.test(word)) isQuick = true;
    else if (/^(?:-r|--require)$/.test(word) && rest[at + 1] !== undefined) loaded.push('--require', itemAt(rest, (at += 1)));
    else if (!/^(?:--files|--pretty|--typeCheck|--type-check)$/.test(word)) return null;
  }
  const own = isModule
    ? ['--loader', isQuick ? 'ts-node/esm/transpile-only' : 'ts-node/esm']
    : ['--require', isQuick ? 'ts-node/register/transpile-only' : 'ts-node/register'];
  return { loader: [...own, ...loaded], words: rest.slice(at) };
}
