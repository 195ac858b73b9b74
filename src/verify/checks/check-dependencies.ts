/** Whether the packages of a candidate can be installed, where it changed what is installed. */
import type { TreeChange } from '../../domain/tree.ts';
import type { Case } from '../case.ts';
import type { Check, CheckResult } from '../check.ts';

export const DEPENDENCIES: Check = {
  id: 'dependencies',
  title: 'dependencies',
  weight: 'reject',
  cost: 'trial',
  applies: ({ judged }) => changesInstall(judged.changes),
  run: checkDependencies,
  doc: 'Packages can be installed, if the change touches what is installed.',
};

const PACKAGE_FILES =
  /(?:^|\/)(?:package\.json|npm-shrinkwrap\.json|package-lock\.json|pnpm-lock\.yaml|pnpm-workspace\.yaml|yarn\.lock|bun\.lockb?|\.npmrc|\.yarnrc(?:\.yml)?|bunfig\.toml)$|\.(?:tgz|tar\.gz|patch|diff)$/;

function changesInstall(changes: readonly TreeChange[]): boolean {
  return changes.some(({ path }) => PACKAGE_FILES.test(path));
}

async function checkDependencies(input: Case): Promise<CheckResult> {
  const broken = (await input.rooms.whyBroken?.(input.judged.tree, input.base.tree)) ?? null;
  if (broken === null) return { findings: [], detail: 'packages can be installed' };
  const message = `the packages of the candidate cannot be installed, those of base can: ${broken}`;
  return { findings: [{ check: 'dependencies', reason: 'dependencies.broken', weight: 'reject', message, subjects: [] }], detail: message };
}
