// Adoption as a newcomer meets it (`npm run real-world -- --adopt [--sessions] GIT_DIRECTORY…`): each repository is cloned, prepared as
// repositories.json says (`install` by hand, or as it is), its suite is run by hand, and then `init` takes over with a list of one open feature.
// `--sessions` adds a cheating and an honest session where the entry names a style. Prints every message word for word, then one table.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { agentScript } from './sum-feature.mjs';

const known = JSON.parse(readFileSync(new URL('repositories.json', import.meta.url), 'utf8'));
const MINUTES = 60_000;

/** `environment` makes one for a folder; `top` is an empty folder of our own. */
export function adoptAll(words, { program, top, environment }) {
  const sessions = words.includes('--sessions');
  const directories = words.filter((word) => !word.startsWith('--'));
  const rows = directories.map((git, number) => {
    const row = `| ${adopt(git, { folder: join(top, `${number}`), program, environment, sessions }).join(' | ')} |`;
    console.log(`${row}\n`);
    return row;
  });
  console.log('| repository | commit | installed | by hand | init | seconds | what init reported | sessions |');
  console.log('| --- | --- | --- | --- | --: | --: | --- | --- |');
  for (const row of rows) console.log(row);
}

function adopt(git, { folder, program, environment, sessions }) {
  const name = basename(git) === 'repo' ? basename(dirname(git)).replace('+', '/') : basename(git);
  const entry = known.find((one) => one.name === name) ?? unknownEntry(name);
  const project = join(folder, 'a project');
  const env = environment(folder);
  mkdirSync(env.HOME, { recursive: true });
  const shell = (script) =>
    spawnSync('bash', ['-c', script], { cwd: project, env: { ...env, PATH: `${project}/.venv/bin:${env.PATH}` }, ...CAPTURED });
  const harness = (...args) => spawnSync(process.execPath, [program, ...args], { cwd: project, env, ...CAPTURED });
  try {
    spawnSync('git', ['clone', '-q', git, project], { env, ...CAPTURED });
    const byHand = tryByHand(entry, shell, { git, folder });
    writeFileSync(join(env.HOME, 'agent.sh'), 'exit 0\n');
    writeFileSync(join(project, 'features.json'), featureList(entry));
    shell('git add -f features.json && git commit -qm "List one feature"');
    const begin = Date.now();
    const made = harness('init', '--features', 'features.json', '--agent', 'command', '--agent-command', 'sh "$HOME/agent.sh"');
    const seconds = Math.round((Date.now() - begin) / 1_000);
    const printed = `${made.stdout}${made.stderr}`.trim();
    console.log(`== ${name} (by hand: ${byHand}), init: exit ${made.status}\n${printed}\n`);
    const verdicts = sessions && made.status === 0 && entry.style !== null ? playSessions(entry, harness, env) : '';
    const commit = shell('git rev-parse --short=10 HEAD').stdout.trim();
    return [name, `\`${commit}\``, entry.install ?? 'no', byHand, made.status, seconds, reported(printed, made.status), verdicts];
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

const CAPTURED = { encoding: 'utf8', maxBuffer: 2 ** 28, timeout: 15 * MINUTES };

function unknownEntry(name) {
  return { name, install: null, test: 'npm test', file: 'test/harness-sum.test.js', style: null };
}

/** What `pip install -e .` leaves behind, where its build back end cannot be had: the sources on the path of the environment. */
const VENV = `python3 -m venv --system-site-packages .venv &&
  { .venv/bin/pip install -q --no-index --no-build-isolation --no-deps -e . ||
    { [ -d src ] && echo "$PWD/src" || echo "$PWD"; } > "$(echo .venv/lib/python3*/site-packages)/by-hand.pth"; }`;

/** Without an install of its own, the suite is tried in a second clone, so that the first stays as it is. */
function tryByHand(entry, shell, { git, folder }) {
  const command = entry.install === 'venv' ? VENV : entry.install;
  if (command !== null) {
    const installed = shell(`{ ${command}; } >install-by-hand.log 2>&1; status=$?; mv install-by-hand.log ..; exit $status`);
    if (installed.status !== 0) return `install failed: ${lastLine(join(folder, 'install-by-hand.log'))}`;
    return suiteByHand(shell, entry.test);
  }
  const prepare = existsSync(join(folder, 'a project', 'package.json')) ? 'npm install --no-audit --no-fund' : 'true';
  return suiteByHand(shell, `git clone -q "${git}" ../by-hand && cd ../by-hand && ${prepare} && ${entry.test}`);
}

function suiteByHand(shell, test) {
  const { status } = shell(`{ timeout 600 bash -c '${test.replaceAll("'", `'"'"'`)}'; } >/dev/null 2>&1`);
  return status === 0 ? 'passes' : `exit ${status}`;
}

function lastLine(path) {
  return existsSync(path) ? (readFileSync(path, 'utf8').trim().split('\n').at(-1) ?? '').slice(0, 100) : '';
}

function featureList({ file }) {
  const feature = { id: 1, description: 'total(list) adds up the finite numbers of a list; it is 0 for an empty one', test_file: file };
  return `${JSON.stringify({ project: 'adopted', features: [feature] }, null, 2)}\n`;
}

/** The line with the baseline where there is one, else the first words. */
function reported(printed, status) {
  const lines = printed.split('\n').map((line) => line.trim());
  const line = (status === 0 ? lines.find((one) => /\d+ of \d+ tests?/.test(one)) : undefined) ?? lines[0] ?? '';
  return line.replaceAll('|', '\\|').slice(0, 200);
}

function playSessions(entry, harness, env) {
  const outcomes = ['cheating', 'honest'].map((manner) => {
    writeFileSync(join(env.HOME, 'agent.sh'), agentScript(entry, manner));
    const played = harness('run', '--json');
    const end = played.stdout.split('\n').findLast((line) => line.includes('"session.end"')) ?? played.stdout.trim().split('\n').at(-1);
    console.log(`-- ${manner}: exit ${played.status} ${end}\n${played.stderr.trim().split('\n').slice(-12).join('\n')}\n`);
    for (const gate of JSON.parse(harness('gates', '--json').stdout || '[]')) harness('answer', gate.id, 'Reject');
    const { outcome = 'none', reasons = [] } = JSON.parse(end || '{}');
    return `${manner}: ${outcome}${reasons.length === 0 ? '' : ` (${reasons.join(', ')})`}`;
  });
  return outcomes.join('; ');
}
