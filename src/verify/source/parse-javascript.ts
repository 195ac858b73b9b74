/** JavaScript, TypeScript and JSX by a parser in a thread of its own: a text that it takes too long for, or that is nested too deeply, is given up. */
import parserProgram from '../../../assets/parse-javascript.cjs';
import { createRequire } from 'node:module';
import type { ParserOptions } from '@babel/parser';
import { createThread, type Thread } from '../../platform/threads.ts';
import { isNode, type SyntaxNode } from './syntax-node.ts';

/** Deeper than people write, and far from what a stack can hold. */
const MOST_DEPTH = 1_200;
const START_MS = 5_000;

let thread: Thread | undefined;

/** Starting the thread takes longer than most questions: who knows that there will be some begins early. */
export async function startParser(): Promise<void> {
  await parseJavascript('', 'empty.js', START_MS);
}

export async function parseJavascript(text: string, path: string, timeoutMs: number): Promise<SyntaxNode | null> {
  thread ??= createThread(parserProgram, { parser: parserPath(), depth: MOST_DEPTH });
  const answer = await thread.ask({ text, options: optionsFor(path, text) }, timeoutMs);
  if (typeof answer !== 'string') return null;
  const program: unknown = JSON.parse(answer);
  return isNode(program) ? program : null;
}

/** An installed copy has the parser as a file beside its own; in a checkout it is the package. */
function parserPath(): string {
  const { resolve } = createRequire(import.meta.url);
  try {
    return resolve('./babel-parser.cjs');
  } catch {
    return resolve('@babel/parser');
  }
}

function optionsFor(path: string, text: string): ParserOptions {
  const isTyped = /\.[cm]?tsx?$/.test(path);
  const hasFlow = !isTyped && /^[^{}]*@flow\b/.test(text);
  return {
    sourceType: 'unambiguous',
    allowReturnOutsideFunction: true,
    allowAwaitOutsideFunction: true,
    allowUndeclaredExports: true,
    attachComment: false,
    plugins: [
      ...(isTyped ? (['typescript', 'decorators-legacy'] as const) : (['decorators'] as const)),
      ...(hasFlow ? [['flow', { all: true }] as ['flow', { all: boolean }]] : []),
      ...(/\.[cm]?ts$/.test(path) ? [] : (['jsx'] as const)),
      'explicitResourceManagement',
    ],
  };
}
