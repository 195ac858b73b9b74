/**
 * `node test/index.js`: whether a program that a command starts runs node's own tests cannot be told by its name, nor by the project's packages,
 * as node brings them along. Its text says so, or that of a file that it loads.
 */
import { posix } from 'node:path';
import { isTestProgram } from '../runners/plain-program.ts';
import { allGroups } from '../../domain/text-parts.ts';

const LIMIT = 60;
const LOADED = /(?:\bfrom\s*|\bimport\s*\(?\s*|\brequire\s*\(\s*)(['"])([^'"\n]+)\1/g;
const ENDINGS = ['', '.js', '.mjs', '.cjs', '.ts', '.mts', '.cts', '/index.js', '/index.mjs', '/index.cjs', '/index.ts'];

/** Words of these commands that name a program of node's own tests, as they stand there. */
export async function nodeTestPrograms(texts: readonly string[], read: (path: string) => Promise<string | null>): Promise<Set<string>> {
  const words = new Set(texts.filter((text) => STARTS.test(text)).flatMap((text) => text.split(/[\s'"`;|&<>(){},=]+/)));
  const found = new Set<string>();
  for (const word of words) if (isTestProgram(word) && (await loadsNodeTest(word, read))) found.add(word);
  return found;
}

const STARTS = /(?:^|[\s/'"])(?:node|tsx|ts-node(?:-[\w-]+)?)\s/;

async function loadsNodeTest(entry: string, read: (path: string) => Promise<string | null>): Promise<boolean> {
  const waiting = [posix.normalize(entry).replace(/\/$/, '')];
  const seen = new Set<string>();
  for (let path = waiting.shift(); path !== undefined && seen.size < LIMIT; path = waiting.shift()) {
    const names = allGroups(await textAt(path, read), LOADED, 2);
    if (names.includes('node:test')) return true;
    const folder = posix.dirname(path);
    for (const name of names.filter((one) => /^\.\.?\//.test(one))) {
      const next = posix.join(folder, name);
      // Only what lies beside it or below: the code that is tested says nothing about the tests.
      if (!seen.has(next) && !next.startsWith('..') && (folder === '.' ? isTestProgram(next) : next.startsWith(`${folder}/`))) {
        seen.add(next);
        waiting.push(next);
      }
    }
  }
  return false;
}

async function textAt(path: string, read: (path: string) => Promise<string | null>): Promise<string> {
  for (const ending of ENDINGS) {
    if (ending === '' && !/\.[cm]?[jt]sx?$/.test(path)) continue;
    const text = await read(`${path}${ending}`);
    if (text !== null) return text;
    if (ending === '') break;
  }
  return '';
}
