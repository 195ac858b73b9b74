/** Python by the interpreter's own `ast`, asked in another way than the reader asks it. */
import { execFileSync } from 'node:child_process';
import type { Facts } from './facts.ts';

const CODE = `import ast, json, sys
def look(text):
    tree = ast.parse(text)
    facts = {'imports': [], 'functions': [], 'tests': [], 'texts': []}
    def visit(node, inside):
        if isinstance(node, ast.Import): facts['imports'] += [one.name for one in node.names]
        if isinstance(node, ast.ImportFrom): facts['imports'].append('.' * node.level + (node.module or ''))
        is_function = isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
        is_test = is_function and node.name.startswith('test')
        if is_test and not inside: facts['tests'].append(node.name)
        elif is_function and not inside: facts['functions'].append(node.name)
        for child in ast.iter_child_nodes(node): visit(child, inside or is_test)
    visit(tree, False)
    return facts
answers = []
for text in json.load(sys.stdin):
    try: answers.append(look(text))
    except (SyntaxError, ValueError, RecursionError, MemoryError): answers.append(None)
json.dump(answers, sys.stdout)
`;

/** In the order of the texts; null: the interpreter finds mistakes in the syntax. */
export function referencePython(texts: readonly string[]): (Facts | null)[] {
  const answer = execFileSync('python3', ['-I', '-c', CODE], { input: JSON.stringify(texts), maxBuffer: 512 * 1024 * 1024 });
  return JSON.parse(answer.toString('utf8')) as (Facts | null)[];
}
