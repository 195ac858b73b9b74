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

interface PythonName {
  name: string;
  kind: 'function' | 'class' | 'value';
  /** For classes. */
  methods: string[];
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
