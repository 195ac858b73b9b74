/**
 * Hollow stand-ins: modules with the same exports as the real ones and nothing inside.
 *
 * 1. A function gives `nothing`, or `something`: a value that is equal to nothing else; a class has its methods, all hollow; a
 *    constant is undefined. In the third kind all of them are or give `anything`: a value that can be called, asked for members and
 *    walked through, so that nothing fails only because it is hollow.
 * 2. A module that was there before keeps its text and gets what is newly exported as stand-ins.
 * 3. It is read from the text: a module whose exports cannot be told gives `null`, or in CommonJS has whatever it is asked for.
 * 4. Where functions give `something`, the text of the real module stands in comments, and a constant is such a function too: a test
 *    that only looks for words of the source, or whether a name is there, finds them.
 */
import { hollowPython, hollowPythonAddition } from './hollow-python.ts';
import type { Hollowness } from './hollowness.ts';
import { depthsOf, endOfBracket, languageOf, maskSource } from '../source/mask.ts';

interface Export {
  name: string;
  kind: 'function' | 'class' | 'value';
  /** For classes. */
  methods: string[];
}

export function hollowModule(text: string, path: string, kind: Hollowness): string | null {
  const language = languageOf(path);
  if (language === null || path.endsWith('.d.ts')) return null;
  if (language === 'python') return hollowPython(text, kind);
  const mask = maskSource(text, 'javascript');
  const { exports, passedOn } = readExports(text, mask);
  if (isCommonJs(mask))
    return exports.length === 0 || HAS_UNTOLD_EXPORTS.test(mask)
      ? `${preamble(kind)}module.exports = ${whateverIsAsked(kind)};\n${remarkOf(text, kind)}`
      : `${preamble(kind)}${exports.map((one) => commonStandIn(one, kind)).join('')}${remarkOf(text, kind)}`;
  if (exports.length === 0) return passedOn.join('');
  return [...passedOn, preamble(kind), ...exports.map((one) => moduleStandIn(one, kind)), remarkOf(text, kind)].join('');
}

/** The old module with stand-ins for what is new in it; null where nothing is. */
export function hollowAddition(before: string, after: string, path: string, kind: Hollowness): string | null {
  const language = languageOf(path);
  if (language === null) return null;
  if (language === 'python') return hollowPythonAddition(before, after, kind);
  const mask = maskSource(before, 'javascript');
  const old = new Set(readExports(before, mask).exports.map((one) => one.name));
  const added = readExports(after, maskSource(after, 'javascript')).exports.filter((one) => !old.has(one.name));
  if (added.length === 0) return null;
  const declared = declarationsIn(mask);
  const isLocal = (name: string): boolean => declared.has(name);
  if (isCommonJs(mask))
    return `${before}\n${preamble(kind)}${added
      .filter((one) => one.name !== '')
      .map((one) => commonStandIn(one, kind))
      .join('')}`;
  return `${before}\n${preamble(kind)}${added.map((one) => (isLocal(one.name) ? `export { ${one.name} };\n` : moduleStandIn(one, kind))).join('')}`;
}

const HAS_UNTOLD_EXPORTS =
  /\bObject\.(?:assign|definePropert(?:y|ies))\(\s*(?:module\.)?exports\b|\bmodule\.exports\s*=\s*\{[^}]{0,20000}\.\.\.|\bexports\s*\[|\bmodule\.exports\s*=\s*require\b/;

function isCommonJs(mask: string): boolean {
  return /\b(?:module\.)?exports\b/.test(mask) && !/(?:^|[;\n}])[^\S\n]*export\b/.test(mask);
}

/** `passedOn`: whole modules exported again, kept as they are. The name of a default or single export is `default` or empty. */
function readExports(text: string, mask: string): { exports: Export[]; passedOn: string[] } {
  const exports = new Map<string, Export>();
  const passedOn: string[] = [];
  const declared = declarationsIn(mask);
  const depthAt = depthsOf(mask);
  const add = (name: string, kind: Export['kind'], at: number): void =>
    void exports.set(name, { name, kind, methods: kind === 'class' ? classMethods(mask, at) : [] });
  for (const match of mask.matchAll(
    /\bexport\s+(default\s+)?(?:declare\s+)?(?:abstract\s+)?(?:(async\s+)?(function|class|const|let|var|enum)\b\s*\*?\s*)?([A-Za-z_$][\w$]*)?/g,
  )) {
    const [whole, isDefault, isAsync, keyword, name] = match;
    if (depthAt(match.index) > 0 || (keyword === undefined && isDefault === undefined)) continue;
    const end = match.index + whole.length;
    if (isDefault !== undefined)
      add(
        'default',
        keyword === 'class'
          ? 'class'
          : keyword === 'function' || isAsync !== undefined || /^\s*(?:=>|\()/.test(mask.slice(end))
            ? 'function'
            : kindOfName(mask, declared, name ?? ''),
        end,
      );
    else if (name === undefined) for (const one of patternNames(mask, end)) add(one, 'value', end);
    else add(name, keyword === 'function' ? 'function' : keyword === 'class' ? 'class' : kindOfValue(mask, end), end);
    if (isDefault === undefined && /^(?:const|let|var)$/.test(keyword ?? ''))
      for (const one of furtherNames(mask, end)) add(one.name, kindOfValue(mask, one.end), one.end);
  }
  for (const list of exportLists(mask)) {
    for (const part of list.split(',')) {
      const [local, name = local] = part
        .trim()
        .replace(/^type\s+/, '')
        .split(/\s+as\s+/);
      if (local !== undefined && local !== '' && name !== undefined) add(name, kindOfName(mask, declared, local), classAt(declared, local));
    }
  }
  for (const match of mask.matchAll(/\bexport\s*\*\s*(?:as\s+\w+\s+)?from\s*(['"])[^\n]*?\1;?/g))
    passedOn.push(`${text.slice(match.index, match.index + match[0].length)}\n`);
  if (isCommonJs(mask)) readCommonExports(mask, declared, add);
  return { exports: [...exports.values()], passedOn };
}

/** What stands in the braces of `export { … }`. */
function exportLists(mask: string): string[] {
  const lists: string[] = [];
  const pattern = /\bexport\s*\{/g;
  for (let match = pattern.exec(mask); match !== null; match = pattern.exec(mask)) {
    const end = mask.indexOf('}', pattern.lastIndex);
    if (end < 0) break;
    lists.push(mask.slice(pattern.lastIndex, end));
    pattern.lastIndex = end;
  }
  return lists;
}

function readCommonExports(mask: string, declared: Declarations, add: (name: string, kind: Export['kind'], at: number) => void): void {
  for (const match of mask.matchAll(/\b(?:module\.)?exports\.([A-Za-z_$][\w$]*)\s*(?==[^=])/g))
    add(match[1]!, kindOfValue(mask, match.index + match[0].length), match.index + match[0].length);
  for (const match of mask.matchAll(/\bmodule\.exports\s*=\s*(?!=)/g)) {
    const at = match.index + match[0].length;
    if (mask[at] !== '{') {
      const name = /^[A-Za-z_$][\w$]*(?=\s*(?:;|\n|$))/.exec(mask.slice(at))?.[0];
      const kind = name === undefined ? kindOfValue(`=${mask.slice(at, at + LONGEST_HEAD)}`, 0) : kindOfName(mask, declared, name);
      add('', kind, name === undefined ? at : classAt(declared, name));
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
              ? kindOfValue(`=${mask.slice(from + part[0].length, Math.min(end, from + LONGEST_HEAD))}`, 0)
              : kindOfName(mask, declared, part[1]!),
          from,
        );
      from = here + 1;
    }
  }
}

/** What the initialiser after a name is. */
function kindOfValue(mask: string, at: number): Export['kind'] {
  const rest = mask.slice(at, at + LONGEST_HEAD).replace(/^\s*(?::[^=]*?)?=\s*/, '');
  if (/^class\b/.test(rest)) return 'class';
  if (/^(?:async\b\s*)?(?:function\b|[A-Za-z_$][\w$]*\s*=>)/.test(rest)) return 'function';
  if (/^(?:async\s*)?(?:<[^>]*>\s*)?\(/.test(rest)) {
    const open = rest.indexOf('(');
    return /^\s*(?::[^={;]*)?=>/.test(rest.slice(endOfBracket(rest, open))) ? 'function' : 'value';
  }
  return /^[\w$.]+\.bind\(|^[A-Za-z_$][\w$]*\(/.test(rest) ? 'function' : 'value';
}

const LONGEST_HEAD = 2_000;

/** What is declared under a name, and where the name ends: functions before classes before others. */
type Declarations = ReadonlyMap<string, { kind: 'function' | 'class' | 'value'; end: number }>;

function declarationsIn(mask: string): Declarations {
  const found = new Map<string, { kind: 'function' | 'class' | 'value'; end: number }>();
  for (const match of mask.matchAll(/\b(function\s*\*?|class|const|let|var)\s*\b([A-Za-z_$][\w$]*)/g)) {
    const kind = match[1]!.startsWith('function') ? 'function' : match[1] === 'class' ? 'class' : 'value';
    const known = found.get(match[2]!);
    if (known === undefined || RANK[kind] < RANK[known.kind]) found.set(match[2]!, { kind, end: match.index + match[0].length });
  }
  return found;
}

const RANK = { function: 0, class: 1, value: 2 } as const;

function kindOfName(mask: string, declared: Declarations, name: string): Export['kind'] {
  const found = declared.get(name);
  if (found === undefined) return 'function';
  return found.kind === 'value' ? kindOfValue(mask, found.end) : found.kind;
}

function classAt(declared: Declarations, name: string): number {
  const found = declared.get(name);
  return found?.kind === 'class' ? found.end : 0;
}

/** Names after the first one of a declaration: `b` in `const a = 1, b = 2`. */
function furtherNames(mask: string, from: number): { name: string; end: number }[] {
  const names: { name: string; end: number }[] = [];
  const limit = Math.min(mask.length, from + LONGEST_DECLARATION);
  for (let at = from; at < limit; at += 1) {
    const char = mask[at]!;
    if (char === ';' || ')]}'.includes(char)) break;
    if ('([{'.includes(char)) at = endOfBracket(mask, at) - 1;
    else if (
      char === '\n' &&
      !/[=,+\-*&|?:<>(]\s*$/.test(mask.slice(Math.max(from, at - 40), at)) &&
      !/^\s*[,.?:&|+=]/.test(mask.slice(at, at + 200))
    )
      break;
    else if (char === ',') {
      const next = /^\s*([A-Za-z_$][\w$]*)\s*(?=[:=,;\n]|$)/.exec(mask.slice(at + 1, at + 300));
      if (next !== null) names.push({ name: next[1]!, end: at + 1 + next[0].length });
    }
  }
  return names;
}

const LONGEST_DECLARATION = 50_000;

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
  const inside = mask.slice(open + 1, end - 1);
  const depthAt = depthsOf(inside);
  for (const match of inside.matchAll(
    /(?:^|[\n;}])[^\S\n]*((?:public\s+|private\s+|protected\s+|override\s+|static\s+|async\s+|\*\s*)*)([A-Za-z_$][\w$]*)\s*(?=\(|=\s*(?:async\s*)?(?:\(|\w+\s*=>))/g,
  )) {
    if (depthAt(match.index + match[0].length) === 0 && !NO_METHOD.test(match[2]!))
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
  return { nothing: 'undefined', something: `function () ${body('something')}`, anything: ANYTHING }[kind];
}

function whateverIsAsked(kind: Hollowness): string {
  const isOwn = "name in target || typeof name !== 'string' || name === '__esModule' || name === 'then' || name === 'default'";
  return `new Proxy(function () ${body(kind)}, { get: (target, name) => (${isOwn} ? target[name] : function () ${body(kind)}) })`;
}

/** The text, for tests that look into it. */
function remarkOf(text: string, kind: Hollowness): string {
  if (kind !== 'something') return '';
  const lines = text.split(/\r\n|[\n\r\u2028\u2029]/);
  return `${lines.map((line) => `// ${line}`).join('\n')}\n`;
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
