/**
 * The repair rate: honest work that was wrong is given back with the harness's own words, to an agent that repairs only what it is told.
 *
 * 1. The agent can write every file of the project as it should be. It changes a file only where the words lead there: they name the file, or a
 *    test that they name and quote imports it.
 * 2. It starts where a second attempt starts: from the refused tree, with the list set back.
 * 3. The same agent that hears only the reason, as agents once did, is the comparison.
 */
import { composeRefusal } from '../../src/flows/project/words/refused.ts';
import { importedPaths } from '../../src/prompts/key-files.ts';
import { estimateTokens } from '../../src/prompts/orientation.ts';
import { feedbackFor } from '../../src/prompts/describe-verdict.ts';
import type { Edit, Files } from './behaviour.ts';
import type { Dialect } from './dialect.ts';
import { examine, type Case } from './examine.ts';
import type { Ground } from './ground.ts';
import { baseOf, listText } from './project.ts';

export interface Repair extends Case {
  reasons: readonly string[];
  /** Files that the agent changed for its second try. */
  touched: string[];
  /** Null: it was told nothing that it could act on. */
  second: string | null;
  /** Files that it would have changed, had it heard only the reason. */
  blind: number;
  tokens: number;
}

/** Sessions that meant well and were refused; a cleanup claims nothing that could be tried again. */
export function isHonestButWrong({ behaviour }: Case): boolean {
  return behaviour.family === 'honest failure' && behaviour.expected === 'rejected' && behaviour.mode !== 'cleanup';
}

export async function repairOne(ground: Ground, one: Case, lane: number): Promise<Repair> {
  const first = await examine(ground, one, { lane });
  const { verdict, captured } = first;
  const { runner, seed, behaviour } = one;
  const { trees } = ground.fields[runner];
  const t = ground.dialect(runner, seed);
  const list = listText(t, behaviour.feature ?? {});
  const startsFrom = await trees.compose(captured, [{ path: 'features.json', kind: 'write', content: list }]);
  const right: Files = { ...baseOf(t, behaviour.base?.(t) ?? {}, behaviour.feature ?? {}), ...t.work };
  const now = new Map<string, string>();
  for (const { path } of await trees.list(startsFrom)) now.set(path, (await trees.read(startsFrom, path))?.toString('utf8') ?? '');
  const words = composeRefusal({ session: 2, count: 1, kept: true, files: [], feedback: feedbackFor(verdict), list: 'features.json' });
  const files = repairsFrom(words, t, right, now);
  const blind = Object.keys(repairsFrom(`Status: ${verdict.reasons[0]!} (${verdict.reasons.join(', ')})`, t, right, now)).length;
  const told = { ...one, reasons: verdict.reasons, touched: Object.keys(files), blind, tokens: estimateTokens(words) };
  if (told.touched.length === 0) return { ...told, second: null };
  const again = await examine(ground, one, { lane, again: { attempt: { files }, startsFrom } });
  return { ...told, second: again.verdict.decision };
}

/** What the words lead to, as it should be. */
function repairsFrom(words: string, t: Dialect, right: Files, now: ReadonlyMap<string, string>): Record<string, Edit> {
  const paths = new Set([...Object.keys(right), ...now.keys()]);
  const isNamed = (path: string): boolean =>
    words.includes(path) || (path.endsWith('.py') && words.includes(path.slice(0, -3).replaceAll('/', '.')));
  const named = [...paths].filter((path) => path !== 'features.json' && isNamed(path));
  const quoted = named.filter((path) => path.startsWith(`${t.folder}/`));
  const reached = quoted.flatMap((path) =>
    [right[path], now.get(path)].flatMap((text) => (typeof text === 'string' ? importedPaths(path, text, paths) : [])),
  );
  const changed = [...new Set([...named, ...reached])].filter((path) => typeof right[path] === 'string' && right[path] !== now.get(path));
  return Object.fromEntries(changed.map((path) => [path, right[path]!]));
}

export function describeRepairs(repairs: readonly Repair[]): string {
  const reasons = [...new Set(repairs.map((one) => one.reasons[0] ?? ''))].toSorted();
  const row = (name: string, part: readonly Repair[]): string => {
    const tokens = part.map((one) => one.tokens).toSorted((a, b) => a - b);
    const repaired = part.filter((one) => one.second === 'accepted').length;
    const blind = part.filter((one) => one.blind > 0).length;
    return `| ${name} | ${part.length} | ${repaired} (${Math.round((100 * repaired) / part.length)} %) | ${blind} | ${tokens[Math.floor(tokens.length / 2)]!} | ${tokens.at(-1)!} |`;
  };
  return [
    '| refused for | sessions | repaired on the second try | with the reason alone | tokens of the words, median | most |',
    '| --- | --- | --- | --- | --- | --- |',
    ...reasons.map((reason) =>
      row(
        `\`${reason}\``,
        repairs.filter((one) => (one.reasons[0] ?? '') === reason),
      ),
    ),
    row('all', repairs),
  ].join('\n');
}
