/**
 * Code that holds tests of its own: examples in the documentation of Python and Rust, and what Rust keeps at the end of a file.
 *
 * 1. Such a file is the product: it runs as the session left it, and is made wrong like other code.
 * 2. What it holds of tests has to stay. Where something of it is not there any more, a person is asked.
 */
import { basename, dirname } from 'node:path/posix';
import { fileOf } from '../../domain/verdict.ts';
import { isTestFile, isTestPath } from './protected-paths.ts';
import { lastItem } from '../../domain/items.ts';

/** Files of these tests that are code. */
export function codeWithTests(ids: readonly string[]): Set<string> {
  const inside = new Map<string, string[]>();
  for (const id of ids) {
    const file = fileOf(id);
    if (isTestFile(file) || isTestPath(file)) continue;
    const names = inside.get(file);
    if (names === undefined) inside.set(file, [id.slice(file.length + 2)]);
    else names.push(id.slice(file.length + 2));
  }
  return new Set(
    [...inside].filter(([file, names]) => file.endsWith('.rs') || names.every((name) => isExample(file, name))).map(([file]) => file),
  );
}

/** `package/module.py::package.module.function`: pytest names the examples of a module by the module; unittest has one name for all of them. */
function isExample(file: string, name: string): boolean {
  if (!file.endsWith('.py')) return false;
  if (/^DocTestCase > runTest(?: #\d+)?$/.test(name)) return true;
  const stem = basename(file, '.py');
  const module = stem === '__init__' ? basename(dirname(file)) : stem;
  return /^[\w.]+$/.test(name) && (name === module || (name.includes('.') && name.split('.').includes(module)));
}

export function keepsOwnTests(path: string, before: string, after: string): boolean {
  const parts = path.endsWith('.rs') ? rustTests : pythonExamples;
  const left = parts(after);
  return parts(before).every((part) => {
    const at = left.indexOf(part);
    if (at >= 0) left.splice(at, 1);
    return at >= 0;
  });
}

/** Each prompt with what follows it, up to the next one or the end of the text. */
function pythonExamples(text: string): string[] {
  const found: string[][] = [];
  let isInside = false;
  for (const line of text.split('\n').map((one) => one.trim())) {
    if (line.startsWith('>>>')) found.push([line]);
    else if (isInside && line !== '' && !/^["']{3}|["']{3}$/.test(line)) lastItem(found).push(line);
    isInside = line.startsWith('>>>') || (isInside && line !== '' && !/["']{3}$/.test(line));
  }
  return found.map((lines) => lines.join('\n'));
}

/** Fenced lines of comments that document, and everything from the first mark of a test on: no parser reads Rust here. */
function rustTests(text: string): string[] {
  const lines = text.split('\n').map((line) => line.trim());
  const first = lines.findIndex((line) => /^#\[(?:cfg\(\s*(?:test|all\(\s*test)|test\b|\w+::test\b)/.test(line));
  const found = first < 0 ? [] : [lines.slice(first).join('\n')];
  let block: string[] | null = null;
  for (const line of first < 0 ? lines : lines.slice(0, first)) {
    const comment = /^\/\/[/!] ?(.*)$/.exec(line)?.[1];
    if (comment === undefined) block = null;
    else if (comment.startsWith('```')) {
      if (block !== null) found.push(block.join('\n'));
      block = block === null ? [comment] : null;
    } else block?.push(comment);
  }
  return found;
}
