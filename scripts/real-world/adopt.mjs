// Adoption as it is (`npm run real-world -- --adopt GIT_DIRECTORY…`): each repository is cloned at its newest commit and handed to `init` with a list of
// one open feature. Prints what `init` said, word for word, and afterwards one row for each. Whether it was right is for a reader to say.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** `environment` makes one for a folder; `top` is an empty folder of our own. */
export function adoptAll(directories, { program, top, environment }) {
  const rows = directories.map((git, number) => adopt(git, join(top, String(number)), { program, environment }));
  console.log('\n| repository | commit | exit | seconds | test command | first words |\n| --- | --- | --: | --: | --- | --- |');
  for (const row of rows)
    console.log(`| ${row.name} | \`${row.commit}\` | ${row.code} | ${row.seconds} | \`${row.command}\` | ${row.words} |`);
}

function adopt(git, folder, { program, environment }) {
  const project = join(folder, 'project');
  const env = environment(folder);
  mkdirSync(env.HOME, { recursive: true });
  const run = (file, args) => spawnSync(file, args, { cwd: folder, env, encoding: 'utf8', maxBuffer: 2 ** 26 });
  run('git', ['clone', '-q', git, project]);
  const isScript = existsSync(join(project, 'package.json'));
  const feature = {
    id: 1,
    description: 'something new',
    test_file: isScript ? 'test/something-new.test.js' : 'tests/test_something_new.py',
    passes: false,
  };
  writeFileSync(join(folder, 'list.json'), JSON.stringify({ project: 'adopted', features: [feature] }));
  const begin = Date.now();
  const made = run(process.execPath, [program, 'init', '--features', join(folder, 'list.json'), '--cwd', project]);
  const said = `${made.stdout}${made.stderr}`.trim();
  const name = basename(git) === 'repo' ? basename(dirname(git)).replace('+', '/') : basename(git);
  console.log(`== ${name}: exit ${made.status}\n${said}\n`);
  const settings = existsSync(join(project, '.harness.yaml')) ? readFileSync(join(project, '.harness.yaml'), 'utf8') : '';
  const row = {
    name,
    commit: run('git', ['-C', project, 'rev-parse', '--short=10', 'HEAD']).stdout.trim(),
    code: made.status,
    seconds: Math.round((Date.now() - begin) / 1000),
    command: /^\s*full: (.*)$/m.exec(settings)?.[1] ?? '',
    words: said.split('\n')[0]?.slice(0, 120) ?? '',
  };
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  return row;
}
