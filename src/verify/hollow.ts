/**
 * Hollow stand-ins: modules with the same exports as the real ones and nothing inside.
 *
 * 1. A function gives `nothing`, or `something`: a value that is equal to nothing else; a class has its methods, all hollow; a
 *    constant is undefined. In the third kind all of them are or give `anything`: a value that can be called, asked for members and
 *    walked through, so that nothing fails only because it is hollow.
 * 2. A module that was there before keeps its text and gets what is newly exported as stand-ins.
 * 3. It is read from the text: a module whose exports cannot be told gives `null`.
 */
import { depthAt, endOfBracket, languageOf, maskSource } from './mask.ts';

export type Hollowness = 'nothing' | 'something' | 'anything';

interface Export {
  name: string;
  kind: 'function' | 'class' | 'value';
  /** For classes. */
  methods: string[];
}

export function hollowModule(text: string, path: string, kind: Hollowness): string | null {
  const language = languageOf(path);
  if (language === null || path.endsWith('.d.ts')) return null;
  if (language === 'python') return `${pythonImports(text)}${pythonAll(pythonNames(text), kind)}`;
  const mask = maskSource(text, 'javascript');
  const { exports, passedOn } = readExports(text, mask);
  if (exports.length === 0 && passedOn.length === 0) return isCommonJs(mask) ? null : '';
  return isCommonJs(mask)
    ? `${preamble(kind)}${exports.map((one) => commonStandIn(one, kind)).join('')}`
    : [...passedOn, preamble(kind), ...exports.map((one) => moduleStandIn(one, kind))].join('');
}

/** The old module with stand-ins for what is new in it; null where nothing is. */
export function hollowAddition(before: string, after: string, path: string, kind: Hollowness): string | null {
  const language = languageOf(path);
  if (language === null) return null;
  if (language === 'python') {
    const old = new Set(pythonNames(before).map((one) => one.name));
    const added = pythonNames(after).filter((one) => !old.has(one.name));
    return added.length === 0 ? null : `${before}\n${pythonAll(added, kind)}`;
  }
  const mask = maskSource(before, 'javascript');
  const old = new Set(readExports(before, mask).exports.map((one) => one.name));
  const added = readExports(after, maskSource(after, 'javascript')).exports.filter((one) => !old.has(one.name));
  if (added.length === 0) return null;
  const isLocal = (name: string): boolean => new RegExp(`\\b(?:function\\*?|class|const|let|var)\\s+${name}\\b`).test(mask);
  if (isCommonJs(mask))
    return `${before}\n${preamble(kind)}${added
      .filter((one) => one.name !== '')
      .map((one) => commonStandIn(one, kind))
      .join('')}`;
  return `${before}\n${preamble(kind)}${added.map((one) => (isLocal(one.name) ? `export { ${one.name} };\n` : moduleStandIn(one, kind))).join('')}`;
}

function isCommonJs(mask: string): boolean {
  return /\b(?:module\.)?exports\b/.test(mask) && !/(?:^|[;\n}])\s*export\b/.test(mask);
}

/** `passedOn`: whole modules exported again, kept as they are. The name of a default or single export is `default` or empty. */
function readExports(text: string, mask: string): { exports: Export[]; passedOn: string[] } {
  const exports = new Map<string, Export>();
  const passedOn: string[] = [];
  const add = (name: string, kind: Export['kind'], at: number): void =>
    void exports.set(name, { name, kind, methods: kind === 'class' ? classMethods(mask, at) : [] });
  for (const match of mask.matchAll(
    /\bexport\s+(default\s+)?(?:declare\s+)?(?:abstract\s+)?(?:(async\s+)?(function|class|const|let|var|enum)\b\s*\*?\s*)?([A-Za-z_$][\w$]*)?/g,
  )) {
    const [whole, isDefault, isAsync, keyword, name] = match;
    if (depthAt(mask, match.index) > 0 || (keyword === undefined && isDefault === undefined)) continue;
    const end = match.index + whole.length;
    if (isDefault !== undefined)
      add(
        'default',
        keyword === 'class'
          ? 'class'
          : keyword === 'function' || isAsync !== undefined || /^\s*(?:=>|\()/.test(mask.slice(end))
            ? 'function'
            : kindOfName(mask, name ?? ''),
        end,
      );
    else if (name === undefined) for (const one of patternNames(mask, end)) add(one, 'value', end);
    else add(name, keyword === 'function' ? 'function' : keyword === 'class' ? 'class' : kindOfValue(mask, end), end);
  }
  for (const match of mask.matchAll(/\bexport\s*\{([^}]*)\}/g)) {
    for (const part of match[1]!.split(',')) {
      const [local, name = local] = part
        .trim()
        .replace(/^type\s+/, '')
        .split(/\s+as\s+/);
      if (local !== undefined && local !== '' && name !== undefined) add(name, kindOfName(mask, local), declarationOf(mask, local));
    }
  }
  for (const match of mask.matchAll(/\bexport\s*\*\s*(?:as\s+\w+\s+)?from\s*(['"])[^\n]*?\1;?/g))
    passedOn.push(`${text.slice(match.index, match.index + match[0].length)}\n`);
  if (isCommonJs(mask)) readCommonExports(mask, add);
  return { exports: [...exports.values()], passedOn };
}

function readCommonExports(mask: string, add: (name: string, kind: Export['kind'], at: number) => void): void {
  for (const match of mask.matchAll(/\b(?:module\.)?exports\.([A-Za-z_$][\w$]*)\s*(?==[^=])/g))
    add(match[1]!, kindOfValue(mask, match.index + match[0].length), match.index + match[0].length);
  for (const match of mask.matchAll(/\bmodule\.exports\s*=\s*(?!=)/g)) {
    const at = match.index + match[0].length;
    if (mask[at] !== '{') {
      const name = /^[A-Za-z_$][\w$]*(?=\s*(?:;|\n|$))/.exec(mask.slice(at))?.[0];
      const kind = name === undefined ? kindOfValue(`=${mask.slice(at)}`, 0) : kindOfName(mask, name);
      add('', kind, name === undefined ? at : declarationOf(mask, name));
      continue;
    }
    const end = endOfBracket(mask, at);
    let from = at + 1;
    for (let here = at + 1; here < end; here += 1) {
      if ('([{'.includes(mask[here]!)) here = endOfBracket(mask, here) - 1;
      if (mask[here] !== ',' && here !== end - 1) continue;
      const part = /^\s*(?:async\s+)?\*?\s*([A-Za-z_$][\w$]*)\s*([:(]?)/.exec(mask.slice(from, here + 1));
      if (part !== null)
        add(
          part[1]!,
          part[2] === '('
            ? 'function'
            : part[2] === ':'
              ? kindOfValue(`=${mask.slice(from + part[0].length, end)}`, 0)
              : kindOfName(mask, part[1]!),
          from,
        );
      from = here + 1;
    }
  }
}

/** What the initialiser after a name is. */
function kindOfValue(mask: string, at: number): Export['kind'] {
  const rest = mask.slice(at, at + 2_000).replace(/^\s*(?::[^=]*?)?=\s*/, '');
  if (/^class\b/.test(rest)) return 'class';
  if (/^(?:async\b\s*)?(?:function\b|[A-Za-z_$][\w$]*\s*=>)/.test(rest)) return 'function';
  if (/^(?:async\s*)?(?:<[^>]*>\s*)?\(/.test(rest)) {
    const open = rest.indexOf('(');
    return /^\s*(?::[^={;]*)?=>/.test(rest.slice(endOfBracket(rest, open))) ? 'function' : 'value';
  }
  return /^[\w$.]+\.bind\(|^[A-Za-z_$][\w$]*\(/.test(rest) ? 'function' : 'value';
}

function kindOfName(mask: string, name: string): Export['kind'] {
  if (new RegExp(`\\bfunction\\s*\\*?\\s*${name}\\b`).test(mask)) return 'function';
  if (new RegExp(`\\bclass\\s+${name}\\b`).test(mask)) return 'class';
  const at = new RegExp(`\\b(?:const|let|var)\\s+${name}\\b`).exec(mask);
  return at === null ? 'function' : kindOfValue(mask, at.index + at[0].length);
}

function declarationOf(mask: string, name: string): number {
  const match = new RegExp(`\\bclass\\s+${name}\\b`).exec(mask);
  return match === null ? 0 : match.index + match[0].length;
}

function patternNames(mask: string, at: number): string[] {
  const open = mask.slice(at).search(/[[{]/);
  if (open < 0) return [];
  const inner = mask.slice(at + open + 1, endOfBracket(mask, at + open) - 1);
  return inner
    .split(',')
    .map((part) => part.replace(/=.*$/s, '').split(':').at(-1)!.trim())
    .filter((name) => /^[A-Za-z_$][\w$]*$/.test(name));
}

const NO_METHOD = /^(?:constructor|if|for|while|switch|catch|return|function|super)$/;

function classMethods(mask: string, at: number): string[] {
  const open = mask.indexOf('{', at);
  if (open < 0) return [];
  const end = endOfBracket(mask, open);
  const methods = new Set<string>();
  for (const match of mask
    .slice(open + 1, end - 1)
    .matchAll(
      /(?:^|[\n;}])\s*((?:public\s+|private\s+|protected\s+|override\s+|static\s+|async\s+|\*\s*)*)([A-Za-z_$][\w$]*)\s*(?=\(|=\s*(?:async\s*)?(?:\(|\w+\s*=>))/g,
    )) {
    const position = open + 1 + match.index + match[0].length;
    if (depthAt(mask.slice(open + 1, position), position - open - 1) === 0 && !NO_METHOD.test(match[2]!))
      methods.add(`${/\bstatic\b/.test(match[1]!) ? 'static ' : ''}${match[2]!}`);
  }
  return [...methods];
}

const ANYTHING = '__anything';

function preamble(kind: Hollowness): string {
  if (kind !== 'anything') return '';
  return `const ${ANYTHING} = new Proxy(function () {}, {
  get: (_target, key) => (key === 'then' ? undefined : key === Symbol.iterator ? () => [].values() : key === Symbol.toPrimitive ? () => '' : ${ANYTHING}),
  set: () => true,
  apply: () => ${ANYTHING},
  construct: () => ${ANYTHING},
});
`;
}

function value(kind: Hollowness): string {
  return kind === 'anything' ? ANYTHING : 'undefined';
}

function body(kind: Hollowness): string {
  if (kind === 'nothing') return '{}';
  return `{ return ${kind === 'something' ? 'Object.create(null)' : ANYTHING}; }`;
}

function classText(one: Export, kind: Hollowness): string {
  return `{ constructor() {} ${one.methods.map((name) => `${name}() ${body(kind)}`).join(' ')} }`;
}

function moduleStandIn(one: Export, kind: Hollowness): string {
  if (one.name === 'default')
    return one.kind === 'value'
      ? `export default ${value(kind)};\n`
      : one.kind === 'class'
        ? `export default class ${classText(one, kind)}\n`
        : `export default function () ${body(kind)}\n`;
  if (one.kind === 'class') return `export class ${one.name} ${classText(one, kind)}\n`;
  return one.kind === 'function' ? `export function ${one.name}() ${body(kind)}\n` : `export const ${one.name} = ${value(kind)};\n`;
}

function commonStandIn(one: Export, kind: Hollowness): string {
  const target = one.name === '' ? 'module.exports' : `module.exports.${one.name}`;
  return `${target} = ${one.kind === 'class' ? `class ${classText(one, kind)}` : one.kind === 'function' ? `function () ${body(kind)}` : one.name === '' && kind !== 'anything' ? '{}' : value(kind)};\n`;
}

/** Packages hand on what their modules define. */
function pythonImports(text: string): string {
  return [...text.matchAll(/^from\s+\.[\w.]*\s+import\s+(?:\([^)]*\)|[^\n]*)/gm)].map((match) => `${match[0]}\n`).join('');
}

interface PythonName extends Export {
  isAsync: boolean;
}

function pythonNames(text: string): PythonName[] {
  const mask = maskSource(text, 'python');
  const names = new Map<string, PythonName>();
  for (const match of mask.matchAll(/^(async\s+)?def\s+(\w+)/gm))
    names.set(match[2]!, { name: match[2]!, kind: 'function', methods: [], isAsync: match[1] !== undefined });
  for (const match of mask.matchAll(/^([A-Za-z_]\w*)\s*(?::[^=\n]+)?=(?!=)/gm))
    names.set(match[1]!, {
      name: match[1]!,
      kind: /^\s*lambda\b/.test(mask.slice(match.index + match[0].length)) ? 'function' : 'value',
      methods: [],
      isAsync: false,
    });
  for (const match of mask.matchAll(/^class\s+(\w+)[^\n]*\n((?:[ \t]+[^\n]*(?:\n|$)|\s*\n)*)/gm)) {
    const indent = /^([ \t]+)\S/m.exec(match[2]!)?.[1] ?? '    ';
    const methods = [...match[2]!.matchAll(new RegExp(`^${indent}(?:async\\s+)?def\\s+(\\w+)`, 'gm'))]
      .map((method) => method[1]!)
      .filter((name) => !/^__(?:init|new|eq|hash|bool|repr|str)__$/.test(name));
    names.set(match[1]!, { name: match[1]!, kind: 'class', methods, isAsync: false });
  }
  return [...names.values()];
}

const PYTHON_ANYTHING = `class __Anything:
    def __getattr__(self, name):
        if name.startswith('__'):
            raise AttributeError(name)
        return self
    def __call__(self, *args, **kwargs):
        return self
    def __iter__(self):
        return iter(())
    def __await__(self):
        yield from ()
        return self
    def __setattr__(self, name, value):
        pass
    __getitem__ = __enter__ = __aenter__ = __call__
    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __truediv__ = __floordiv__ = __mod__ = __neg__ = __call__
    __lt__ = __le__ = __gt__ = __ge__ = __or__ = __and__ = __call__
    __setitem__ = __delitem__ = __delattr__ = __exit__ = lambda self, *args: None
    __len__ = __int__ = __index__ = lambda self: 0
    __float__ = lambda self: 0.0
    __str__ = lambda self: ''
    __contains__ = lambda self, item: False
__anything = __Anything()
`;

function pythonAll(names: readonly PythonName[], kind: Hollowness): string {
  return `${kind === 'anything' ? PYTHON_ANYTHING : ''}${names.map((one) => pythonStandIn(one, kind)).join('')}`;
}

function pythonStandIn(one: PythonName, kind: Hollowness): string {
  const result = { nothing: 'None', something: 'object()', anything: "globals()['__anything']" }[kind];
  if (one.kind === 'value') return `${one.name} = ${kind === 'anything' ? result : 'None'}\n`;
  if (one.kind === 'function') return `${one.isAsync ? 'async ' : ''}def ${one.name}(*args, **kwargs):\n    return ${result}\n`;
  const methods = one.methods.map((name) => `    def ${name}(self, *args, **kwargs):\n        return ${result}\n`).join('');
  return `class ${one.name}:\n    def __init__(self, *args, **kwargs):\n        pass\n${methods}`;
}
