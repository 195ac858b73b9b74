import ast, json, sys
DEPTH = 900
sys.setrecursionlimit(12000)
class TooDeep(Exception): pass
def width(text): return len(text) if text.isascii() else len(text.encode('utf-16-le', 'surrogatepass')) // 2
class Reader:
    def __init__(self, text):
        self.lines, self.starts, total, at = [], [], 0, 0
        size = len(text)
        cr, lf = text.find('\r'), text.find('\n')
        while True:
            while 0 <= cr < at: cr = text.find('\r', at)
            while 0 <= lf < at: lf = text.find('\n', at)
            end = min([one for one in (cr, lf) if one >= 0], default=size)
            line = text[at:end]
            self.lines.append((line, line.isascii(), None))
            self.starts.append(total)
            if end == size: return
            gap = 2 if text[end:end + 2] == '\r\n' else 1
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
    sys.stdout.write(answer + '\n')
    sys.stdout.flush()
