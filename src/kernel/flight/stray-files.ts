/**
 * What a session left behind that is no part of its work: new files outside of the sources that nothing names. They are judged and committed
 * with nobody's work; the candidate's ref keeps them.
 *
 * A project too large to be searched keeps every file.
 */
import { pathSetOf } from '../../domain/tree-index.ts';
import { suspicionOf, wordsFor } from '../../domain/stray-files.ts';
import { kindOf } from '../../verify/checks/protected-paths.ts';
import { testFilesOf } from '../../domain/test-files.ts';
import type { Brief, FlightPlace } from './contract.ts';

const MOST_FILES = 5_000;
const LONGEST_TEXT = 500_000;

export async function strayFiles(
  { trees, config }: Pick<FlightPlace, 'trees' | 'config'>,
  tree: string,
  { head, feature }: Pick<Brief, 'head' | 'feature'>,
): Promise<string[]> {
  const before = pathSetOf(await trees.list(head.tree));
  const added = (await trees.diff(head.tree, tree)).filter((change) => change.status === 'added' && change.to?.mode === '100644');
  const own = new Set([...testFilesOf(feature), config.paths.progress, config.paths.features]);
  const options = { stateDirectory: config.paths.state_dir, extra: config.verification.protected, commandFiles: new Set<string>() };
  const suspects = added
    .map(({ path }) => ({ path, words: wordsFor(path), suspicion: suspicionOf(path, before) }))
    .filter((one) => one.suspicion !== null && !own.has(one.path) && kindOf(one.path, options) === null);
  if (suspects.length === 0) return [];
  const entries = (await trees.list(tree)).filter((entry) => entry.mode !== '160000');
  if (entries.length > MOST_FILES) return [];
  const named = new Set<string>();
  const pathsOf = new Map<string, string[]>();
  for (const { oid, path } of entries) {
    const same = pathsOf.get(oid);
    if (same === undefined) pathsOf.set(oid, [path]);
    else same.push(path);
  }
  await trees.readBlobs([...pathsOf.keys()], async (oid, content) => {
    if (content.length > LONGEST_TEXT || content.includes(0)) return;
    const text = content.toString('utf8');
    for (const { path, words } of suspects)
      if (words === null || (text.includes(words) && pathsOf.get(oid)?.some((other) => other !== path && !isStray(other)) === true))
        named.add(path);
  });
  return suspects.map((one) => one.path).filter((path) => !named.has(path));

  /** What only names its like is no witness; the agent's own diary is none either. */
  function isStray(path: string): boolean {
    return path === config.paths.progress || suspects.some((one) => one.path === path && one.suspicion === 'scratch');
  }
}
