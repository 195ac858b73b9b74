/** A higher limit in `.harness.yaml`: one value of the file changes, in a commit of its own, and counts at once. */
import { join } from 'node:path';
import { isScalar, parseDocument } from 'yaml';
import { BUDGET_KEYS } from '../../../gates/project-gates.ts';
import { headOf } from '../../../kernel/ground/head.ts';
import { commitRecord } from '../../../kernel/ground/record-commit.ts';
import type { Project } from '../project.ts';

const SETTINGS = '.harness.yaml';

/** The new limit; a text says why there is none. */
export async function increaseBudget(project: Project, scope: unknown, words: string | null): Promise<number | string> {
  const key = BUDGET_KEYS[scope === 'session' || scope === 'feature' ? scope : 'project'];
  const name = key.slice('costs.'.length) as keyof Project['config']['costs'];
  const before = project.config.costs[name];
  const limit = amountIn(words) ?? before * 2;
  if (limit <= before)
    return `$${limit} is not more than the limit of $${before}. Give a higher amount: harness answer project.budget "Increase budget" --text 50`;
  const text = await project.platform.files.readTextIfExists(join(project.root, SETTINGS));
  const head = await headOf(project);
  const committed = head === null ? null : ((await project.trees.read(head.tree, SETTINGS))?.toString('utf8') ?? null);
  if (committed !== null && committed !== text) return `${SETTINGS} has changes that are not committed. Commit them, then answer again.`;
  const changed = text === null ? null : withLimit(text, name, limit);
  if (changed === null) return `${SETTINGS} could not be changed; raise ${key} there yourself, commit it, and run again.`;
  await commitRecord(project, { path: SETTINGS, content: changed, subject: `Raise ${key} to ${limit}`, what: 'settings' });
  project.config.costs[name] = limit;
  project.emit({ type: 'decision', session: null, text: `${key} raised from $${before} to $${limit}`, by: 'user' });
  return limit;
}

/** The first amount in what a person said, as in "50" or "$62.50, please". */
export function amountIn(words: string | null): number | null {
  const found = /\d+(?:[.,]\d{1,2})?/.exec(words ?? '')?.[0];
  return found === undefined ? null : Number(found.replace(',', '.'));
}

/** The settings with another limit; everything else of the file stays as it is. Null: it cannot be read. */
export function withLimit(text: string, name: string, limit: number): string | null {
  const document = parseDocument(text);
  if (document.errors.length > 0) return null;
  const there = document.getIn(['costs', name], true);
  if (isScalar(there) && there.range) return `${text.slice(0, there.range[0])}${limit}${text.slice(there.range[1])}`;
  document.setIn(['costs', name], limit);
  return document.toString({ lineWidth: 0 });
}
