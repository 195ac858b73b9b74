/**
 * Modules among the sources that set-up files take something from: matchers, serializers, fixtures. Nobody imports them from a test, so every
 * accepted test may rely on them.
 *
 * 1. Accepted tests that reach changed code run with the set-up as it was: with the earlier versions of all that it leads to, beside the new ones.
 *    What passes so on the code from before and does not on the new code is asked about.
 * 2. Where code is wrong, what fell on the code from before falls on the new one as well, so that nothing is loosened for a later session.
 */
import { pathSetOf } from '../../domain/tree-index.ts';
import { posix } from 'node:path';
import { fileOf, type Finding } from '../../domain/verdict.ts';
import type { Platform } from '../../platform/platform.ts';
import type { Case } from '../case.ts';
import type { JudgeInput } from '../contract.ts';
import { commandSources, reachedScripts } from '../run/command-sources.ts';
import { languageOf } from '../source/source.ts';
import { changedModules, lostTests } from './check-expected.ts';
import { configuredFiles, SET_UP } from './check-protected.ts';
import { keepForce } from './keep-force.ts';
import { isTestFile } from './protected-paths.ts';
import { filesReachedFrom, filesReaching } from './reach.ts';
import { twinEdits } from './twins.ts';
import { firstItem } from '../../domain/items.ts';

/** Tests that are asked whether they still notice wrong code. */
const MOST_FILES = 10;

export async function checkSetUp(input: Case): Promise<Finding[]> {
  const { platform, judged } = input;
  const { trees, base } = input;
  const changed = changedModules(judged);
  const setUps = changed.size === 0 ? [] : await setUpFiles(input);
  const led = setUps.length === 0 ? [] : (await filesReachedFrom(trees, base.tree, setUps)).filter((path) => !setUps.includes(path));
  const own = led.filter((path) => changed.has(path));
  if (own.length === 0) return [];
  const between = await filesReaching(trees, base.tree, led, new Set(own));
  const accepted = [...new Set((input.baseline?.passing_tests ?? []).map(fileOf))].filter((path) => languageOf(path) !== null);
  const modules = new Set([...own, ...between].filter((path) => !accepted.includes(path)));
  const reaching = await filesReaching(trees, judged.tree, accepted, new Set(changed.keys()));
  const twins = await twinEdits(platform, input, { readers: setUps, modules, suffix: platform.random.id(3) });
  const now = reaching.length === 0 ? [] : await lostTests(input, judged.tree, twins, reaching);
  const before = now.length === 0 ? [] : await lostTests(input, base.tree, twins, reaching);
  const lost = now.filter((id) => !before.includes(id));
  if (lost.length === 0) return await keepForce(input, judged.tree, chosen(platform, accepted), own);
  const message = `tests pass only with the changed version of ${own.join(', ')}, which their set-up uses`;
  return [{ check: 'old-contract', reason: 'tamper.tests', weight: 'ask', message, subjects: lost.slice(0, 50) }];
}

/** What the runner loads before tests: named by its settings, by its command or the scripts behind it, and pytest's conftest files. */
export async function setUpFiles(input: JudgeInput): Promise<string[]> {
  const { trees, base, settings } = input;
  const paths = pathSetOf(await trees.list(base.tree));
  const commands = [settings.testing.full, settings.testing.feature];
  const { scripts } = await commandSources(trees, base.tree, commands);
  const words = [...commands, ...reachedScripts(scripts, commands)].flatMap((command) => (command ?? '').split(/[\s'"`;|&<>()=]+/));
  const named = [...(await configuredFiles(input, base.tree, paths)), ...words.map((word) => posix.normalize(word))];
  const fixtures = [...paths].filter((path) => posix.basename(path) === 'conftest.py');
  const known = [...paths].filter((path) => SET_UP.test(posix.basename(path)));
  // One that tests import themselves is a helper of theirs, and what they ask about may come through it.
  const helping = known.length === 0 ? [] : await filesReachedFrom(trees, base.tree, [...paths].filter(isTestFile));
  return [...new Set([...named, ...fixtures, ...known.filter((path) => !helping.includes(path))])].filter(
    (path) => paths.has(path) && languageOf(path) !== null && !isTestFile(path),
  );
}

function chosen(platform: Platform, files: readonly string[]): string[] {
  const left = [...files];
  const dice = (limit: number): number => Number.parseInt(platform.random.id(6), 16) % limit;
  return Array.from({ length: Math.min(MOST_FILES, left.length) }, () => firstItem(left.splice(dice(left.length), 1)));
}
