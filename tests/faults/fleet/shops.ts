/** Projects for the fleet's long checks: six small features each, an agent that builds them and says what that cost, and a home. */
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export const FEATURES = 6;

const AGENT = `set -e
n=$HARNESS_FEATURE_ID
echo "{\\"type\\":\\"usage\\",\\"input_tokens\\":1000,\\"output_tokens\\":100,\\"cost_usd\\":0.0$n}"
sleep "$(cat "$HOME/seconds")"
echo "export const times$n = (value) => value * $n + 1;" > src/times$n.js
cat > test/times$n.test.js <<END
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { times$n } from '../src/times$n.js';
test('times$n of three', () => assert.equal(times$n(3), $((3 * n + 1))));
test('times$n of nothing', () => assert.equal(times$n(0), 1));
END
node --test "$HARNESS_TEST_FILE"
node -e 'const fs=require("fs"); const l=JSON.parse(fs.readFileSync("features.json","utf8")); l.features.find((f) => f.id === Number(process.env.HARNESS_FEATURE_ID)).passes = true; fs.writeFileSync("features.json", JSON.stringify(l, null, 2) + "\\n");'
`;

export interface Shop {
  name: string;
  checkout: string;
  home: string;
}

export interface Ran {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** One machine: its own directory of the harness, and the environment of everything started on it. */
export class Machine {
  readonly env: Record<string, string>;
  readonly #program: string;

  constructor(program: string, folder: string, more: Record<string, string>) {
    this.#program = program;
    const user = join(folder, '..', 'user');
    mkdirSync(user, { recursive: true });
    const path = (process.env['PATH'] ?? '').split(':').filter((part) => !part.includes('node_modules'));
    this.env = { PATH: path.join(':'), HOME: user, HARNESS_HOME: folder, GIT_CONFIG_NOSYSTEM: '1', LANG: 'C.UTF-8', ...more };
  }

  start(cwd: string, args: readonly string[], wrapper: readonly string[] = []): Started {
    const [file, ...rest] = [...wrapper, process.execPath, this.#program, ...args];
    return new Started(spawn(file!, rest, { cwd, env: this.env, stdio: ['ignore', 'pipe', 'pipe'] }));
  }

  async run(cwd: string, ...args: string[]): Promise<Ran> {
    const ran = await this.start(cwd, args).ended;
    if (ran.code !== 0) throw new Error(`harness ${args.join(' ')} ended with ${ran.code}: ${ran.stderr.slice(-600)}`);
    return ran;
  }
}

export class Started {
  readonly child: ChildProcess;
  readonly ended: Promise<Ran>;
  #seen = '';

  constructor(child: ChildProcess) {
    this.child = child;
    let stderr = '';
    child.stdout?.on('data', (chunk: Buffer) => (this.#seen += chunk.toString()));
    child.stderr?.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
    this.ended = new Promise((resolve) => child.on('close', (code) => resolve({ code, stdout: this.#seen, stderr })));
  }

  seen(): string {
    return this.#seen;
  }
}

/** `seconds`: how long each session takes beside its work. */
export async function makeShop(machine: Machine, folder: string, seconds: number): Promise<Shop> {
  const checkout = join(folder, 'template');
  mkdirSync(join(checkout, 'src'), { recursive: true });
  mkdirSync(join(checkout, 'test'));
  const list = Array.from({ length: FEATURES }, (_, at) => ({
    id: at + 1,
    description: `A user multiplies a number by ${at + 1} and adds one`,
    test_file: `test/times${at + 1}.test.js`,
    passes: false,
  }));
  const files: Record<string, string> = {
    'package.json': '{ "name": "shop", "type": "module", "scripts": { "test": "node --test" } }\n',
    'src/base.js': 'export const base = 1;\n',
    'test/base.test.js':
      "import assert from 'node:assert/strict';\nimport { test } from 'node:test';\nimport { base } from '../src/base.js';\ntest('base', () => assert.equal(base, 1));\n",
    'features.json': `${JSON.stringify({ project: 'shop', features: list }, null, 2)}\n`,
    '.harness.yaml':
      'project:\n  name: shop\ntesting:\n  full: npm test\nagent:\n  backend: command\n  command: sh "$HOME/agent.sh"\ncosts:\n  per_session_usd: 1\n',
    '.gitignore': '.harness/\n',
  };
  for (const [path, text] of Object.entries(files)) writeFileSync(join(checkout, path), text);
  writeFileSync(join(machine.env['HOME']!, 'agent.sh'), AGENT);
  writeFileSync(join(machine.env['HOME']!, 'seconds'), String(seconds));
  writeFileSync(
    join(machine.env['HOME']!, '.gitconfig'),
    '[user]\n\tname = Someone\n\temail = someone@example.org\n[init]\n\tdefaultBranch = main\n',
  );
  git(machine, checkout, 'init', '-q', '-b', 'main');
  git(machine, checkout, 'add', '-A');
  git(machine, checkout, 'commit', '-qm', 'Start');
  await machine.run(checkout, 'init', '--features', 'features.json', '--yes');
  await machine.run(checkout, 'doctor', '--verify');
  return { name: 'template', checkout, home: '' };
}

/** The same project again, with a home that has its branch. */
export function copyShop(machine: Machine, template: Shop, folder: string, name: string): Shop {
  const [checkout, home] = [join(folder, name), join(folder, `${name}.git`)];
  cpSync(template.checkout, checkout, { recursive: true, verbatimSymlinks: true });
  git(machine, folder, 'init', '-q', '--bare', '--initial-branch=main', home);
  git(machine, checkout, 'push', '-q', home, 'HEAD');
  return { name, checkout, home };
}

export function git(machine: Machine, cwd: string, ...args: string[]): string {
  return execFileSync('git', args, { cwd, env: machine.env, encoding: 'utf8' }).trim();
}

/** What a project came to: the features in the order of their commits, and the files of each commit but for the notes, which hold times. */
export function outcomeOf(machine: Machine, repository: string): { features: string[]; files: string[] } {
  const commits = git(machine, repository, 'log', '--reverse', '--format=%H %s', 'main')
    .split('\n')
    .filter((line) => line.includes(' Feature #'));
  return {
    features: commits.map((line) => /#(\d+)/.exec(line)![1]!),
    files: commits.map((line) =>
      git(machine, repository, 'ls-tree', '-r', line.slice(0, 40))
        .split('\n')
        .filter((row) => !row.endsWith('claude-progress.txt'))
        .join('\n'),
    ),
  };
}

/** Cents of all sessions, as the project's books say. */
export async function centsOf(machine: Machine, checkout: string): Promise<number> {
  const { stdout } = await machine.run(checkout, 'status', '--json');
  const { costs } = JSON.parse(stdout) as { costs: { total_usd: number | null } };
  return Math.round((costs.total_usd ?? 0) * 100);
}

/** One cent for the first feature, two for the second, and so on. */
export const CENTS = (FEATURES * (FEATURES + 1)) / 2;
