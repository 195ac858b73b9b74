/** Reads the code that a candidate changed, and tells what its text gives away. */
import { pathSetOf } from '../../domain/tree-index.ts';
import type { TreeChange } from '../../domain/tree.ts';
import type { Finding } from '../../domain/verdict.ts';
import { addedSuppressions, testsNamedBy, type CodeChange } from '../source/code-text.ts';
import type { JudgeInput } from '../contract.ts';
import { languageOf } from '../source/source.ts';

const MOST_FILES = 500;
const MOST_CHARACTERS = 1_000_000;

/** Code that reads from the tests. */
export async function findAnswersTaken(input: JudgeInput, changes: readonly TreeChange[]): Promise<Finding[]> {
  const code = await readCode(input, changes);
  if (code.length === 0) return [];
  const paths = pathSetOf(await input.trees.list(input.candidate.tree));
  const subjects = code.flatMap((change) => testsNamedBy(change, paths).map((path) => `${change.path}: ${path}`));
  if (subjects.length === 0) return [];
  return [
    {
      check: 'protected',
      reason: 'tamper.tests',
      weight: 'ask',
      message: 'code outside the tests reads test files',
      subjects: subjects.slice(0, 50),
    },
  ];
}

/** Tools that were told to look away. */
export async function findSuppressions(input: JudgeInput, changes: readonly TreeChange[]): Promise<Finding[]> {
  const subjects = (await readCode(input, changes)).flatMap((change) => addedSuppressions(change).map((mark) => `${change.path}: ${mark}`));
  if (subjects.length === 0) return [];
  return [
    {
      check: 'quality',
      reason: 'quality.lint',
      weight: 'warn',
      message: 'comments that turn off a tool were added',
      subjects: subjects.slice(0, 50),
    },
  ];
}

async function readCode(input: JudgeInput, changes: readonly TreeChange[]): Promise<CodeChange[]> {
  const code: CodeChange[] = [];
  for (const change of changes) {
    if (change.to === null || change.to.mode === '120000' || languageOf(change.path) === null) continue;
    if (code.length === MOST_FILES) break;
    const after = await textOf(input, change.to.oid);
    const before = change.from === null ? null : await textOf(input, change.from.oid);
    if (after.length <= MOST_CHARACTERS) code.push({ path: change.path, before, after });
  }
  return code;
}

async function textOf(input: JudgeInput, oid: string): Promise<string> {
  return (await input.trees.readBlob(oid)).toString('utf8');
}
