import { mkdtemp, readFile, rm, writeFile, mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { HarnessError } from '../domain/errors.ts';
import { nodePlatform } from '../platform/node-platform.ts';
import { loadConfig, parseConfig, wordProblem } from './read-config.ts';
import { ConfigSchema, type Config } from './schema.ts';

const LEAST = 'project:\n  name: shop\ntesting:\n  full: npm test\n';

/** Every key that a project may set, with values other than the defaults where that is possible. */
const EVERYTHING = `
compatibility: { on_older_state: abort, on_newer_state: warn, backup_before_migrate: false }
project: { name: my-api, github_repo: user/my-api }
environment: { init: ./up.sh, reset: ./clean.sh, health_check: curl -sf localhost, stop: docker-compose down }
testing:
  sanity: { health: curl -sf localhost, lint: ruff check, type_check: mypy src, unit: pytest tests/unit, e2e: pytest tests/e2e }
  unit: pytest tests/unit -x
  e2e: pytest tests/e2e -x
  full: pytest tests/ -v
  feature: pytest {test_file}
  report: junit
  env: { A: b }
  terminal: true
  timeout_seconds: 60
costs: { per_session_usd: 1.5, per_feature_usd: 2, total_project_usd: 3 }
models: { default: a, initializer: b, coding: c, continuation: d, cleanup: e }
prices: { my-model: { input: 1, output: 2, cache_read: 0.1, cache_write: 1.25 } }
context:
  window_tokens: 100000
  warn_threshold: 0.5
  force_threshold: 0.6
  on_limit: { auto_commit: false, commit_message_prefix: "x", append_to_progress: false }
progress: { check_interval_tokens: 1000, stuck_warning: hm, force_stop_after_stuck_checks: 3, max_repeated_errors: 4 }
quality: { lint_command: ruff check src/, max_file_lines: 100, cleanup_interval: 0, warn_on_lint_errors: false }
verification: { require_evidence: false, harness_verify: false, max_features_per_session: 1, regression_check: false, red_check: false, flaky_reruns: 0, max_minutes: 5, examiner: ask, protected: ["a/**"], network: host, new_dependencies: listed, listed_dependencies: [zod] }
features: { max_verification_steps: 5, max_stuck_sessions: 2, require_test_file: false }
github: { repo: user/my-api, sync_mode: none, sync_on_session_end: false, create_missing_issues: false, close_on_verify: false, on_sync_failure: fail, pull_requests: per_run }
logging: { level: debug, retention_days: 10, structured_agent_output: false, require_prefixes: true, fallback_tracking: false, warn_on_missing_prefixes: false }
paths: { features: f.json, progress: p.txt, state_dir: .state }
tools:
  filesystem: { enabled: false, allowed_paths: [src], denied_paths: [x] }
  shell: { enabled: false, timeout_seconds: 5, denied_commands: [rm] }
  mcp_servers:
    puppeteer: { enabled: true, command: npx, args: ["-y", "@anthropic/puppeteer-mcp"], config: { headless: true, viewport: { width: 1280, height: 720 } } }
    postgres: { enabled: false, command: npx, args: [], config: { connection_string: "\${DATABASE_URL}", read_only: true } }
session: { timeout_minutes: 30, timeout_warning_minutes: 20, silence_seconds: 5, on_timeout: { auto_commit: false, message_prefix: y } }
checkpoints: { per_feature: 2, max_age_days: 3 }
preflight:
  checks: { working_directory: false, harness_files: false, git_state: false, environment: false, baseline_tests: false, budget: false }
  on_failure: { auto_reset: false, max_reset_attempts: 1 }
agent: { backend: command, command: ./agent.sh, env: [MY_TOKEN], logins: false, max_turns: 3, fallback: false, fallback_after_minutes: 3 }
workspace: { mode: in_place, wip_on_branch: true, include: [.env], include_allowed: false }
git: { on_dirty: stash, push: true, hooks: true }
sandbox: { mode: off, network: false, allow: [/var/lib/thing.sock] }
schedule: false
telemetry: false
maintenance: { interval_minutes: 5, repair: true }
lanes: { max: 1, mode: competition }
mission:
  orchestrator: model
  max_iterations: 3
  max_attempts: 2
  models: { planner: a, plan_reviewer: a, worker: a, validator: a, orchestrator: a, crosscheck: a, architect: a, debugger: a, ui_qa: a, documenter: a, curator: a }
  timeouts: { worker: 60 }
  plan_reviewer: { enabled: false }
  checkpoints: { enabled: true, types: [{ name: locked, description: d, trigger_on: half-done }] }
  branch_isolation: { enabled: false, base_branch: main, on_pass: keep }
  smoke_test: { enabled: true, on_done: false, on_feature_pass: true, urls: [{ url: 'http://localhost:1/', expect_status: 204 }], startup_cmd: npm start, startup_wait_seconds: 5 }
  ui_qa: { enabled: true, url: 'http://localhost:1/' }
  crosscheck: { enabled: true }
  debugger: { enabled: false, threshold: 9 }
  documenter: { enabled: true, on: done }
  snapshot_retention: 5
  log_retention: 6
tdd: { enforce: { enabled: true }, red_log: logs }
worker: { plans_file: Board.md, silence_seconds: 5, lock_wait_seconds: 5, self_review: [{ rule: size, command: make size }] }
`;

const problems = (text: string): string[] => parseConfig(text).errors.map((error) => wordProblem('.harness.yaml', error));
const least = (): Config => parseConfig(LEAST).config!;

test('every key can be set, and each of them changes what is read', () => {
  const result = parseConfig(EVERYTHING);
  expect(result.errors).toEqual([]);
  const unchanged = leaves(result.config).filter(
    ([path, value]) => JSON.stringify(value) === JSON.stringify(new Map(leaves(least())).get(path)),
  );
  // One lane is all that goes with `in_place`; one feature in a session is all that is taken; only the user's own settings turn following on.
  expect(unchanged.map(([path]) => path)).toEqual([
    'verification.max_features_per_session',
    'github.follow',
    'github.follow_attempts',
    'lanes.max',
  ]);
});

test('the sample above leaves no key of the schema out', () => {
  const given = new Set(leaves(parseConfig(EVERYTHING).config).map(([path]) => path));
  expect(
    leaves(least())
      .map(([path]) => path)
      .filter((path) => !given.has(path) && !['prices', 'testing.env', 'tools.mcp_servers', 'mission.timeouts'].includes(path)),
  ).toEqual([]);
});

test("the origin's complete reference of the settings loads as it stands there", async () => {
  const text = await readFile(new URL('./test-reference.yaml', import.meta.url), 'utf8');
  const { config, errors } = parseConfig(text);
  expect(errors).toEqual([]);
  expect(config).toMatchObject({
    project: { name: 'my-api' },
    models: { cleanup: 'claude-haiku-3' },
    logging: { structured_agent_output: true },
    paths: { state_dir: '.harness' },
  });
});

test('one working tree cannot be shared by lanes', () => {
  const { errors } = parseConfig(`${LEAST}workspace: { mode: in_place }\nlanes: { max: 2 }\n`);
  expect(errors.map((error) => error.message)).toEqual([expect.stringContaining('cannot share the one working tree')]);
});

test("the mission's settings are also read as their origin spells them, with one warning each", () => {
  const text = `${LEAST}mission:\n  maxAttempts: 2\n  branchIsolation: { enabled: true, useWorktrees: true, onPass: keep }\n  checkpoints: { enabled: true, types: [{ name: look, triggerOn: pre-done }] }\n`;
  const { config, warnings, errors } = parseConfig(text);
  expect(errors).toEqual([]);
  expect(config?.mission).toMatchObject({
    max_attempts: 2,
    branch_isolation: { on_pass: 'keep' },
    checkpoints: { types: [{ trigger_on: 'pre-done' }] },
  });
  expect(warnings.map(({ field, line }) => [field, line])).toEqual([
    ['mission.maxAttempts', 6],
    ['mission.branchIsolation', 7],
    ['mission.branch_isolation.useWorktrees', 5],
    ['mission.branch_isolation.onPass', 5],
    ['mission.checkpoints.types.triggerOn', 8],
  ]);
});

describe('defaults', () => {
  test('sections without keys are empty sections', () => {
    const result = parseConfig(`${LEAST}github:\ncontext:\n  on_limit:\ntools:\n  shell:\nprices:\n`);
    expect(result.errors).toEqual([]);
    expect(result.config).toEqual(least());
  });

  test('usual scripts are used where they exist, unless a project says otherwise', () => {
    const scripts = new Set(['init.sh', 'reset.sh']);
    expect(parseConfig(LEAST, scripts).config?.environment).toMatchObject({ init: './init.sh', reset: './reset.sh', stop: null });
    expect(parseConfig(LEAST).config?.environment).toMatchObject({ init: null, reset: null });
    expect(parseConfig(`${LEAST}environment:\n  init: null\n  reset: make clean\n`, scripts).config?.environment).toMatchObject({
      init: null,
      reset: 'make clean',
    });
  });

  test('a kind of session without a model follows the default model', () => {
    expect(parseConfig(`${LEAST}models:\n  default: big\n  coding: small\n`).config?.models).toEqual({
      default: 'big',
      initializer: 'big',
      coding: 'small',
      continuation: 'big',
      cleanup: 'big',
      examiner: 'big',
    });
    expect(least().models.cleanup).toBe('claude-haiku-3');
  });
});

describe('mistakes', () => {
  test.each([
    [
      'an unknown key',
      `${LEAST}sandbox:\n  mod: on\n`,
      ['.harness.yaml:6: sandbox.mod: there is no key "mod" in "sandbox"; did you mean "mode"?'],
    ],
    [
      'an unknown section',
      `${LEAST}verifcation: {}\n`,
      ['.harness.yaml:5: verifcation: there is no key "verifcation" at the top level; did you mean "verification"?'],
    ],
    [
      'a key like no other',
      `${LEAST}lanes:\n  zzzzzz: 1\n`,
      ['.harness.yaml:6: lanes.zzzzzz: there is no key "zzzzzz" in "lanes"; remove it; known here: max, mode'],
    ],
    [
      'an unknown key of a server',
      `${LEAST}tools:\n  mcp_servers:\n    a:\n      command: x\n      arg: []\n`,
      ['.harness.yaml:9: tools.mcp_servers.a.arg: there is no key "arg" in "tools.mcp_servers.a"; did you mean "args"?'],
    ],
    [
      'a word that is no choice',
      `${LEAST}agent:\n  backend: claude\n`,
      [
        expect.stringMatching(
          /^\.harness\.yaml:6: agent\.backend: "claude" is not one of the possible values; write one of: claude-code, /,
        ),
      ],
    ],
    [
      'text for a number',
      `${LEAST}costs:\n  per_session_usd: ten\n`,
      [expect.stringContaining('costs.per_session_usd: it must be a number, not "ten"')],
    ],
    ['a negative budget', `${LEAST}costs:\n  per_session_usd: -1\n`, [expect.stringContaining('it must be at least 0')]],
    ['a half token', `${LEAST}progress:\n  check_interval_tokens: 1.5\n`, [expect.stringContaining('it must be a whole number')]],
    ['a section that is a list', `${LEAST}git: []\n`, [expect.stringContaining('it must be a section with its own keys, not a list')]],
    [
      'a missing name',
      'project: {}\ntesting:\n  full: npm test\n',
      [expect.stringContaining('project.name: it is missing; add "name: my-project"')],
    ],
    [
      'missing sections',
      'lanes:\n  max: 2\n',
      [expect.stringContaining('project: it is missing'), expect.stringContaining('testing: it is missing')],
    ],
    [
      'an empty test command',
      'project:\n  name: x\ntesting:\n  full: ""\n',
      [expect.stringContaining('.harness.yaml:4: testing.full: it must not be empty')],
    ],
    [
      'a key that stands twice',
      `${LEAST}git:\n  push: true\n  push: false\n`,
      ['.harness.yaml:7: a key stands twice in the same section; keep one of the two "push" entries'],
    ],
    ['tabs', 'project:\n\tname: shop\n', [expect.stringContaining('.harness.yaml:2: a tab is used for indentation; indent with spaces')]],
    ['text without settings', 'just words\n', [expect.stringContaining('it is not a list of "key: value" settings')]],
    ['an empty file', '', [expect.stringContaining('it is empty')]],
    ['a file of comments', '# later\n', [expect.stringContaining('it is empty')]],
    ['two documents', `${LEAST}---\na: b\n`, [expect.stringContaining('more than one YAML document')]],
    ['an open bracket', 'project: [\n', [expect.stringMatching(/^\.harness\.yaml:\d+: /)]],
    ['a binary file', 'project:\0', [expect.stringContaining('bytes that are not text')]],
    ['a huge file', `${LEAST}# ${'x'.repeat(300_000)}`, [expect.stringContaining('larger than 256 KiB')]],
    [
      'thresholds in the wrong order',
      `${LEAST}context:\n  warn_threshold: 0.95\n`,
      [expect.stringContaining('.harness.yaml:6: context.warn_threshold: the warning would come no earlier')],
    ],
    ['a warning after the end', `${LEAST}session:\n  timeout_minutes: 5\n`, [expect.stringContaining('session.timeout_warning_minutes')]],
    [
      'a backend without its command',
      `${LEAST}agent:\n  backend: command\n`,
      [expect.stringContaining('the backend command needs a command')],
    ],
    [
      'a feature command without its place',
      `${LEAST}lanes: {}\n`.replace('full: npm test', 'full: npm test\n  feature: npx jest'),
      [expect.stringContaining('put {test_file} where')],
    ],
    [
      'a path out of the project',
      `${LEAST}paths:\n  state_dir: ../x\n`,
      [expect.stringContaining('paths.state_dir: it leads out of the project')],
    ],
    [
      'a variable that is no name',
      `${LEAST}agent:\n  env: ["A=B"]\n`,
      [expect.stringContaining('agent.env.0: must be the name of an environment variable')],
    ],
  ])('%s is refused with file, line, field and fix', (_what, text, expected) => expect(problems(text)).toEqual(expected));

  test('aliases that would expand without bound are refused at once', () => {
    const bomb = [
      'a: &a [x,x,x,x,x,x,x,x,x]',
      ...'bcdefghi'.split('').map((key, index) => `${key}: &${key} [${`*${'abcdefgh'[index]},`.repeat(9)}]`),
    ].join('\n');
    expect(problems(bomb)).toEqual([expect.stringContaining('aliases')]);
  });

  test('all mistakes are reported together, in the order of the file', () => {
    expect(parseConfig(`${LEAST}git:\n  pusch: true\nlanes:\n  max: 0\n`).errors.map((error) => error.line)).toEqual([6, 8]);
  });
});

test('settings that weaken verdicts are allowed with a warning', () => {
  const warnings = parseConfig(`${LEAST}verification:\n  regression_check: false\n`).warnings;
  expect(warnings).toEqual([
    expect.objectContaining({ field: 'verification', line: 5, message: expect.stringContaining('no claim is ever verified') }),
  ]);
  expect(parseConfig(LEAST).warnings).toEqual([]);
});

describe('loading', () => {
  const platform = nodePlatform({});
  let folder: string;
  beforeEach(async () => void (folder = await mkdtemp(join(tmpdir(), 'harness-config-'))));
  afterEach(() => rm(folder, { recursive: true, force: true }));

  test('a missing file points to harness init', async () => {
    const error = (await loadConfig(platform, folder).catch((caught: unknown) => caught)) as HarnessError;
    expect([error.exitCode, error.message, error.details[0]]).toEqual([
      2,
      expect.stringContaining(folder),
      expect.stringContaining('harness init'),
    ]);
  });

  test('a broken file ends with exit 2 and every mistake', async () => {
    await writeFile(join(folder, '.harness.yaml'), `${LEAST}a: 1\nb: 2\n`);
    const error = (await loadConfig(platform, folder).catch((caught: unknown) => caught)) as HarnessError;
    expect([error.exitCode, error.details.length]).toEqual([2, 2]);
  });

  test('a directory in its place is reported', async () => {
    await mkdir(join(folder, '.harness.yaml'));
    await expect(loadConfig(platform, folder)).rejects.toThrow('cannot be read');
  });

  test('settings that changed are read anew, and nobody sees what another reader did to them', async () => {
    await writeFile(join(folder, '.harness.yaml'), LEAST);
    (await loadConfig(platform, folder)).config.project.name = 'spoilt';
    expect((await loadConfig(platform, folder)).config).toMatchObject({ project: { name: 'shop' }, environment: { init: null } });
    await writeFile(join(folder, 'init.sh'), '');
    expect((await loadConfig(platform, folder)).config.environment.init).toBe('./init.sh');
    await writeFile(join(folder, '.harness.yaml'), LEAST.replace('shop', 'other'));
    expect((await loadConfig(platform, folder)).config.project.name).toBe('other');
  });

  test('a good file is read, and its scripts are found', async () => {
    await writeFile(join(folder, '.harness.yaml'), LEAST);
    await writeFile(join(folder, 'init.sh'), '');
    const { config } = await loadConfig(platform, folder);
    expect(config.environment).toMatchObject({ init: './init.sh', reset: null });
    expect(ConfigSchema.safeParse(config).success).toBe(true);
  });
});

function leaves(value: unknown, path: string[] = []): [string, unknown][] {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || Object.keys(value).length === 0)
    return [[path.join('.'), value]];
  return Object.entries(value).flatMap(([key, inner]) => leaves(inner, [...path, key]));
}
