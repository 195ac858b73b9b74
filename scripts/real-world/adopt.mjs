// Adoption as a newcomer meets it (`npm run real-world -- --adopt [--as-is] [--sessions] GIT_DIRECTORY…`): each repository is cloned, its suite is
// run by hand, and then `init` takes over with a list of one open feature: where dependencies were installed by hand, or with `--as-is` in a
// clone where nobody installed anything. What is not in repositories.json is installed and tested as its files say. `--sessions` adds a cheating
// and an honest session where the entry names a style. Prints every message word for word, keeps one row in results/adoption.json, and
// `--keep FOLDER` leaves the clones there.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { keepRow } from './adoption-table.mjs';
import { agentScript } from './sum-feature.mjs';

const known = JSON.parse(readFileSync(new URL('repositories.json', import.meta.url), 'utf8'));
const MINUTES = 60_000;
const CAPTURED = { encoding: 'utf8', maxBuffer: 2 ** 28, timeout: 15 * MINUTES };

/** `environment` makes one for a folder; `top` is an empty folder of our own. */
export function adoptAll(words, { program, top, environment }) {
  const keep = words.includes('--keep') ? words[words.indexOf('--keep') + 1] : null;
  const options = { program, environment, asIs: words.includes('--as-is'), sessions: words.includes('--sessions') };
  for (const git of words.filter((word, at) => !word.startsWith('--') && words[at - 1] !== '--keep')) {
    const folder = join(keep ?? top, nameOf(git).replace('/', '+'));
    rmSync(folder, { recursive: true, force: true });
    try {
      const row = adopt(git, folder, options);
      keepRow(row);
      console.log(`${JSON.stringify({ ...row, said: undefined })}\n`);
    } finally {
      if (keep === null) rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
    }
  }
}

function nameOf(git) {
  return basename(git) === 'repo' ? basename(dirname(git)).replace('+', '/') : basename(git);
}

function adopt(git, folder, { program, environment, asIs, sessions }) {
  const name = nameOf(git);
  const [project, byHandProject] = [join(folder, 'a project'), join(folder, 'by hand')];
  const env = environment(folder);
  mkdirSync(env.HOME, { recursive: true });
  spawnSync('git', ['clone', '-q', git, project], { env, ...CAPTURED });
  if (asIs) spawnSync('git', ['clone', '-q', git, byHandProject], { env, ...CAPTURED });
  const entry = { ...byFiles(project), ...known.find((one) => one.name === name) };
  const atHand = personalTools(folder, env, entry);
  const byHand = tryByHand(entry, { project: asIs ? byHandProject : project, env: atHand, folder });
  // What an install changed in a lockfile a person would not keep.
  shell('git checkout -q -- .', project, env);
  const harness = (...args) => spawnSync(process.execPath, [program, ...args], { cwd: project, env: asIs ? env : atHand, ...CAPTURED });
  writeFileSync(join(env.HOME, 'agent.sh'), 'exit 0\n');
  writeFileSync(join(project, 'features.json'), featureList(entry));
  const commit = shell('git rev-parse --short=10 HEAD', project, env).stdout.trim();
  shell('git add -f features.json && git commit --no-verify -qm "List one feature"', project, env);
  const begin = Date.now();
  const made = harness('init', '--features', 'features.json', '--agent', 'command', '--agent-command', 'sh "$HOME/agent.sh"');
  const seconds = Math.round((Date.now() - begin) / 1_000);
  const said = `${made.stdout}${made.stderr}`.trim();
  console.log(`== ${name} (by hand: ${byHand}), init: exit ${made.status} after ${seconds} s\n${said}\n`);
  const played = sessions && made.status === 0 && entry.style !== null ? playSessions(entry, harness, env) : null;
  return {
    name,
    commit,
    files: entry.files,
    installed: !asIs,
    by_hand: byHand,
    init: made.status,
    seconds,
    reported: reported(said),
    sessions: played,
  };
}

/** pnpm or yarn as a person has it who works on the project: on the PATH, in the version that is pinned. */
function personalTools(folder, env, { manager = 'npm', version }) {
  if (manager === 'npm') return env;
  const tools = join(folder, 'tools');
  mkdirSync(tools, { recursive: true });
  const name = manager === 'yarn' && !/^[01]/.test(version) ? '@yarnpkg/cli-dist' : manager;
  const install = (wanted) =>
    spawnSync('npm', ['install', '--prefix', tools, '--no-audit', '--no-fund', `${name}@${wanted}`], { env, ...CAPTURED }).status === 0;
  if (!install(version)) install(version.replace(/\..*$/, ''));
  return { ...env, PATH: `${join(tools, 'node_modules', '.bin')}:${env.PATH}` };
}

/** What a person would type, by the files at the root. */
function byFiles(project) {
  const has = (path) => existsSync(join(project, path));
  const kept = { style: null, file: 'test/harness-sum.test.js' };
  if (!has('package.json'))
    return {
      ...kept,
      files: 'Python',
      install: 'venv',
      test: 'python -m pytest',
      file: `${has('tests') ? 'tests' : 'test'}/test_harness_sum.py`,
    };
  const manifest = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8'));
  const lockfile = ['pnpm-lock.yaml', 'yarn.lock', 'package-lock.json', 'npm-shrinkwrap.json'].find(has);
  const [, pinned, exact] = /^(npm|pnpm|yarn)@([\w.-]+)/.exec(manifest.packageManager ?? '') ?? [];
  const manager = pinned ?? (lockfile?.startsWith('pnpm') ? 'pnpm' : lockfile?.startsWith('yarn') ? 'yarn' : 'npm');
  const workspaces =
    manifest.workspaces !== undefined ||
    has('lerna.json') ||
    /^packages:/m.test(has('pnpm-workspace.yaml') ? readFileSync(join(project, 'pnpm-workspace.yaml'), 'utf8') : '');
  const files = `${manager}, ${lockfile ?? 'no lockfile'}${workspaces ? ', workspaces' : ''}`;
  return {
    ...kept,
    files,
    manager,
    version: exact ?? (manager === 'pnpm' ? '10' : '1'),
    install: `${manager} install`,
    test: `${manager} test`,
  };
}

/** A venv of Debian's Python; `VENV_PACKAGES` names a folder with more of Debian's packages. What `pip install -e .` leaves behind, where its
 * build back end cannot be had: the sources on the path of the environment. */
const VENV = `/usr/bin/python3 -m venv --system-site-packages .venv &&
  { [ -z "$VENV_PACKAGES" ] || cp -r "$VENV_PACKAGES"/. "$(echo .venv/lib/python3*/site-packages)"; } &&
  { .venv/bin/pip install -q --no-index --no-build-isolation --no-deps -e . ||
    { [ -d src ] && echo "$PWD/src" || echo "$PWD"; } > "$(echo .venv/lib/python3*/site-packages)/by-hand.pth"; }`;

function shell(script, cwd, env) {
  return spawnSync('bash', ['-c', script], {
    cwd,
    env: { ...env, PATH: `${cwd}/.venv/bin:${env.PATH}`, VENV_PACKAGES: process.env.VENV_PACKAGES ?? '' },
    ...CAPTURED,
  });
}

function tryByHand({ install, test }, { project, env, folder }) {
  const command = install === 'venv' ? VENV : (install ?? 'npm install');
  const prepared = command === 'npm install' && !existsSync(join(project, 'package.json')) ? 'true' : command;
  const installed = logged(`timeout 400 bash -c '${quoted(prepared)}'`, join(folder, 'install.log'), project, env);
  if (installed !== 0) return `install failed: ${plain(lastLine(join(folder, 'install.log')))}`;
  const status = logged(`CI=1 timeout 300 bash -c '${quoted(test)}'`, join(folder, 'test.log'), project, env);
  return status === 0 ? 'passes' : `exit ${status}`;
}

function quoted(text) {
  return text.replaceAll("'", `'"'"'`);
}

function logged(script, log, cwd, env) {
  return shell(`{ ${script}; } >"${log}" 2>&1`, cwd, env).status;
}

function lastLine(path) {
  return existsSync(path) ? (readFileSync(path, 'utf8').trim().split('\n').at(-1) ?? '').slice(0, 100) : '';
}

function featureList({ file }) {
  const feature = { id: 1, description: 'total(list) adds up the finite numbers of a list; it is 0 for an empty one', test_file: file };
  return `${JSON.stringify({ project: 'adopted', features: [feature] }, null, 2)}\n`;
}

/** The baseline where there is one, else the first words that say why not. */
function reported(said) {
  const lines = said.split('\n').map((line) => line.trim());
  const baseline = lines.map((line) => /Baseline: (\d+ of \d+ tests? pass[^(]*\([^)]*\))/.exec(line)?.[1]).find(Boolean);
  if (baseline !== undefined) return baseline;
  const working =
    /^(?:Trying |installing dep|dependencies$|tests fail in|Found temporary|lint and|tests, |\d+ tests? fails? in the sandbox; looking)/;
  const at = lines.findIndex((line) => /^The (?:dependencies of|test command reported|tests cannot)/.test(line));
  const first = at < 0 ? (lines.find((line) => line !== '' && !working.test(line)) ?? '') : `${lines[at]} ${lines[at + 1]}`;
  return plain(first.replace(/ (?:Full output|\(more output).*$/, '')).slice(0, 300);
}

/** Without hosts and paths of the machine. */
function plain(text) {
  return text.replaceAll(/https?:\/\/[^\s/]+/g, '').replaceAll(/(?<![\w.])\/(?:tmp|home|root|work|usr)\/\S+/g, '…');
}

function playSessions(entry, harness, env) {
  return ['cheating', 'honest'].map((manner) => {
    writeFileSync(join(env.HOME, 'agent.sh'), agentScript(entry, manner));
    const played = harness('run', '--json');
    const end = played.stdout.split('\n').findLast((line) => line.includes('"session.end"')) ?? played.stdout.trim().split('\n').at(-1);
    console.log(`-- ${manner}: exit ${played.status} ${end}\n${played.stderr.trim().split('\n').slice(-12).join('\n')}\n`);
    for (const gate of JSON.parse(harness('gates', '--json').stdout || '[]')) harness('answer', gate.id, 'Reject');
    const { outcome = 'none', reasons = [] } = JSON.parse(end || '{}');
    return { manner, outcome, reasons };
  });
}
