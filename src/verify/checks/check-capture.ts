/**
 * What stands in the candidate besides plain files.
 *
 * 1. Links and names are read from the tree that is judged and compared with the base: what an earlier attempt left is as new as what
 *    this one made, and what was taken out again is gone.
 * 2. What has no place in a tree is known from the capture alone.
 */
import { entriesByPath } from '../../domain/tree-index.ts';
import { counted } from '../../domain/counted.ts';
import type { CaptureFinding, TreeEntry, TreeStore } from '../../domain/tree.ts';
import { findCollisions, leadsOut, type Links } from '../../domain/tree-findings.ts';
import type { Finding } from '../../domain/verdict.ts';
import type { JudgeInput } from '../contract.ts';
import type { Check, CheckResult } from '../check.ts';

const MEANINGS: Readonly<Record<CaptureFinding['kind'], Pick<Finding, 'reason' | 'weight' | 'message'>>> = {
  symlink_outside: { reason: 'tamper.symlink', weight: 'reject', message: 'a symbolic link points outside the project' },
  nested_git: { reason: 'tamper.history', weight: 'reject', message: 'the project contains a nested git repository' },
  gitlink: { reason: 'tamper.history', weight: 'reject', message: 'a link to another git repository was added' },
  special_file: { reason: 'tamper.toolchain', weight: 'ask', message: 'the workspace contains a pipe, socket or device' },
  name_collision: { reason: 'tamper.toolchain', weight: 'ask', message: 'two file names are equal on some file systems' },
  unreadable: { reason: 'tamper.toolchain', weight: 'ask', message: 'a file could not be read' },
  too_large: { reason: 'tamper.toolchain', weight: 'ask', message: 'a file is too large to capture' },
  too_deep: { reason: 'tamper.toolchain', weight: 'reject', message: 'folders are nested more than 100 levels deep' },
  path_too_long: { reason: 'tamper.toolchain', weight: 'reject', message: 'a path is longer than 1,024 bytes' },
  too_much: {
    reason: 'tamper.toolchain',
    weight: 'reject',
    message: 'the session left more than 100 MB of new and changed files; most were discarded',
  },
  secret: { reason: 'secret.in_work', weight: 'ask', message: 'the work contains a secret of a file that only the agent was given' },
  invalid_name: { reason: 'tamper.history', weight: 'reject', message: 'git does not allow this file name' },
};

const SEEN_IN_TREE: ReadonlySet<CaptureFinding['kind']> = new Set(['symlink_outside', 'name_collision']);

export const CAPTURE: Check = {
  id: 'capture',
  title: 'changes captured',
  weight: 'reject',
  cost: 'text',
  run: checkCapture,
  doc: 'The result consists of regular files: no links that point outside the project, nested repositories, devices or colliding names.',
};

export async function checkCapture({ trees, base, candidate }: Pick<JudgeInput, 'trees' | 'base' | 'candidate'>): Promise<CheckResult> {
  const captured = candidate.findings.filter((one) => !SEEN_IN_TREE.has(one.kind));
  const seen = await findInTree(trees, base.tree, candidate.tree);
  const known = new Set(captured.map((one) => `${one.kind} ${one.path}`));
  const found = [...captured, ...seen.filter((one) => !known.has(`${one.kind} ${one.path}`))].map((one): Finding => ({
    check: 'capture',
    ...MEANINGS[one.kind],
    subjects: [one.path],
  }));
  return { findings: found, detail: found.length === 0 ? 'regular files only' : counted(found.length, 'unusual entry', 'unusual entries') };
}

async function findInTree(trees: TreeStore, base: string, candidate: string): Promise<CaptureFinding[]> {
  if (base === candidate) return [];
  const [before, after] = [await trees.list(base), await trees.list(candidate)];
  const old = entriesByPath(before);
  return [
    ...(await findLinksOut(trees, before.filter(isLink), after.filter(isLink))),
    ...after
      .filter((entry) => entry.mode === GITLINK && old.get(entry.path)?.mode !== GITLINK)
      .map(({ path }): CaptureFinding => ({ kind: 'gitlink', path, detail: 'a link to another repository' })),
    ...findCollisions(after, before),
  ];
}

const GITLINK = '160000';

function isLink(entry: TreeEntry): boolean {
  return entry.mode === '120000';
}

/** An unchanged link counts as new where it leads out only now, by way of another one. */
async function findLinksOut(trees: TreeStore, before: readonly TreeEntry[], after: readonly TreeEntry[]): Promise<CaptureFinding[]> {
  const old = new Map(before.map((entry) => [entry.path, entry.oid]));
  if (before.length === after.length && after.every((entry) => old.get(entry.path) === entry.oid)) return [];
  const [oldLinks, links] = [await linksOf(trees, before), await linksOf(trees, after)];
  return [...links]
    .filter(([path, target]) => leadsOut(path, links) && !(oldLinks.get(path) === target && leadsOut(path, oldLinks)))
    .map(([path, target]) => ({ kind: 'symlink_outside', path, detail: `it points to ${JSON.stringify(target)}` }));
}

async function linksOf(trees: TreeStore, entries: readonly TreeEntry[]): Promise<Links> {
  const targets = new Map<string, string>();
  const take = async (oid: string, content: Buffer): Promise<void> => void targets.set(oid, content.toString('utf8'));
  const oids = [...new Set(entries.map((entry) => entry.oid))];
  if (trees.readBlobs === undefined) for (const oid of oids) await take(oid, await trees.readBlob(oid));
  else await trees.readBlobs(oids, take);
  return new Map(entries.map((entry) => [entry.path, targets.get(entry.oid) ?? '']));
}
