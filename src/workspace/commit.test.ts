import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { nodePlatform } from '../platform/node-platform.ts';
import { createCommit, expectCommit } from './commit.ts';
import { createBench, type Bench } from './test-support.ts';

let bench: Bench;
beforeEach(() => {
  bench = createBench();
  bench.write({ a: 'a' });
  bench.commit();
});
afterEach(() => bench.dispose());

const settings = (values: Readonly<Record<string, string>>): void => {
  for (const [key, value] of Object.entries(values)) bench.git('config', key, value);
};
/** The text of the commit without the seconds of its dates. */
const textOf = (commit: string): string => bench.git('cat-file', 'commit', commit).replace(/> \d+ /g, '> SECONDS ');

test.each<[string, Record<string, string>, Record<string, string>]>([
  ['a plain name', {}, {}],
  ['letters of other languages', { 'user.name': 'Zoë Ångström', 'user.email': 'zoe+x@example.com' }, {}],
  ['a name that git cleans', { 'user.name': 'Jr., "Q" <x>', 'user.email': '<a@b>' }, {}],
  ['another author in the settings', { 'author.name': 'Other', 'author.email': 'other@example.com' }, {}],
  ['another encoding', { 'i18n.commitEncoding': 'latin1' }, {}],
  [
    'a name of the environment',
    {},
    { GIT_AUTHOR_NAME: 'Env', GIT_AUTHOR_EMAIL: 'env@example.com', GIT_COMMITTER_NAME: 'Two', GIT_COMMITTER_EMAIL: 't@x' },
  ],
  ['a date of the environment', {}, { GIT_AUTHOR_DATE: '1700000000 +0530' }],
])('a commit is what git itself would have made: %s', async (_, config, env) => {
  settings(config);
  const platform = nodePlatform({ ...bench.env, ...env });
  const [tree, parent] = [bench.git('rev-parse', 'HEAD^{tree}'), bench.git('rev-parse', 'HEAD')];
  const message = 'Subject — mit Umlaut ä\n\nHarness-Session: 1\n';
  const home = await bench.home();
  const made = await createCommit(platform, home, { tree, parents: [parent], message });
  // A setting that nobody has makes git do it.
  settings({ 'i18n.harnessTest': 'x' });
  const byGit = await createCommit(platform, home, { tree, parents: [parent], message });
  expect(textOf(made)).toBe(textOf(byGit));
  expect(bench.git('fsck', '--strict', '--no-dangling')).toBe('');
});

test('settings that were asked for ahead are those of the next commit, and of no other', async () => {
  const home = await bench.home();
  const [tree, parent] = [bench.git('rev-parse', 'HEAD^{tree}'), bench.git('rev-parse', 'HEAD')];
  expectCommit(bench.platform, home);
  await new Promise((resolve) => setTimeout(resolve, 300));
  settings({ 'user.name': 'Later' });
  const make = (): Promise<string> => createCommit(bench.platform, home, { tree, parents: [parent], message: 'm' });
  expect(textOf(await make())).toContain('author Person <');
  expect(textOf(await make())).toContain('author Later <');
});

test('a setting that the user has in a file of their own counts', async () => {
  writeFileSync(join(bench.folder, 'user', '.gitconfig'), '[author]\n\tname = Global Author\n\temail = global@example.com\n');
  const [tree, parent] = [bench.git('rev-parse', 'HEAD^{tree}'), bench.git('rev-parse', 'HEAD')];
  const made = await createCommit(bench.platform, await bench.home(), { tree, parents: [parent], message: 'm' });
  expect(textOf(made)).toContain('author Global Author <global@example.com>');
});
