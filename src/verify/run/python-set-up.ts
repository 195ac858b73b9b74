/** What a run of Python's tests lacked, explained by the files of the tree and by what the person has. */
import { join } from 'node:path';
import { pathsOf } from '../../domain/tree-index.ts';
import type { TestRun } from '../../domain/verdict.ts';
import type { Platform } from '../../platform/platform.ts';
import type { RunContext } from '../contract.ts';
import { commandSources } from './command-sources.ts';
import { DECLARING } from './python-declared.ts';
import { explainMissing, type PythonTool } from './python-missing.ts';
import { pythonOfTree } from './python-of-tree.ts';
import { chooseCommand } from './test-command.ts';

type Ground = Pick<RunContext, 'settings' | 'trees' | 'checkout'>;

/** One sentence for each command that mends some of it. `unwritten`: test files that nothing is asked of yet. */
export async function missingPackages(
  platform: Platform,
  ground: Ground,
  {
    tree,
    run,
    unwritten = new Set(),
  }: { tree: string; run: Pick<TestRun, 'tests' | 'problems' | 'output_tail'>; unwritten?: ReadonlySet<string> },
): Promise<string[]> {
  const chosen = await pythonOfTree(platform, ground, tree);
  if (chosen === null) return [];
  const failed = run.tests.filter((test) => test.message !== undefined && !unwritten.has(test.file));
  const said = [
    ...run.problems,
    ...failed.flatMap((test) => test.message ?? []),
    ...(run.tests.length === 0 ? [run.output_tail] : []),
  ].join('\n');
  const output = 'missing' in chosen ? `No module named '${chosen.module}'` : said;
  if (!/No module named|No package metadata|unrecognized arguments|Missing required plugins|fixture '|async def/.test(output)) return [];
  const { trees } = ground;
  const paths = pathsOf(await trees.list(tree));
  const texts = new Map<string, string>();
  for (const path of paths)
    if (DECLARING.test(path) || path === 'setup.py') texts.set(path, (await trees.read(tree, path))?.toString('utf8') ?? '');
  const environment = chosen.environment?.name ?? null;
  const tool = await toolAtHand(platform, ground, { tree, environment, texts, paths });
  return explainMissing(output, { tool, environment, texts, paths });
}

/** The one in the test command; else the one whose files the project has, where it is installed; else pip. */
async function toolAtHand(
  platform: Platform,
  { settings, trees }: Ground,
  {
    tree,
    environment,
    texts,
    paths,
  }: { tree: string; environment: string | null; texts: ReadonlyMap<string, string>; paths: readonly string[] },
): Promise<PythonTool> {
  const { full, report } = settings.testing;
  const { resolved } = chooseCommand(full, report, await commandSources(trees, tree, [full]));
  if (isTool(resolved.tool)) return resolved.tool;
  if (/^(?:\S*\/)?tox\b/.test(full) || environment?.startsWith('.tox/') === true) return 'tox';
  const pyproject = texts.get('pyproject.toml') ?? '';
  const signs: readonly (readonly [PythonTool, boolean])[] = [
    ['uv', paths.includes('uv.lock')],
    ['poetry', paths.includes('poetry.lock') || /^\s*\[tool\.poetry\b/m.test(pyproject)],
    ['pdm', paths.includes('pdm.lock')],
    ['pipenv', texts.has('Pipfile')],
  ];
  for (const [tool, is] of signs) if (is && (await isOnPath(platform, tool))) return tool;
  return 'pip';
}

function isTool(tool: string | null): tool is PythonTool {
  return tool !== null && /^(?:uv|poetry|pdm|pipenv|hatch)$/.test(tool);
}

async function isOnPath(platform: Platform, program: string): Promise<boolean> {
  for (const folder of (platform.env['PATH'] ?? '').split(':'))
    if (folder.startsWith('/') && (await platform.files.exists(join(folder, program)))) return true;
  return false;
}
