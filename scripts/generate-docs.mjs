// Writes what is made from the sources: the pages and schemas of scripts/docs/pages.ts, the list of checks in docs/trust.md, the tables of judged
// commits in docs/judge.md, of replayed ones in results/replay.md and of adopted repositories in docs/real-world.md, and words/keys.ts.
// With --check: fails when one is stale, writes nothing.
import { mkdtemp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { withJudgedCommits } from './docs/judge-commits-table.mjs';
import { wordsFiles } from './docs/words.mjs';
import { withAdoptionTable } from './real-world/adoption-table.mjs';
import { programsAsText, TEXTS } from './text-assets.mjs';

const REQUIRE = "import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);";
const root = fileURLToPath(new URL('..', import.meta.url));
const check = process.argv.includes('--check');
const stale = [];
const REPLAY = /(<!-- replay: [^\n]*-->\n)[\s\S]*?(<!-- \/replay -->)/;
const CHECKS = /(<!-- checks: [^\n]*-->\n)[\s\S]*?(<!-- \/checks -->)/;
for (const [name, text] of Object.entries({
  ...(await bundled('scripts/docs/pages.ts')).generatedFiles(root),
  ...(await wordsFiles(root)),
  'docs/trust.md': await withChecks('docs/trust.md'),
  'results/replay.md': await withReplayedCommits('results/replay.md', 'results/replay.jsonl'),
  'docs/judge.md': withJudgedCommits(await readFile(join(root, 'docs/judge.md'), 'utf8')),
  'docs/real-world.md': withAdoptionTable(await readFile(join(root, 'docs/real-world.md'), 'utf8')),
})) {
  const path = join(root, name);
  if ((await readFile(path, 'utf8').catch(() => null)) === text) continue;
  stale.push(name);
  if (check) continue;
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
}
if (check && stale.length > 0) {
  console.error(`Out of date: ${stale.join(', ')}. Run: npm run docs`);
  process.exitCode = 1;
} else {
  console.log(stale.length === 0 ? 'Generated files are up to date.' : `Written: ${stale.join(', ')}`);
}

/** The table of replayed commits between its two comments; `data`: rows as `npm run replay -- --rows FILE` writes them. */
async function withReplayedCommits(name, data) {
  const { describeRows } = await bundled('tests/replay/table.ts');
  const rows = (await readFile(join(root, data), 'utf8')).split('\n').filter((line) => line !== '');
  const table = describeRows(rows.map((line) => JSON.parse(line)));
  return (await readFile(join(root, name), 'utf8')).replace(REPLAY, (_all, begin, end) => `${begin}\n${table}\n\n${end}`);
}

/** The table of checks between its two comments. */
async function withChecks(name) {
  const { STAGES } = await bundled('src/verify/checks/table.ts');
  const found = { reject: 'rejected', ask: 'needs review', warn: 'warning' };
  const costs = { text: 'reads files', trial: 'runs tests', model: 'asks a model' };
  const rows = STAGES.flat()
    .filter(({ title }) => title !== null)
    .map(({ title, id, doc, weight, cost }) => `| ${title} | \`${id}\` | ${doc} | ${found[weight]} | ${costs[cost]} |`);
  const head = ['| check | name | what must hold | at most | cost |', '| --- | --- | --- | --- | --- |'];
  const text = await readFile(join(root, name), 'utf8');
  return text.replace(CHECKS, (_all, begin, end) => `${begin}\n${[...head, ...rows].join('\n')}\n\n${end}`);
}

async function bundled(entry) {
  const folder = await mkdtemp(join(tmpdir(), 'harness-docs-'));
  try {
    const outfile = join(folder, 'reference.mjs');
    await build({
      absWorkingDir: root,
      entryPoints: [entry],
      outfile,
      bundle: true,
      format: 'esm',
      platform: 'node',
      loader: TEXTS,
      plugins: [programsAsText],
      banner: { js: REQUIRE },
      logLevel: 'warning',
    });
    return await import(pathToFileURL(outfile).href);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
