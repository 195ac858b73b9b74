/** Hollow stand-ins for modules in Python, by the same rules as those in JavaScript. */
import type { Hollowness } from './hollowness.ts';
import { maskSource } from '../source/mask.ts';

export function hollowPython(text: string, kind: Hollowness): string {
  return `${pythonImports(text)}${pythonAll(pythonNames(text), kind)}`;
}

/** Null where nothing is new. */
export function hollowPythonAddition(before: string, after: string, kind: Hollowness): string | null {
  const old = new Set(pythonNames(before).map((one) => one.name));
  const added = pythonNames(after).filter((one) => !old.has(one.name));
  return added.length === 0 ? null : `${before}\n${pythonAll(added, kind)}`;
}

/** Packages hand on what their modules define. */
function pythonImports(text: string): string {
  return [...text.matchAll(/^from\s+\.[\w.]*\s+import\s+(?:\([^)]*\)|[^\n]*)/gm)].map((match) => `${match[0]}\n`).join('');
}

interface Method {
  name: string;
  kind: 'method' | 'property' | 'value';
  isAsync: boolean;
}

interface PythonName {
  name: string;
  kind: 'function' | 'class' | 'value';
  /** For classes. */
  members: Method[];
  isAsync: boolean;
}

const DEEPEST = 5;

/** Of the module itself, and of what stands there under a condition. */
function pythonNames(text: string, mask = maskSource(text, 'python'), depth = 0): PythonName[] {
  const names = new Map<string, PythonName>();
  const add = (name: string, kind: PythonName['kind'], isAsync = false, members: Method[] = []): void =>
    void names.set(name, { name, kind, members, isAsync });
  if (depth < DEEPEST)
    for (const match of mask.matchAll(
      /^(?:if|elif|else|try|except|finally|with|for|while)\b[^\n]*:[^\n]*\n((?:[ \t]+[^\n]*(?:\n|$)|[ \t]*\n)*)/gm,
    ))
      for (const one of pythonNames('', dedent(match[1]!), depth + 1)) names.set(one.name, one);
  for (const match of mask.matchAll(/^(async\s+)?def\s+(\w+)/gm)) add(match[2]!, 'function', match[1] !== undefined);
  for (const match of mask.matchAll(/^([A-Za-z_]\w*)\s*(?::[^=\n]+)?=(?!=)/gm)) {
    const rest = mask.slice(match.index + match[0].length, match.index + match[0].length + 2_000);
    const further = /^(?:\s*[A-Za-z_]\w*\s*=(?!=))*/.exec(rest)![0];
    const kind = /^\s*lambda\b/.test(rest.slice(further.length)) ? 'function' : 'value';
    for (const name of [match[1]!, ...further.split('=').map((part) => part.trim())]) if (name !== '') add(name, kind);
  }
  for (const match of mask.matchAll(/^[([]?[ \t]*(\*?[A-Za-z_]\w*(?:[ \t]*,[ \t]*\*?[A-Za-z_]\w*)*)[ \t]*(,?)[ \t]*[)\]]?[ \t]*=(?!=)/gm))
    for (const name of match[1]!.split(',')) add(name.replace('*', '').trim(), names.get(name.trim())?.kind ?? 'value');
  for (const match of mask.matchAll(/^class\s+(\w+)[^\n]*\n((?:[ \t]+[^\n]*(?:\n|$)|[ \t]*\n)*)/gm))
    add(match[1]!, 'class', false, membersOf(match[2]!));
  return [...names.values()];
}

function membersOf(body: string): Method[] {
  const plain = dedent(body);
  const members = new Map<string, Method>();
  for (const match of plain.matchAll(/^([A-Za-z_]\w*)[ \t]*(?::[^=\n]+)?=(?!=)/gm))
    members.set(match[1]!, { name: match[1]!, kind: 'value', isAsync: false });
  for (const match of plain.matchAll(/^((?:@[^\n]*\n)*)(async[ \t]+)?def[ \t]+(\w+)/gm)) {
    const kind = /@(?:\w+\.)*(?:cached_)?property\b/.test(match[1]!) ? 'property' : 'method';
    if (!/^__(?:init|new|eq|hash|bool|repr|str)__$/.test(match[3]!))
      members.set(match[3]!, { name: match[3]!, kind, isAsync: match[2] !== undefined });
  }
  return [...members.values()];
}

function dedent(text: string): string {
  const indent = /^([ \t]+)\S/m.exec(text)?.[1] ?? '';
  return text
    .split('\n')
    .map((line) => (line.startsWith(indent) ? line.slice(indent.length) : line))
    .join('\n');
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
  const members = one.members.map((member) => `${memberStandIn(member, result, kind)}\n`).join('');
  return `class ${one.name}:\n    def __init__(self, *args, **kwargs):\n        pass\n${members}`;
}

/** A method takes whatever it is given, so that it can be called on the class and on its instances alike. */
function memberStandIn(member: Method, result: string, kind: Hollowness): string {
  if (member.kind === 'value') return `    ${member.name} = ${kind === 'anything' ? result : 'None'}`;
  const head = `${member.kind === 'property' ? '    @property\n' : ''}    ${member.isAsync ? 'async ' : ''}def ${member.name}`;
  return member.kind === 'property' ? `${head}(self):\n        return ${result}` : `${head}(*args, **kwargs):\n        return ${result}`;
}
