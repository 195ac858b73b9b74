/** `node test/index.js`: a test file that is started as the program that it is. Which library it uses is told by the project's packages. */
import { splitNodeArguments } from './node-test-command.ts';
import type { RunnerMatch } from './runner.ts';
import { asNode } from './typescript-loader.ts';

const TEST_FILE = /(?:^|\/)(?:tests?|specs?|__tests__)(?:\/|\.|$)|[._-](?:test|spec)\.[cm]?[jt]sx?$|(?:^|\/)test[-_.][^/]*$/;

/** A path that looks like a test file, or a folder of them. */
export function isTestProgram(path: string): boolean {
  return !/[*?[{:]/.test(path) && !path.startsWith('-') && !path.startsWith('/') && TEST_FILE.test(path);
}

/** null where it is another program. */
export function plainProgram(words: readonly string[]): RunnerMatch | null {
  const node = words.includes('--test') ? null : asNode(words);
  if (node === null) return null;
  const { options, positional } = splitNodeArguments(node.words);
  const isOther = options.some((option) => /^(?:-e|--eval|-p|--print|-c|--check|-i|--run)/.test(option));
  if (isOther || positional.length === 0 || !positional.every((path) => TEST_FILE.test(path))) return null;
  return { interpreterArgs: [...node.loader, ...options], args: positional.map(asFile) };
}

/** A folder stands for its first file. */
function asFile(path: string): string {
  return /\.[cm]?[jt]sx?$|[*?[{]/.test(path) ? path : `${path.replace(/\/$/, '')}{.js,/index.js,.mjs,/index.mjs,.cjs,/index.cjs}`;
}
