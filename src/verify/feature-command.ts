/** The command by which an agent runs one test file: the same runner that the judge will start. */
import type { TreeStore } from '../domain/tree.ts';
import type { JudgeSettings } from './contract.ts';
import { chooseFileCommand, quoteWord, scriptsOf } from './test-command.ts';

const SPELLINGS: Readonly<Record<string, string>> = { 'node:test': 'node --test', vitest: 'npx vitest run', jest: 'npx jest', pytest: 'pytest' };

export async function describeFeatureCommand(trees: TreeStore, tree: string, settings: Pick<JudgeSettings, 'testing'>, testFile: string | null): Promise<string> {
  const { testing } = settings;
  if (testFile === null) return testing.full;
  if (testing.feature !== null) return testing.feature.replaceAll('{test_file}', quoteWord(testFile));
  const scripts = scriptsOf((await trees.read(tree, 'package.json'))?.toString('utf8') ?? null);
  const command = chooseFileCommand(testing, scripts, testFile);
  if (command === null) return testing.full;
  const { runner, match, resolved } = command;
  const wrapper = /^((?:poetry|uv|pipenv|pdm|hatch|rye) run) /.exec(testing.full)?.[1];
  const module = match.form === 'module' ? `${resolved.words?.[0] ?? 'python3'} -m pytest` : null;
  return [wrapper, module ?? SPELLINGS[runner.name], quoteWord(testFile)].filter((part) => part !== undefined).join(' ');
}
