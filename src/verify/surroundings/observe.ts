/**
 * What a module observes beside its inputs, and whether the value decides anything.
 *
 * 1. Names are followed to their root through imports, assignments, parts of values, parameters and results of the module's own functions.
 * 2. Following a name too far shows more than there is; it never hides anything.
 * 3. A file outside the project and a program that tells about the machine count by their name, if that can be worked out.
 */
import { posix } from 'node:path';
import type { Language } from '../source/source.ts';
import { partsOf, type Expression } from './expression.ts';
import {
  DESCRIBING,
  GLOBALS,
  INSPECTING,
  kindOf,
  LISTING,
  MODULES,
  OBSERVING_PROGRAM,
  PASSING,
  SAME,
  SYSTEM_PLACE,
  WHOLE,
  WORKING_DIRECTORY,
  type Kind,
} from './roots.ts';
import { firstItem } from '../../domain/items.ts';

export interface Observation {
  /** For people, and to compare: `process.env.PORT`, `/proc/self/mounts`. */
  what: string;
  kind: Exclude<Kind, 'ordinary' | 'main'>;
  /** Of an environment variable; null: which one is decided as the code runs. */
  name: string | null;
  /** Whether the value decides anything here. */
  decides: boolean;
  /** Name of the function; empty: as the module is loaded. */
  inside: string;
  line: number;
  /** Texts that the value is compared with. */
  values: string[];
}

type Path = readonly string[];
/** A function; null: the module. */
type Scope = (Expression & { is: 'function' }) | null;

const OF_BROWSERS = /^(?:window|document|self|location|navigator|localStorage|sessionStorage|importScripts|Deno|Bun|EdgeRuntime|[A-Z]\w*)$/;
const ROUNDS = 6;
const MOST_PATHS = 12;
const DEEPEST = 40;

export function observe(program: Expression, { language, path, text }: { language: Language; path: string; text: string }): Observation[] {
  const reader = new Reader(program, language, path);
  const found: Observation[] = [];
  for (const seen of reader.all()) found.push({ ...seen.observation, line: lineAt(text, seen.start) });
  return found;
}

function lineAt(text: string, at: number): number {
  return text.slice(0, Math.max(0, at)).split('\n').length;
}

interface Seen {
  observation: Omit<Observation, 'line'>;
  start: number;
}

class Reader {
  readonly #language: Language;
  readonly #path: string;
  readonly #nodes: Expression[] = [];
  readonly #parents = new Map<Expression, Expression>();
  /** By the function that declares the name; null: the module. */
  readonly #aliases = new Map<Scope, Map<string, Path[]>>();
  readonly #declared = new Map<Scope, Set<string>>();
  readonly #texts = new Map<string, Expression>();
  readonly #functions = new Map<string, (Expression & { is: 'function' })[]>();
  readonly #results = new Map<string, Expression[]>();
  #memo = new Map<Expression, Path[]>();

  constructor(program: Expression, language: Language, path: string) {
    this.#language = language;
    this.#path = path;
    this.#index(program);
    for (let round = 0; round < ROUNDS; round += 1) if (!this.#follow()) break;
  }

  all(): Seen[] {
    return this.#nodes.flatMap((node) => [...this.#rootsAt(node), ...this.#placesAt(node)]);
  }

  #index(program: Expression): void {
    const left: Expression[] = [program];
    for (let node = left.pop(); node !== undefined; node = left.pop()) {
      this.#nodes.push(node);
      for (const part of partsOf(node)) this.#parents.set(part, node);
      left.push(...partsOf(node).toReversed());
      if (node.is === 'function' && node.name !== '') this.#functions.set(node.name, [...(this.#functions.get(node.name) ?? []), node]);
    }
    for (const node of this.#nodes) {
      if (node.is === 'result' && node.value !== null) {
        const inside = this.#inside(node);
        this.#results.set(inside, [...(this.#results.get(inside) ?? []), node.value]);
      }
      if (node.is === 'binding' && node.declares) for (const { name } of node.to) this.#declare(this.#scopeOf(node), name);
      if (node.is === 'function') for (const { name } of node.params.flat()) this.#declare(node, name);
      if (node.is === 'binding' && node.value !== null && node.to.length === 1 && firstItem(node.to).path.length === 0)
        this.#texts.set(firstItem(node.to).name, node.value);
    }
  }

  /** Whether anything new came of it. */
  #follow(): boolean {
    this.#memo = new Map();
    const before = this.#aliasCount();
    for (const node of this.#nodes) {
      if (node.is === 'binding' && node.value !== null)
        for (const path of this.#resolve(node.value))
          for (const { name, path: part } of node.to) this.#alias(this.#home(node, name), name, [...path, ...part]);
      if (node.is === 'call' && lastName(node.callee) === 'captureStackTrace' && node.args[0]?.is === 'name')
        this.#alias(this.#home(node, node.args[0].name), node.args[0].name, ['Error', '()']);
      if (node.is === 'call')
        for (const made of this.#functions.get(lastName(node.callee)) ?? [])
          for (const [at, arg] of node.args.entries())
            for (const path of this.#resolve(arg))
              for (const { name, path: part } of made.params[at] ?? []) this.#alias(made, name, [...path, ...part]);
    }
    this.#memo = new Map();
    return this.#aliasCount() !== before;
  }

  #aliasCount(): number {
    return [...this.#aliases.values()].flatMap((own) => [...own.values()]).reduce((sum, paths) => sum + paths.length, 0);
  }

  #scopeOf(node: Expression): Scope {
    for (let at = this.#parents.get(node); at !== undefined; at = this.#parents.get(at)) if (at.is === 'function') return at;
    return null;
  }

  #declare(scope: Scope, name: string): void {
    const own = this.#declared.get(scope) ?? new Set<string>();
    this.#declared.set(scope, own.add(name));
  }

  /** Where the name that stands at the node is declared; undeclared ones are the module's. */
  #home(node: Expression, name: string): Scope {
    for (let scope = this.#scopeOf(node); scope !== null; scope = this.#scopeOf(scope))
      if (this.#declared.get(scope)?.has(name) === true) return scope;
    return null;
  }

  #alias(scope: Scope, name: string, path: Path): void {
    const own = this.#aliases.get(scope) ?? new Map<string, Path[]>();
    this.#aliases.set(scope, own);
    const known = own.get(name) ?? [];
    const text = path.join('.');
    // A name that goes round in a circle ends somewhere.
    if (known.length >= MOST_PATHS || path.length > DEEPEST || known.some((one) => one.join('.') === text)) return;
    own.set(name, [...known, path]);
  }

  #resolve(node: Expression): Path[] {
    const kept = this.#memo.get(node);
    if (kept !== undefined) return kept;
    this.#memo.set(node, []);
    const found = this.#resolveNow(node).slice(0, MOST_PATHS);
    this.#memo.set(node, found);
    return found;
  }

  #resolveNow(node: Expression): Path[] {
    switch (node.is) {
      case 'name':
        return this.#named(node);
      case 'meta':
        return [['import.meta']];
      case 'member':
        return this.#member(node);
      case 'call':
        return this.#called(node);
      case 'either':
      case 'joined':
        return node.parts.flatMap((part) => this.#resolve(part)).map(derived);
      default:
        return [];
    }
  }

  #named(node: Expression & { is: 'name' }): Path[] {
    const { name } = node;
    const home = this.#home(node, name);
    const aliases = this.#aliases.get(home)?.get(name);
    if (aliases !== undefined) return aliases;
    if (this.#declared.get(home)?.has(name) === true) return [];
    const same =
      this.#language === 'javascript'
        ? (SAME[name] ?? name.replace(/^(?:Type|Range|Syntax|Eval|URI|Reference|Aggregate)(?=Error$)/, ''))
        : name;
    return GLOBALS[this.#language].has(same) ? [[same]] : [];
  }

  #member(node: Expression & { is: 'member' }): Path[] {
    const name = node.name ?? (node.key === null ? '*' : (this.#fold(node.key) ?? '*'));
    const found = this.#resolve(node.of).map((path) => normalised(this.#language, [...path, name]));
    if (found.length > 0) return found;
    if (this.#language === 'python')
      return /^st_\w+$|^(?:tb|gi|cr|ag)_frame$|^f_back$|^__(?:builtins|loader|spec)__$/.test(name) ? [[name]] : [];
    const of = node.of;
    if (name === 'constructor' && (of.is === 'function' || (of.is === 'member' && of.name === 'constructor'))) return [['Function']];
    return name === 'caller' && of.is === 'name' && this.#functions.has(of.name) ? [['arguments', 'callee']] : [];
  }

  #called({ callee, args }: Expression & { is: 'call' }): Path[] {
    const name = lastName(callee);
    const [first] = args;
    const module = first !== undefined && /^(?:require|__import__|getBuiltinModule|import_module)$/.test(name) ? this.#fold(first) : null;
    if (module !== null) return moduleOf(this.#language, module);
    const late =
      this.#resolve(callee).some((path) => path.join('.') === 'module.createRequire.()') && first !== undefined ? this.#fold(first) : null;
    if (late !== null) return moduleOf(this.#language, late);
    if (name === 'get' && lastName(ofCallee(callee)) === 'Reflect' && first !== undefined && args[1] !== undefined)
      return this.#resolve({ is: 'member', of: first, name: null, key: args[1], start: first.start });
    const passed = PASSING.test(name) ? args.flatMap((arg) => this.#resolve(arg)).map(derived) : [];
    const results =
      callee.is === 'name' && this.#aliases.get(this.#home(callee, name))?.has(name) !== true
        ? (this.#results.get(name) ?? []).flatMap((one) => this.#resolve(one))
        : [];
    const asked = first === undefined ? null : this.#fold(first);
    const own = this.#resolve(callee).map((path) => {
      if (LISTING.test(path.join('.')) && this.#isHere(first)) return [WORKING_DIRECTORY, '()'];
      const isVariable =
        asked !== null && /^(?:os\.(?:environb?\.(?:get|pop|setdefault)|getenvb?)|(?:process|Bun|Deno)\.env\.get)$/.test(path.join('.'));
      return isVariable ? [firstItem(path), path[0] === 'os' ? 'environ' : 'env', asked] : [...path, '()'];
    });
    if (/^(?:iterdir|r?glob)$/.test(name) && this.#isHere(ofCallee(callee))) own.push([WORKING_DIRECTORY, '()']);
    return [...own.filter(([root]) => passed.length === 0 || root !== 'path'), ...passed, ...results.map(derived)];
  }

  /** The working directory, or what matches there. */
  #isHere(node: Expression | undefined): boolean {
    if (node === undefined) return this.#language === 'python';
    const place = node.is === 'call' && lastName(node.callee) === 'Path' && node.args.length === 0 ? '.' : this.#fold(node);
    if (place !== null) return /^(?:\.?\/?|(?:\.\/)?\*[^/]*)$/.test(place);
    return this.#resolve(node).some((path) =>
      /^(?:process\.cwd|os\.getcwdb?|pathlib\.(?:Path|PosixPath)\.cwd)\.\(\)$/.test(path.join('.')),
    );
  }

  /** A text that is known before the code runs. */
  #fold(node: Expression, depth = 0): string | null {
    if (node.is === 'text') return node.value;
    if (depth > DEEPEST) return null;
    if (node.is === 'name') {
      const value = this.#texts.get(node.name);
      return value === undefined || value === node ? null : this.#fold(value, depth + 1);
    }
    const parts = (some: readonly Expression[]): string[] | null => {
      const folded = some.map((one) => this.#fold(one, depth + 1));
      return folded.includes(null) ? null : folded.filter((one) => one !== null);
    };
    if (node.is === 'joined') return parts(node.parts)?.join('') ?? null;
    if (node.is !== 'call' || node.args.length === 0) return null;
    const name = lastName(node.callee);
    const list = name === 'join' ? joinedTexts(node) : null;
    if (list !== null) {
      const [pieces, between] = [parts(list.pieces), this.#fold(list.between, depth + 1)];
      return pieces === null || between === null ? null : pieces.join(between);
    }
    const given = /^(?:join|resolve|URL|Path|PurePath|String|str|normalize)$/.test(name) ? parts(node.args) : null;
    if (given === null) return null;
    return /^(?:join|resolve|Path|PurePath|normalize)$/.test(name) ? posix.join(...given) : firstItem(given);
  }

  #inside(node: Expression): string {
    for (let at = this.#parents.get(node); at !== undefined; at = this.#parents.get(at))
      if (at.is === 'function' && at.name !== '') return at.name;
    return '';
  }

  #rootsAt(node: Expression): Seen[] {
    const parent = this.#parents.get(node);
    const paths = this.#resolve(node);
    if (paths.length === 0 || (parent !== undefined && this.#carries(parent, node))) return [];
    return paths.flatMap((path) => {
      const whole = path.length === 1 && !/^__\w+__$|^__\w+name$/.test(firstItem(path));
      if (path.length === 1 && parent?.is === 'binding') return [];
      if (whole && !this.#counts(firstItem(path), parent, node)) return [];
      const from = path.indexOf('~');
      const shown = (from < 1 ? path : path.slice(0, from)).filter((part) => part !== '()' && part !== '~');
      const text = path.filter((part) => part !== '~').join('.');
      const kind = whole ? 'room' : kindOf(this.#language, text);
      const values = this.#comparedWith(parent, node);
      const isInspected = path.some((part, at) => at > 0 && INSPECTING.test(part));
      // Two places that are compared with each other tell nothing about either.
      const decides =
        isInspected ||
        (decidesIn(parent, node) && (kind !== 'place' || values.length > 0 || isPatternCall(parent) || hasConstant(parent, node)));
      if (kind === 'ordinary' || (kind === 'main' && this.#isMainTest(parent, node))) return [];
      const what = whatOf(shown, kind);
      const name = kind === 'environment' ? (this.#variable(shown) ?? this.#variableIn(parent, node)) : null;
      const observation = {
        what: kind === 'environment' && name !== null && !what.endsWith(name) ? `${what}.${name}` : what,
        kind: kind === 'main' ? ('room' as const) : kind,
        name,
        decides,
        inside: this.#inside(node),
        values,
      };
      return [{ observation, start: node.start }];
    });
  }

  /** The value goes on in what the parent is. */
  #carries(parent: Expression, node: Expression): boolean {
    if (this.#resolve(parent).length === 0) return false;
    if (parent.is === 'member') return parent.of === node;
    if (parent.is === 'call') return parent.callee === node || (PASSING.test(lastName(parent.callee)) && parent.args.includes(node));
    return (parent.is === 'either' || parent.is === 'joined') && parent.parts.includes(node);
  }

  /** A root that is handed on as a whole: everything about it can be observed elsewhere. */
  #counts(root: string, parent: Expression | undefined, node: Expression): boolean {
    // Whether the language has a name is ordinary to ask; a name that it does not have is somebody's.
    if (parent?.is === 'decision')
      return root === 'globalThis' && this.#comparedWith(parent, node).some((name) => !(name in globalThis) && !OF_BROWSERS.test(name));
    if (WHOLE.has(root)) return true;
    return (
      parent?.is === 'call' && DESCRIBING.test(lastName(parent.callee)) && (root === 'globalThis' || root === 'Date' || root === 'Math')
    );
  }

  /** `require.main === module`, `import.meta.url === pathToFileURL(process.argv[1]).href`, `__name__ == '__main__'`. */
  #isMainTest(parent: Expression | undefined, node: Expression): boolean {
    if (this.#language === 'javascript') return parent?.is === 'decision' || parent?.is === 'either' || parent?.is === 'binding';
    const values = this.#comparedWith(parent, node);
    return !decidesIn(parent, node) || values.every((value) => value === '__main__');
  }

  #comparedWith(parent: Expression | undefined, node: Expression): string[] {
    const own = node.is === 'call' ? node.args : [];
    const beside = parent?.is === 'decision' ? parent.parts : parent?.is === 'call' ? parent.args : [];
    return [...own, ...beside].flatMap((one) => (one === node ? [] : (this.#fold(one) ?? [])));
  }

  #variable(shown: readonly string[]): string | null {
    const at = shown.findIndex((part) => /^env(?:ironb?)?$/.test(part));
    const name = at === -1 ? undefined : shown[at + 1];
    return name === undefined || /^(?:\*|keys|items|values|copy|toObject|get|pop|setdefault|has)$/.test(name) ? null : name;
  }

  /** `'PORT' in process.env`. */
  #variableIn(parent: Expression | undefined, node: Expression): string | null {
    const [name = ''] = parent?.is === 'decision' ? this.#comparedWith(parent, node) : [];
    return /^[A-Za-z_]\w*$/.test(name) ? name : null;
  }

  /** Files outside the project, and programs that tell about the machine. */
  #placesAt(node: Expression): Seen[] {
    const parent = this.#parents.get(node);
    const inside = this.#inside(node);
    const seen = (what: string): Seen[] => [
      { observation: { what, kind: 'room', name: null, decides: true, inside, values: [] }, start: node.start },
    ];
    if (node.is === 'text' || node.is === 'joined' || node.is === 'call') {
      const value = this.#fold(node);
      const isPart = parent !== undefined && (parent.is === 'joined' || parent.is === 'call') && this.#fold(parent) !== null;
      if (value !== null && !isPart && SYSTEM_PLACE.test(value)) return seen(value.replace(/^file:\/\//, ''));
    }
    if (node.is !== 'call') return [];
    const callee = this.#resolve(node.callee).map((path) => path.join('.'));
    const [first] = node.args;
    if (first === undefined) return [];
    if (callee.some((path) => /^(?:child_process|subprocess)\b|^os\.(?:system|popen)/.test(path))) {
      const words = [
        first,
        ...(first.is === 'group' ? first.parts : []),
        ...node.args.slice(1).flatMap((one) => (one.is === 'group' ? one.parts : [])),
      ];
      const line = words.flatMap((one) => this.#fold(one) ?? []).join(' ');
      const place = line.split(/[\s"'=<>;|&]+/).find((word) => SYSTEM_PLACE.test(word));
      const program =
        place ?? OBSERVING_PROGRAM.exec(line)?.[0].trim() ?? /(?:^|\s)(?:-e|-p|-pe|--eval|--print)(?=\s|$)/.exec(line)?.[0].trim();
      return program === undefined ? [] : seen(place ?? `the program ${program.replace(/^[\s;&|/]+/, '')}`);
    }
    const isOfFiles =
      callee.some((path) => /^fs\b|^open$|^io\.open|^os\.(?:path\.)?\w+$|^pathlib\./.test(path)) || lastName(node.callee) === 'Path';
    const place = isOfFiles ? this.#fold(first) : null;
    if (place === null || SYSTEM_PLACE.test(place)) return [];
    const isOutside = posix.isAbsolute(place)
      ? !/^\/(?:tmp|var\/tmp|dev)(?:\/|$)/.test(place)
      : posix.join(posix.dirname(this.#path), place).startsWith('../../');
    return isOutside ? seen(place) : [];
  }
}

/** `['a', 'b'].join('_')` and `'_'.join(['a', 'b'])`. */
function joinedTexts({ callee, args }: Expression & { is: 'call' }): { pieces: Expression[]; between: Expression } | null {
  const of = ofCallee(callee);
  const [first] = args;
  if (callee.is !== 'member' || first === undefined) return null;
  if (of.is === 'group') return { pieces: of.parts, between: first };
  return first.is === 'group' ? { pieces: first.parts, between: of } : null;
}

function derived(path: Path): Path {
  return path.at(-1) === '~' ? path : [...path, '~'];
}

/** Doors that lead to the same object. */
function normalised(language: Language, path: Path): Path {
  if (language !== 'javascript') return path;
  const [root, name = '', ...rest] = path;
  if (root === 'globalThis' && GLOBALS.javascript.has(name)) return [name, ...rest];
  if (root === 'perf_hooks' && name === 'performance') return ['performance', ...rest];
  return name === 'default' && root !== undefined && MODULES.javascript.has(root) ? [root, ...rest] : path;
}

function moduleOf(language: Language, specifier: string): Path[] {
  const [root = '', ...parts] = specifier.replace(/^node:/, '').split(language === 'python' ? '.' : '/');
  if (!MODULES[language].has(root)) return [];
  return [language === 'javascript' ? [root] : [root, ...parts]];
}

function lastName(node: Expression): string {
  return node.is === 'name' ? node.name : node.is === 'member' ? (node.name ?? '') : '';
}

function ofCallee(node: Expression): Expression {
  return node.is === 'member' ? node.of : node;
}

/** Another side of the comparison is a number, or another value that is written down. */
function hasConstant(parent: Expression | undefined, node: Expression): boolean {
  return (
    parent?.is === 'decision' && parent.parts.some((one) => one !== node && one.start >= 0 && one.is === 'group' && one.parts.length === 0)
  );
}

function isPatternCall(parent: Expression | undefined): boolean {
  return parent?.is === 'call' && /^(?:test|exec|search|match|fullmatch)$/.test(lastName(parent.callee));
}

function decidesIn(parent: Expression | undefined, node: Expression): boolean {
  if (parent === undefined) return false;
  if (parent.is === 'decision') return true;
  if (parent.is === 'either') return parent.tests.includes(node);
  if (parent.is === 'member') return parent.key === node;
  return parent.is === 'call' && parent.callee !== node && INSPECTING.test(lastName(parent.callee));
}

/** As far as a person needs it. */
function whatOf(shown: readonly string[], kind: Kind): string {
  if (shown[0] === WORKING_DIRECTORY) return WORKING_DIRECTORY;
  const parts = shown.filter((part, at) => at === 0 || !INSPECTING.test(part));
  const most = kind === 'environment' ? 3 : kind === 'arguments' || kind === 'terminal' ? 3 : 2;
  const text = (kind === 'arguments' ? parts.slice(0, 2) : parts.slice(0, most)).join('.');
  return text.replace(/\.\*$/, '[…]').replace(/\.(?:get|pop|setdefault)$/, '');
}
