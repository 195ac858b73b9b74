// The real-world check (`npm run real-world`): published packages, adopted as they come from the registry, each with a cheating and an honest
// session. Prints the verdicts and the harness's own time beside the suite's; ends with status 1 where a verdict is wrong.
// Needs the network for npm. `npm run real-world -- mitt` takes one of them; `-- --adopt GIT_DIRECTORY…` only adopts repositories as they are.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { adoptAll } from './real-world/adopt.mjs';
import { lockfileFor, versionOf } from './real-world/lockfile.mjs';
import { SUBJECTS } from './real-world/subjects.mjs';

const program = fileURLToPath(new URL('../bin/harness.js', import.meta.url));
const INSTALL = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
const wanted = process.argv.slice(2);
const top = mkdtempSync(join(tmpdir(), 'harness-real-world-'));

try {
  if (wanted[0] === '--adopt') adoptAll(wanted.slice(1), { program, top, environment });
  else examineAll();
} finally {
  rmSync(top, { recursive: true, force: true, maxRetries: 3 });
}

function examineAll() {
  const rows = SUBJECTS.filter((one) => wanted.length === 0 || wanted.includes(one.name)).map(examine);
  print(rows);
  process.exitCode = rows.length > 0 && rows.every((row) => row.right) ? 0 : 1;
}

function examine(subject) {
  const folder = join(top, subject.name.replace('/', '-'));
  const ground = { folder, project: join(folder, 'project'), env: environment(folder) };
  mkdirSync(ground.env.HOME, { recursive: true });
  console.log(`${subject.name}@${subject.version}, ${subject.runner}`);
  makeProject(subject, ground);
  const suite = timeSuite(ground);
  harness(ground, ['init', '--features', 'features.json', '--json'], [0]);
  const cheat = session(ground, subject.cheat.script);
  for (const gate of JSON.parse(harness(ground, ['gates', '--json'], [0]).stdout)) harness(ground, ['answer', gate.id, 'Reject'], [0]);
  const honest = session(ground, subject.honest);
  const right = honest.outcome === 'verified' && ['rejected', 'needs_human'].includes(cheat.outcome);
  console.log(`  cheating: ${cheat.outcome} (${cheat.reasons.join(', ')}), honest: ${honest.outcome} ${honest.reasons.join(', ')}`);
  return { subject, suite, cheat, honest, right };
}

function environment(folder) {
  const { PATH, LANG, ...rest } = process.env;
  const npm = Object.fromEntries(
    Object.entries(rest).filter(([name]) => /^(npm_config_|https?_proxy$|no_proxy$|NODE_EXTRA_CA_CERTS$)/i.test(name)),
  );
  return {
    ...npm,
    PATH,
    LANG: LANG ?? 'C.UTF-8',
    HOME: join(folder, 'user'),
    HARNESS_HOME: join(folder, 'harness-home'),
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_AUTHOR_NAME: 'Real World',
    GIT_AUTHOR_EMAIL: 'check@example.org',
    GIT_COMMITTER_NAME: 'Real World',
    GIT_COMMITTER_EMAIL: 'check@example.org',
    npm_config_cache: process.env.npm_config_cache ?? join(top, 'npm-cache'),
  };
}

/** The package as it was published, with its suite or one written for it, a runner, a lockfile and a list of features. */
function makeProject(subject, { folder, project, env }) {
  const store = join(folder, 'store');
  mkdirSync(store, { recursive: true });
  writeFileSync(join(store, 'package.json'), '{ "private": true }\n');
  run('npm', ['install', ...INSTALL, `${subject.name}@${subject.version}`], { cwd: store, env });
  cpSync(join(store, 'node_modules', subject.name), project, { recursive: true });
  const published = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8'));
  const { name, version, type, main, exports, license } = published;
  const devDependencies = Object.fromEntries(subject.needs.map((tool) => [tool, versionOf(tool)]));
  const manifest = { name, version, license, type, main, exports, scripts: { test: subject.script }, devDependencies };
  const features = [
    { id: 1, description: 'The package does what its tests say', test_file: subject.accepted, passes: true },
    { id: 2, ...subject.feature, passes: false },
  ];
  const settings = `project:\n  name: ${name.replace(/^@.*\//, '')}\ntesting:\n  full: npm test\nagent:\n  backend: command\n  command: sh "$HOME/agent.sh"\n`;
  write(project, {
    'package.json': `${JSON.stringify(manifest, null, 2)}\n`,
    'package-lock.json': lockfileFor(manifest),
    'features.json': `${JSON.stringify({ project: name, features }, null, 2)}\n`,
    '.harness.yaml': settings,
    '.gitignore': 'node_modules/\n',
    ...(subject.suite === null ? {} : { [subject.suite.path]: subject.suite.text }),
  });
  run('npm', ['ci', ...INSTALL], { cwd: project, env });
  run('git', ['init', '-q'], { cwd: project, env });
  run('git', ['add', '-A'], { cwd: project, env });
  run('git', ['commit', '-q', '-m', `${name} ${version}`], { cwd: project, env });
}

function write(folder, files) {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}

/** As a developer would run it; the second of two runs. */
function timeSuite({ project, env }) {
  const times = [1, 2].map(() => {
    const begin = performance.now();
    run('npm', ['test'], { cwd: project, env });
    return performance.now() - begin;
  });
  return times[1];
}

function session(ground, script) {
  writeFileSync(join(ground.env.HOME, 'agent.sh'), `cat > /dev/null\nset -e\n${script}\n`);
  const begin = performance.now();
  const { stdout } = harness(ground, ['run', '--json'], [0, 4, 8]);
  const wall = performance.now() - begin;
  const events = stdout
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line));
  const at = (type) => Date.parse(events.findLast((event) => event.type === type)?.ts ?? '');
  const end = events.findLast((event) => event.type === 'session.end') ?? events.at(-1);
  const verdict = events.findLast((event) => event.type === 'verify.result')?.verdict;
  const path = join(ground.project, '.harness', 'verdicts', String(verdict));
  const judged = JSON.parse(readFileSync(join(path, 'verdict.json'), 'utf8'));
  const runs = JSON.parse(readFileSync(join(path, 'runs.json'), 'utf8'));
  const agent = at('workspace.captured') - at('session.start');
  return {
    outcome: end.outcome,
    reasons: judged.reasons,
    messages: judged.findings.filter((finding) => finding.weight !== 'warn').map((finding) => finding.message),
    tests: judged.total_tests,
    wall,
    verifying: judged.duration_ms,
    runs: runs.length,
    own: wall - agent - judged.duration_ms,
  };
}

function harness(ground, args, codes) {
  return run(process.execPath, [program, ...args, '--cwd', ground.project], { cwd: ground.folder, env: ground.env, codes });
}

function run(file, args, { cwd, env, codes = [0] }) {
  const result = spawnSync(file, args, { cwd, env, encoding: 'utf8', maxBuffer: 1 << 28, timeout: 10 * 60_000 });
  if (codes.includes(result.status)) return result;
  throw new Error(
    `${file} ${args.join(' ')} ended with ${result.status ?? result.signal}:\n${result.stdout.slice(-3000)}\n${result.stderr.slice(-3000)}`,
  );
}

function print(rows) {
  const seconds = (ms) => `${(ms / 1000).toFixed(1)} s`;
  console.log(
    '\n| package | runner | suite | tests | honest session | cheating session | suite alone | judging (runs) | rest of the harness |',
  );
  console.log('| --- | --- | --- | --: | --- | --- | --: | --: | --: |');
  for (const { subject, suite, honest, cheat, right } of rows) {
    const cells = [
      `${subject.name} ${subject.version}`,
      subject.runner,
      subject.suite === null ? 'its own' : 'written here',
      honest.tests,
      honest.outcome,
      `${subject.cheat.says}: ${cheat.outcome} (${cheat.reasons.join(', ')})`,
      seconds(suite),
      `${seconds(honest.verifying)} (${honest.runs})`,
      seconds(honest.own),
    ];
    console.log(`| ${cells.join(' | ')} |${right ? '' : ' WRONG'}`);
  }
}
