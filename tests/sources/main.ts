/** `npm run sources`: random and hostile files through `verify/source`, against reference parsers; and whether its time grows with the size alone. */
import { parseArgs } from 'node:util';
import { nodePlatform } from '../../src/platform/node-platform.ts';
import { readSources } from '../../src/verify/source/read-source.ts';
import { differences, factsOf, type Facts } from './facts.ts';
import { hostileFiles, randomFiles, type Generated } from './generate.ts';
import { measureGrowth } from './growth.ts';
import { referenceJavascript } from './reference-javascript.ts';
import { referencePython } from './reference-python.ts';

export const USAGE = 'npm run sources [-- --random N] [--hostile N] [--seed N]';

const platform = nodePlatform({ PATH: process.env['PATH'], HOME: process.env['HOME'] });

export async function main(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({
    args: [...args],
    options: { random: { type: 'string' }, hostile: { type: 'string' }, seed: { type: 'string' } },
  });
  const seed = Number(values.seed ?? 7);
  const random = await compare('random', randomFiles(Number(values.random ?? 1_000), seed));
  const hostile = await compare('hostile', hostileFiles(Number(values.hostile ?? 200), seed + 1));
  const isLinear = await measureGrowth(platform);
  return random && hostile && isLinear ? 0 : 1;
}

interface Tally {
  both: number;
  neither: number;
  onlyOurs: number;
  onlyReference: number;
  wrong: string[];
}

/** A file that only one of the two can read is counted; a random one must be read by both, and nothing may be read differently. */
async function compare(kind: 'random' | 'hostile', files: readonly Generated[]): Promise<boolean> {
  const begin = performance.now();
  const readings = await readSources(platform, files);
  const seconds = (performance.now() - begin) / 1_000;
  const references = referencesFor(files);
  const tally: Tally = { both: 0, neither: 0, onlyOurs: 0, onlyReference: 0, wrong: [] };
  for (const [index, file] of files.entries()) {
    const [reading, reference] = [readings[index] ?? null, references[index] ?? null];
    if (reading === null || reference === null) {
      tally[reading === null ? (reference === null ? 'neither' : 'onlyReference') : 'onlyOurs'] += 1;
      if (kind === 'random')
        tally.wrong.push(`${file.path}: ${reading === null ? 'no reading' : 'the reference refuses it'}\n${file.text}`);
      continue;
    }
    tally.both += 1;
    const found = differences(comparable(file, factsOf(reading)), reference);
    if (found.length > 0) tally.wrong.push(`${file.path}: ${found.join('; ')}\n${file.text.slice(0, 2_000)}`);
  }
  const counts = `${tally.both} read by both, ${tally.neither} by neither, ${tally.onlyOurs} only by the harness, ${tally.onlyReference} only by the reference`;
  console.log(`${files.length} ${kind} files in ${seconds.toFixed(1)} s: ${counts}; ${tally.wrong.length} read wrongly`);
  for (const one of tally.wrong.slice(0, 5)) console.log(`\n${one}\n`);
  return tally.wrong.length === 0;
}

function referencesFor(files: readonly Generated[]): (Facts | null)[] {
  const python = files.filter(({ path }) => path.endsWith('.py'));
  const answers = new Map(referencePython(python.map(({ text }) => text)).map((facts, index) => [python[index]!, facts]));
  return files.map((file) => (answers.has(file) ? answers.get(file)! : referenceJavascript(file.path, file.text)));
}

/** The reference for Python tells names without places. */
function comparable({ path }: Generated, facts: Facts): Facts {
  const bare = (some: readonly string[]): string[] => some.map((one) => one.slice(0, one.lastIndexOf(' ')));
  return path.endsWith('.py') ? { ...facts, functions: bare(facts.functions), tests: bare(facts.tests) } : facts;
}
