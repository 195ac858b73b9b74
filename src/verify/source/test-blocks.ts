/**
 * A test file's text in blocks: top-level statements, and the statements inside `describe` and `class` blocks.
 *
 * It is no parser: text that it misreads gives other blocks, and other blocks are never taken for unchanged ones.
 */
import { skipLiteral } from './mask.ts';

export interface Block {
  text: string;
  /** For groups: the part before the body. */
  header: string;
  inner: Block[] | null;
}

const DEEPEST = 20;

export function splitBlocks(text: string, language: 'javascript' | 'python', depth = 0): Block[] {
  const statements = language === 'python' ? pythonStatements(text) : javascriptStatements(text);
  return statements.map((statement) => toBlock(statement, language, depth));
}

function toBlock(text: string, language: 'javascript' | 'python', depth: number): Block {
  const group =
    language === 'python'
      ? /^\s*class \w+[^\n]*:[^\n]*\n/.exec(text)
      : /^\s*(?:describe|suite|context)\s*\([\s\S]*?(?:=>\s*\{|function\s*\w*\s*\([^)]*\)\s*\{)/.exec(text);
  if (group === null || depth === DEEPEST) return { text, header: '', inner: null };
  const [header] = group;
  const body = language === 'python' ? text.slice(header.length) : text.slice(header.length, text.lastIndexOf('}'));
  return { text, header, inner: splitBlocks(language === 'python' ? dedent(body) : body, language, depth + 1) };
}

function dedent(text: string): string {
  const indent = /^([ \t]+)\S/m.exec(text)?.[1] ?? '';
  return text
    .split('\n')
    .map((line) => (line.startsWith(indent) ? line.slice(indent.length) : line))
    .join('\n');
}

/** A line without indentation begins a statement; decorators and comments belong to what follows. */
function pythonStatements(text: string): string[] {
  const statements: string[][] = [];
  let open = false;
  for (const line of text.split('\n')) {
    const starts = /^[^\s)\]}]/.test(line);
    if (starts && !open) statements.push([line]);
    else statements.at(-1)?.push(line);
    if (starts) open = /^(@|#)/.test(line);
  }
  return statements.map((lines) => lines.join('\n').trimEnd());
}

function javascriptStatements(text: string): string[] {
  const statements: string[] = [];
  let depth = 0;
  let begin = 0;
  for (let at = 0; at < text.length; at += 1) {
    const skipped = skipLiteral(text, at);
    if (skipped > at) {
      at = skipped - 1;
      continue;
    }
    const char = text[at]!;
    if ('([{'.includes(char)) depth += 1;
    else if (')]}'.includes(char)) depth = Math.max(0, depth - 1);
    const ends = depth === 0 && (char === ';' || (char === '\n' && !continues(text, at)));
    if (!ends) continue;
    const statement = text.slice(begin, at + 1).trim();
    if (statement !== '') statements.push(statement);
    begin = at + 1;
  }
  const rest = text.slice(begin).trim();
  return rest === '' ? statements : [...statements, rest];
}

/** A line that ends in an operator, or is followed by a chained call, goes on. */
function continues(text: string, at: number): boolean {
  const before = text.slice(Math.max(0, at - 40), at).trimEnd();
  const after = /^\s*(.)/s.exec(text.slice(at + 1, at + 400))?.[1] ?? '';
  return /(?:[=,+\-*&|?:<>]|=>)$/.test(before) || '.?:&|+='.includes(after === '' ? ' ' : after);
}
