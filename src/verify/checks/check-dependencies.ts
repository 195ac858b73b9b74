/** Whether the packages of a candidate can be installed, where it changed what is installed. */
import type { TreeChange } from '../../domain/tree.ts';
import type { JudgeInput } from '../contract.ts';
import type { CheckResult } from '../docket.ts';

const PACKAGE_FILES =
  /(?:^|\/)(?:package\.json|npm-shrinkwrap\.json|package-lock\.json|pnpm-lock\.yaml|pnpm-workspace\.yaml|yarn\.lock|bun\.lockb?|\.npmrc|\.yarnrc(?:\.yml)?|bunfig\.toml)$|\.(?:tgz|tar\.gz|patch|diff)$/;

export function changesInstall(changes: readonly TreeChange[]): boolean {
  return changes.some(({ path }) => PACKAGE_FILES.test(path));
}

export async function checkDependencies(input: JudgeInput, tree: string): Promise<CheckResult> {
  const broken = (await input.rooms.whyBroken?.(tree, input.base.tree)) ?? null;
  if (broken === null) return { findings: [], detail: 'the packages can be installed' };
  const message = `the packages of the base can be installed, those of the candidate cannot: ${broken}`;
  return { findings: [{ check: 'dependencies', reason: 'dependencies.broken', weight: 'reject', message, subjects: [] }], detail: message };
}
