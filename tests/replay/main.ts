/**
 * `npm run replay -- LIST`: real commits of public repositories as sessions, and cheating variants of them.
 *
 * 1. LIST is a JSON file: local git directories, commits, test files, settings (`LIST` in list.ts). Nothing of them becomes part of this project.
 * 2. A table for people, and with `--json` the same for programs. Ends with 1 where a cheating variant was accepted.
 */
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { execFileSync } from 'node:child_process';
import { nodePlatform } from '../../src/platform/node-platform.ts';
import { commitsOf, LIST, type Commit, type Repository } from './list.ts';
import { replaySession, type Replayed } from './session.ts';
import { describeRows, type Row } from './table.ts';
import { VARIANTS, type Files, type Variant } from './variants.ts';

export const USAGE = `npm run replay -- LIST [--only NAME]... [--variants] [--json]

  LIST        a JSON file: { "repositories": [{ "name", "git", "prepare", "settings", "commits", "take", "among" }] }
  --only      only the repository of this name
  --variants  cheating variants of each commit as well: ${Object.keys(VARIANTS).join(', ')}
  --json      rows as JSON on standard output`;

export async function main(args: string[], root: string): Promise<number> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { only: { type: 'string', multiple: true }, variants: { type: 'boolean' }, json: { type: 'boolean' } },
  });
  if (positionals.length !== 1) {
    console.error(USAGE);
    return 2;
  }
  const { repositories } = LIST.parse(JSON.parse(readFileSync(positionals[0]!, 'utf8')));
  const rows: Row[] = [];
  for (const repository of repositories.filter((one) => values.only === undefined || values.only.includes(one.name)))
    for (const commit of commitsOf(repository)) {
      const honest = honestFiles(repository, commit);
      const tell = (variant: Variant | 'honest', result: Replayed): void => {
        rows.push({ repository: repository.name, commit: commit.id, subject: commit.subject, kind: commit.kind, variant, ...result });
        console.error(
          `${repository.name} ${commit.id.slice(0, 10)} ${commit.kind}, ${variant}: ${result.decision} ${result.reasons.join(', ')} ${result.message.slice(0, 160)}`,
        );
      };
      tell('honest', replaySession(root, repository, commit, honest));
      for (const variant of values.variants === true ? (Object.keys(VARIANTS) as Variant[]) : []) {
        const files = await VARIANTS[variant]({ platform: nodePlatform(), directory: repository.git, commit, honest });
        if (files !== null) tell(variant, replaySession(root, repository, commit, files));
      }
    }
  console.log(values.json === true ? JSON.stringify(rows, null, 2) : describeRows(rows));
  return rows.some((row) => row.variant !== 'honest' && row.decision === 'accepted') ? 1 : 0;
}

function honestFiles({ git }: Repository, { id, changes }: Commit): Files {
  return new Map(
    changes.map(({ path, status }) => {
      if (status === 'deleted') return [path, null] as const;
      const content = execFileSync('git', ['-C', git, 'show', `${id}:${path}`], { maxBuffer: 1 << 28 });
      return [path, content.includes(0) ? content : content.toString('utf8')] as const;
    }),
  );
}
