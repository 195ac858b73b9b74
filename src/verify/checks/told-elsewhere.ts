/**
 * Files of the feature whose tests count already under the name of another file, which loads them.
 *
 * A test is one of these where a test of its title counts for a file in which that title does not stand.
 */
import { testFilesOf } from '../../domain/test-files.ts';
import { fileOf } from '../../domain/verdict.ts';
import type { Platform } from '../../platform/platform.ts';
import type { JudgeInput } from '../contract.ts';
import { readSources } from '../source/read-source.ts';
import { languageOf } from '../source/source.ts';

export async function toldElsewhere(
  platform: Platform,
  { trees, base, baseline, feature }: Pick<JudgeInput, 'trees' | 'base' | 'baseline' | 'feature'>,
  paths: ReadonlySet<string>,
): Promise<string[]> {
  const known = baseline?.passing_tests ?? [];
  const files = new Set(known.map(fileOf));
  const own = testFilesOf(feature).filter((path) => paths.has(path) && languageOf(path) !== null && !files.has(path));
  if (own.length === 0) return [];
  const textOf = async (path: string): Promise<string> => (await trees.read(base.tree, path))?.toString('utf8') ?? '';
  const texts = await Promise.all(own.map(async (path) => ({ path, text: await textOf(path) })));
  const readings = await readSources(platform, texts);
  const found: string[] = [];
  for (const [at, path] of own.entries()) {
    const titles = (readings[at]?.tests ?? []).flatMap(({ title }) => (title?.length === 1 ? title : []));
    const others = known.flatMap((id) => {
      const title = titles.find((one) => id.endsWith(`::${one}`) || id.endsWith(` > ${one}`));
      return title === undefined ? [] : [{ file: fileOf(id), title }];
    });
    for (const { file, title } of others) {
      if ((await textOf(file)).includes(title)) continue;
      found.push(path);
      break;
    }
  }
  return found;
}
