/**
 * YAML to a plain value, with the line of every key.
 *
 * 1. The whole file is looked at: every mistake is reported, not the first alone.
 * 2. Aliases are refused beyond a handful, so that a small file cannot become a huge value; so are files over MAX_BYTES.
 */
import { isAlias, isMap, isScalar, isSeq, LineCounter, parseDocument, visit, type Document } from 'yaml';
import { beforeFirst } from '../domain/text-parts.ts';

export interface Problem {
  /** Dotted path of the field; empty for the file as a whole. */
  field: string;
  /** From 1 on; `null` where there is none. */
  line: number | null;
  message: string;
  fix: string;
}

export interface ParsedYaml {
  value: Record<string, unknown>;
  problems: Problem[];
  /** Line of the key at a path, or of its nearest parent. */
  lineOf(path: readonly (string | number)[]): number | null;
}

export const MAX_BYTES = 256 * 1024;
const MAX_ALIASES = 50;

export function parseYaml(text: string): ParsedYaml {
  if (Buffer.byteLength(text) > MAX_BYTES)
    return failed([
      {
        field: '',
        line: null,
        message: `it is larger than ${MAX_BYTES / 1024} KiB`,
        fix: 'keep settings only; move everything else to other files',
      },
    ]);
  if (text.includes('\0'))
    return failed([{ field: '', line: null, message: 'it contains bytes that are not text', fix: 'save it as UTF-8 text' }]);
  const counter = new LineCounter();
  const document = parseDocument(text, { lineCounter: counter, prettyErrors: false, uniqueKeys: true, logLevel: 'error' });
  const problems = document.errors.map((error): Problem => {
    const line = counter.linePos(error.pos[0]).line;
    return { field: '', line, message: wording(error.code, error.message), fix: fixFor(error.code, text, line) };
  });
  if (problems.length > 0) return failed(problems);
  if (countAliases(document) > MAX_ALIASES)
    return failed([{ field: '', line: null, message: `it uses more than ${MAX_ALIASES} aliases`, fix: 'write the values out' }]);
  return toValue(document, counter);
}

function toValue(document: Document, counter: LineCounter): ParsedYaml {
  const lineOf = (path: readonly (string | number)[]): number | null => lineOfPath(document, counter, path);
  if (document.contents === null || (isScalar(document.contents) && document.contents.value === null)) {
    return failed([
      {
        field: '',
        line: null,
        message: 'it is empty',
        fix: 'write at least project.name and testing.full, or remove the file and run: harness init',
      },
    ]);
  }
  if (!isMap(document.contents)) {
    return failed([
      {
        field: '',
        line: 1,
        message: 'it is not a list of "key: value" settings',
        fix: 'begin with "project:" and put its settings below it, indented',
      },
    ]);
  }
  try {
    return { value: document.toJS({ maxAliasCount: MAX_ALIASES }) as Record<string, unknown>, problems: [], lineOf };
  } catch (error) {
    return failed([
      {
        field: '',
        line: null,
        message: error instanceof Error ? error.message : String(error),
        fix: 'write the values out instead of using aliases',
      },
    ]);
  }
}

function lineOfPath(document: Document, counter: LineCounter, path: readonly (string | number)[]): number | null {
  let node: unknown = document.contents;
  let offset: number | null = null;
  for (const part of path) {
    if (isMap(node)) {
      const pair = node.items.find((item) => isScalar(item.key) && String(item.key.value) === String(part));
      if (pair === undefined) break;
      if (isScalar(pair.key)) offset = pair.key.range?.[0] ?? offset;
      node = pair.value;
    } else if (isSeq(node)) {
      node = node.items[Number(part)];
      if (isScalar(node) || isMap(node)) offset = node.range?.[0] ?? offset;
    } else break;
  }
  return offset === null ? null : counter.linePos(offset).line;
}

function countAliases(document: Document): number {
  let count = 0;
  visit(document, (_key, node) => {
    if (isAlias(node)) count += 1;
  });
  return count;
}

function wording(code: string, message: string): string {
  if (message.includes('call stack')) return 'it is nested too deeply';
  if (code === 'DUPLICATE_KEY') return 'a key stands twice in the same section';
  if (code === 'TAB_AS_INDENT') return 'a tab is used for indentation';
  if (code === 'MULTIPLE_DOCS') return 'it holds more than one YAML document';
  return beforeFirst(message, '\n').replace(/\.$/, '');
}

function fixFor(code: string, text: string, line: number): string {
  if (code === 'DUPLICATE_KEY') return `keep one of the two${keyOnLine(text, line)}`;
  if (code === 'TAB_AS_INDENT') return 'indent with spaces';
  if (code === 'MULTIPLE_DOCS') return 'remove everything from the second "---" on';
  return 'fix the YAML on this line; values with special characters need quotes';
}

function keyOnLine(text: string, line: number): string {
  const key = /^\s*([\w$-]+)\s*:/.exec(text.split('\n')[line - 1] ?? '')?.[1];
  return key === undefined ? '' : ` "${key}" entries`;
}

function failed(problems: Problem[]): ParsedYaml {
  return { value: {}, problems, lineOf: () => null };
}
