/**
 * A hash of everything that decides how the project's tests are run: what the self-check found holds as long as it stays the same.
 *
 * Sources, tests and the versions of other dependencies are no part of it, so that work on the project does not ask for it again.
 */
import { pathSetOf } from '../../domain/tree-index.ts';
import { createHash } from 'node:crypto';
import type { TreeStore } from '../../domain/tree.ts';
import type { RunnerName } from '../../domain/verdict.ts';
import { HARNESS_VERSION } from '../../domain/version.ts';
import type { Platform } from '../../platform/platform.ts';
import { chosenSandbox } from '../../platform/sandbox.ts';
import { configuredFiles } from '../checks/check-protected.ts';
import type { JudgeSettings } from '../contract.ts';
import { findPython } from '../run/programs.ts';
import { filesOfRunners, RUNNERS } from '../runners/registry.ts';
import { kindOf } from '../checks/protected-paths.ts';

export interface SetUp {
  settings: JudgeSettings;
  trees: TreeStore;
  /** The trusted tree. */
  tree: string;
  runner: RunnerName;
}

export async function setUpHash(platform: Platform, setUp: SetUp): Promise<string> {
  const { settings, trees, tree, runner } = setUp;
  const parts = [
    1,
    HARNESS_VERSION,
    runner,
    settings.testing,
    settings.verification,
    (await chosenSandbox(platform, settings.sandbox.mode)).hides,
    process.version,
    process.platform,
    process.arch,
    RUNNERS[runner].interpreter === 'python' ? await findPython(platform, RUNNERS[runner].pythonModule) : null,
    manifestParts((await trees.read(tree, 'package.json'))?.toString('utf8') ?? null),
    await configFiles(setUp),
  ];
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 40);
}

/** Runner and toolchain settings, what they name, and settings of package managers, by content. */
async function configFiles({ settings, trees, tree }: SetUp): Promise<[string, string][]> {
  const entries = await trees.list(tree);
  const paths = pathSetOf(entries);
  const named = new Set(await configuredFiles({ settings, trees }, tree, paths));
  const options = { stateDirectory: settings.paths.state_dir, extra: [], commandFiles: named };
  return entries
    .filter((entry) => ['runner-config', 'toolchain', 'modules'].includes(kindOf(entry.path, options) ?? ''))
    .map((entry): [string, string] => [entry.path, entry.oid])
    .toSorted(([a], [b]) => (a < b ? -1 : 1));
}

const OTHER_KEYS = new Set([
  'name',
  'version',
  'description',
  'keywords',
  'author',
  'license',
  'repository',
  'dependencies',
  'devDependencies',
]);
const TOOLS = new RegExp(`${filesOfRunners('packages').join('|')}|swc|tsx|ts-node|esbuild|mocha|chai`);

function manifestParts(text: string | null): unknown {
  try {
    const value = JSON.parse(text ?? 'null') as Record<string, unknown> | null;
    if (value === null || typeof value !== 'object') return null;
    const tools = Object.entries({ ...(value['dependencies'] as object), ...(value['devDependencies'] as object) });
    return [Object.entries(value).filter(([key]) => !OTHER_KEYS.has(key)), tools.filter(([name]) => TOOLS.test(name))];
  } catch {
    return text;
  }
}
