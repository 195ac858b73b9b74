/** What `harness health` saw of the tests last, with the user's caches: it is shown as what it is, and proves nothing. */
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { Baseline } from '../../../domain/session.ts';
import type { Project } from '../project.ts';

type Seen = Pick<Baseline, 'tree' | 'total_passing' | 'total_tests'>;
type Ground = Pick<Project, 'platform' | 'harnessHome' | 'root'>;

const FOLDER = 'cache/tests-seen';

function fileFor({ harnessHome, root }: Ground): string {
  return join(harnessHome, FOLDER, `${createHash('sha256').update(root).digest('hex').slice(0, 32)}.json`);
}

export async function rememberTests(project: Ground, seen: Seen): Promise<void> {
  await project.platform.files.mkdir(join(project.harnessHome, FOLDER));
  await project.platform.files.writeAtomic(fileFor(project), `${JSON.stringify(seen)}\n`);
}

/** Null: nothing was seen of this tree. */
export async function lastTests(project: Ground, tree: string): Promise<Seen | null> {
  try {
    const text = await project.platform.files.readTextIfExists(fileFor(project));
    const { tree: of, total_passing, total_tests } = JSON.parse(text ?? 'null') as Seen;
    return of === tree && Number.isInteger(total_passing) && Number.isInteger(total_tests) ? { tree, total_passing, total_tests } : null;
  } catch {
    return null;
  }
}
