/**
 * Python by the project's own interpreter: one process for many files, in a sandbox, with a limit of time. Nothing of the text is run.
 *
 * A text at which the interpreter breaks down has no tree; the texts after it are read by another process.
 */
import type { Platform } from '../../platform/platform.ts';
import { findInterpreter } from '../run/programs.ts';
import { isNode, type SyntaxNode } from './syntax-node.ts';

const CODE = `import ast, json, sys
DEPTH = 900
sys.setrecursionlimit(12000)
class TooDeep(Exception): pass
def width(text): return len(text) if text.isascii() else len(text.encode('utf-16-le', 'surrogatepass')) // 2
class Reader:
    def __init__(self, text):
        self.lines, self.starts, total, at = [], [], 0, 0
        size = len(text)
        cr, lf = text.find('\\r'), text.find('\\n')
        while True:
            while 0 <= cr < at: cr = text.find('\\r', at)
            while 0 <= lf < at: lf = text.find('\\n', at)
            end = min([one for one in (cr, lf) if one >= 0], default=size)
            line = text[at:end]
            self.lines.append((line, line.isascii(), None))
            self.starts.append(total)
            if end == size: return
            gap = 2 if text[end:end + 2] == '\\r\\n' else 1
            total += width(line) + gap
            at = end + gap
    def offset(self, line, column):
        text, plain, raw = self.lines[line - 1]
        if plain: return self.starts[line - 1] + column
        if raw is None:
            raw = text.encode('utf-8')
            self.lines[line - 1] = (text, plain, raw)
        return self.starts[line - 1] + width(raw[:column].decode('utf-8', 'ignore'))
    def dump(self, node, depth):
        if depth > DEPTH: raise TooDeep()
        out = {'type': type(node).__name__, 'start': -1, 'end': -1}
        if getattr(node, 'lineno', None) is not None and getattr(node, 'end_lineno', None) is not None:
            out['start'] = self.offset(node.lineno, node.col_offset)
            out['end'] = self.offset(node.end_lineno, node.end_col_offset)
        for name, value in ast.iter_fields(node):
            if name in ('ctx', 'type_comment', 'type_ignores'): continue
            if isinstance(value, ast.AST): out[name] = self.dump(value, depth + 1)
            elif isinstance(value, list): out[name] = [self.dump(one, depth + 1) if isinstance(one, ast.AST) else one for one in value]
            elif isinstance(value, bool): out[name] = {'truth': value}
            elif isinstance(value, (int, float, complex)) and not isinstance(node, (ast.ImportFrom, ast.AnnAssign, ast.FormattedValue, ast.comprehension)): out[name] = {'number': True}
            elif isinstance(value, (str, int)): out[name] = value
            elif isinstance(value, bytes): out[name] = {'bytes': True}
            elif value is not None: out[name] = {'other': True}
        return out
for line in sys.stdin.buffer:
    try:
        text = json.loads(line)
        answer = json.dumps(Reader(text).dump(ast.parse(text), 0))
    except (SyntaxError, ValueError, RecursionError, MemoryError, TooDeep, OverflowError): answer = 'null'
    sys.stdout.write(answer + '\\n')
    sys.stdout.flush()
`;

const MOST_BYTES = 512 * 1024 * 1024;
const MOST_PROCESSES = 5;

/** In the order of the texts; null for each that could not be parsed. */
export async function parsePython(platform: Platform, texts: readonly string[], timeoutMs: number): Promise<(SyntaxNode | null)[]> {
  const python = texts.length === 0 ? null : await findInterpreter(platform);
  const trees: (SyntaxNode | null)[] = [];
  for (let tries = 0; python !== null && tries < MOST_PROCESSES && trees.length < texts.length; tries += 1) {
    const { answers, isBroken } = await parseSome(platform, python, texts.slice(trees.length), timeoutMs);
    trees.push(...answers);
    if (isBroken && trees.length < texts.length) trees.push(null);
  }
  return texts.map((_text, index) => trees[index] ?? null);
}

async function parseSome(
  platform: Platform,
  python: string,
  texts: readonly string[],
  timeoutMs: number,
): Promise<{ answers: (SyntaxNode | null)[]; isBroken: boolean }> {
  const { hides } = await platform.sandbox();
  const result = await platform.processes.run({
    file: python,
    args: ['-I', '-S', '-c', CODE],
    cwd: '/',
    env: { PATH: '/usr/bin:/bin', LANG: 'C.UTF-8' },
    sandbox: hides ? { writable: [], hidden: [], network: 'none' } : null,
    stdin: texts.map((text) => `${JSON.stringify(text)}\n`).join(''),
    timeoutMs,
    graceMs: 200,
    maxOutputBytes: MOST_BYTES,
  });
  const lines = result.stdout.toString('utf8').split('\n').slice(0, -1);
  return { answers: lines.slice(0, texts.length).map(readTree), isBroken: lines.length < texts.length };
}

function readTree(line: string): SyntaxNode | null {
  const tree: unknown = JSON.parse(line);
  return isNode(tree) ? tree : null;
}
