/** What is asked by programs, asked in the runner: files of tests that are named `asked 0`, `asked 1` and so on, and which of them pass. */
import type { TreeEdit } from '../../domain/tree.ts';
import { fileOf } from '../../domain/verdict.ts';
import type { Case } from '../case.ts';
import { runSuite } from '../run/suite.ts';
import { PROGRAM_ROOM } from './again.ts';

export interface AskedFile<T> {
  path: string;
  text: string;
  /** What it loads and is not there. */
  files?: readonly { path: string; content: string }[];
  /** One for each of its tests. */
  asked: readonly T[];
}

export async function heldInRunner<T>(input: Case, twins: readonly AskedFile<T>[]): Promise<T[]> {
  const { platform, judged } = input;
  const edits = twins.flatMap(({ path, text, files = [] }): TreeEdit[] => [
    ...files.map((file): TreeEdit => ({ path: file.path, kind: 'write', content: file.content })),
    { path, kind: 'write', content: text },
  ]);
  const run = await runSuite(platform, {
    ...input,
    tree: await input.trees.compose(judged.tree, edits),
    files: twins.map((twin) => twin.path),
    room: PROGRAM_ROOM,
    variant: { forceExit: true },
    purpose: 'neutral',
    mixed: true,
  });
  return twins.flatMap(({ path, asked }) => {
    const passed = run.tests.filter((test) => fileOf(test.id) === path && test.status === 'passed').map((test) => test.id);
    return asked.filter((_one, at) => passed.some((id) => new RegExp(`asked[ _]${at}$`).test(id)));
  });
}
