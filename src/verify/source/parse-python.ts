/**
 * Python by the project's own interpreter: one process for many files, in a sandbox, with a limit of time. Nothing of the text is run.
 *
 * A text at which the interpreter breaks down has no tree; the texts after it are read by another process.
 */
import parserProgram from '../../../assets/parse-python.py';
import type { Platform } from '../../platform/platform.ts';
import { findInterpreter } from '../run/programs.ts';
import { isNode, type SyntaxNode } from './syntax-node.ts';

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
    args: ['-I', '-S', '-c', parserProgram],
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
