/** What a project remembers before an attempt: the versions in which its tests were accepted, and what an examiner would ask. */
import { withAccepted, withPresent, type AcceptedFiles, type AcceptedVersion } from '../../src/domain/accepted.ts';
import type { Baseline } from '../../src/domain/session.ts';
import { pathSetOf } from '../../src/domain/tree-index.ts';
import type { Platform } from '../../src/platform/platform.ts';
import type { AcceptedTests } from '../../src/verify/accepted/contract.ts';
import { acceptedTests } from '../../src/verify/accepted/find-versions.ts';
import { versionsIn, type TestVersion } from '../../src/verify/accepted/runs-with.ts';
import { supersedes } from '../../src/verify/accepted/supersede.ts';
import { collectedFiles, testSideOf } from '../../src/verify/checks/test-side.ts';
import type { JudgeSettings } from '../../src/verify/contract.ts';
import type { Account, Examiner, ExaminerRequest, ExaminerTest } from '../../src/verify/examine/contract.ts';
import type { HomeTreeStore } from '../../src/workspace/tree-store.ts';

interface Moment {
  tree: string;
  baseline: Baseline;
}

/** `moments`: trees in which the tests were accepted, oldest first; the last is the base. */
export async function rememberMoments(
  { platform, trees, settings }: { platform: Platform; trees: HomeTreeStore; settings: JudgeSettings },
  moments: readonly Moment[],
): Promise<AcceptedTests> {
  const files: Record<string, readonly AcceptedVersion[]> = {};
  const last = new Map<string, TestVersion>();
  for (const [session, { tree, baseline }] of moments.entries()) {
    const versions = await versionsIn({ trees, settings }, tree, testSideOf(collectedFiles({ feature: null, baseline })));
    for (const [file, tests] of acceptedTests({ baseline }, pathSetOf(await trees.list(tree)))) {
      const version = await versions(file);
      if (version === null) continue;
      const before = last.get(file);
      const isCovered = before !== undefined && (await supersedes(platform, trees.readBlob, before, version));
      const stored = await storedVersion(trees, version, { session, tests });
      files[file] = before === undefined ? withPresent([], stored) : withAccepted(files[file] ?? [], stored, isCovered);
      last.set(file, version);
    }
  }
  return { files: files satisfies AcceptedFiles, left: [] };
}

async function storedVersion(
  trees: HomeTreeStore,
  { id, blob, entries }: TestVersion,
  { session, tests }: { session: number; tests: readonly string[] },
): Promise<AcceptedVersion> {
  const tree = await trees.compose(
    await trees.emptyTree(),
    entries.map((entry) => ({ path: entry.path, kind: 'entry', entry })),
  );
  return { id, tree, blob, tests: [...tests], session, feature: 1, at: '', replaces: [], joined: 0, released: null };
}

export interface Hearing extends Examiner {
  /** Everything that the examiner was shown. */
  requests: ExaminerRequest[];
}

/** Writes these tests whatever it is shown, and finds that the description requires each of them. */
export function capableExaminer(tests: readonly ExaminerTest[], account: Account['account'] = 'no'): Hearing {
  const requests: ExaminerRequest[] = [];
  return {
    requests,
    ask: async (request) => {
      requests.push(request);
      return { tests: [...tests], leftOut: [] };
    },
    entail: async ({ tests: disputed, changes }) => ({
      tests: disputed.map(() => ({ ruling: 'entailed', reason: 'the description says so' })),
      changes: changes.map(() => ({ account, reason: '' })),
    }),
  };
}
