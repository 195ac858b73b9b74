/**
 * `npm run replay -- LIST`: real commits of public repositories as sessions, and cheating variants of them.
 *
 * 1. LIST is a JSON file: local git directories, commits, test files, settings (`LIST` in list.ts). Nothing of them becomes part of this project.
 * 2. A table for people, and with `--json` the same for programs. Ends with 1 where a cheating variant was accepted.
 */
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { execFileSync } from 'node:child_process';
import { startBusyLoops } from '../busy-loops.ts';
import { nodePlatform } from '../../src/platform/node-platform.ts';
import { commitsOf, LIST, testsIn, type Commit, type Repository } from './list.ts';
import { setStage, type StageOptions } from './session.ts';
import { describeRows, type Row } from './table.ts';
import { VARIANTS, type Files, type Variant } from './variants.ts';

export const USAGE = `npm run replay -- LIST [--only NAME]... [--take N] [--variants N] [--rows FILE] [--evidence FOLDER] [--home FOLDER] [--program FILE] [--busy N] [--json]

  LIST        a JSON file: { "repositories": [{ "name", "git", "prepare", "settings", "tests", "commits", "take", "among" }] }
  --only      only the repository of this name
  --take      at most so many commits of each repository
  --variants  cheating variants of the first N commits of each repository as well: ${Object.keys(VARIANTS).join(', ')}
  --rows      every session is added to this file as it ends, one JSON object a line; what stands there is not played again
  --evidence  keeps the evidence of every verdict in this folder
  --home      the harness's own folder for all sessions, so that dependencies are installed once; else each commit has its own
  --busy      so many processes beside it that take a processor each
  --program   another build of the harness than this checkout's bin/harness.js
  --json      rows as JSON on standard output`;

export async function main(args: string[], root: string): Promise<number> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      only: { type: 'string', multiple: true },
      take: { type: 'string' },
      variants: { type: 'string' },
      rows: { type: 'string' },
      evidence: { type: 'string' },
      home: { type: 'string' },
      program: { type: 'string' },
      busy: { type: 'string', default: '0' },
      json: { type: 'boolean' },
    },
  });
  if (positionals.length !== 1) {
    console.error(USAGE);
    return 2;
  }
  const { repositories } = LIST.parse(JSON.parse(readFileSync(positionals[0]!, 'utf8')));
  const rows = readRows(values.rows);
  const keep = (row: Row): void => {
    rows.push(row);
    if (values.rows !== undefined) appendFileSync(values.rows, `${JSON.stringify(row)}\n`);
    console.error(
      `${row.repository} ${row.commit.slice(0, 10)} ${row.kind}, ${row.variant}: ${row.decision} ${row.reasons.join(', ')} ${row.message.slice(0, 160)}`,
    );
  };
  startBusyLoops(Number(values.busy) || 0);
  const program = values.program ?? join(root, 'bin', 'harness.js');
  for (const repository of repositories.filter((one) => values.only === undefined || values.only.includes(one.name)))
    for (const [index, commit] of commitsOf(repository)
      .slice(0, Number(values.take ?? Infinity))
      .entries()) {
      const wanted = index < Number(values.variants ?? 0) ? (Object.keys(VARIANTS) as Variant[]) : [];
      const missing = (['honest', ...wanted] as const).filter(
        (variant) => !rows.some((row) => row.repository === repository.name && row.commit === commit.id && row.variant === variant),
      );
      if (missing.length > 0)
        await playCommit({ program, evidence: values.evidence, home: values.home, keep }, repository, commit, missing);
    }
  console.log(values.json === true ? JSON.stringify(rows, null, 2) : describeRows(rows));
  return rows.some((row) => row.variant !== 'honest' && row.decision === 'accepted') ? 1 : 0;
}

function readRows(path: string | undefined): Row[] {
  if (path === undefined || !existsSync(path)) return [];
  return readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Row);
}

interface Means extends StageOptions {
  keep: (row: Row) => void;
}

async function playCommit(means: Means, repository: Repository, commit: Commit, variants: readonly (Variant | 'honest')[]): Promise<void> {
  const honest = honestFiles(repository, commit);
  const on = { platform: nodePlatform(), directory: repository.git, commit, honest, isTest: testsIn(repository) };
  const stage = setStage(means, repository, commit);
  try {
    for (const variant of variants) {
      const files = variant === 'honest' ? honest : await VARIANTS[variant](on);
      const { id, subject, kind } = commit;
      if (files !== null) means.keep({ repository: repository.name, commit: id, subject, kind, variant, ...stage.play(files) });
    }
  } finally {
    stage.remove();
  }
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
