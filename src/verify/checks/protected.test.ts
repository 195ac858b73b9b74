import { describe, expect, test } from 'vitest';
import type { TreeEntry } from '../../domain/tree.ts';
import { classifyPackageChange } from './package-change.ts';
import { calledScripts, commandFiles } from './protected-paths.ts';
import { planProtection, type Protection, type ProtectionInput, type TextChange } from './protected.ts';

const entry = (path: string, oid: string, mode = '100644'): TreeEntry => ({ path, oid, mode });

function change(path: string, before: string | null, after: string | null, mode?: string): TextChange {
  return {
    path,
    before,
    after,
    status: before === null ? 'added' : after === null ? 'deleted' : 'modified',
    from: before === null ? null : entry(path, `o${before}`),
    to: after === null ? null : entry(path, `o${after}`, mode),
  };
}

function plan(changes: TextChange[], patch: Partial<ProtectionInput> = {}): Protection {
  return planProtection({
    changes,
    accepted: new Set(['test/a.test.js']),
    holding: new Set(),
    open: new Set(['test/open.test.js', 'test/mine.test.js']),
    assigned: new Set(['test/mine.test.js']),
    featuresPath: 'features.json',
    progressPath: 'claude-progress.txt',
    stateDirectory: '.harness',
    extra: ['docs/contract/**'],
    commandFiles: new Set(['scripts/check.sh']),
    byFile: new Set(),
    paths: new Set(['test/a.test.js', 'packages/x/src/a.js']),
    shadows: new Map([['test/check', 'test/check']]),
    linkKinds: new Map(),
    ...patch,
  });
}

const found = (result: Protection): string[] => result.findings.map((finding) => `${finding.weight} ${finding.reason}`);

describe('by kind', () => {
  const cases: [string, string[]][] = [
    ['src/new.js', []],
    ['claude-progress.txt', []],
    ['features.json', []],
    ['test/mine.test.js', []],
    ['test/open.test.js', []],
    ['test/helper-for-mine.js', []],
    ['test/check', ['ask tamper.tests']],
    ['vitest.config.ts', ['ask tamper.test_config']],
    ['postcss.config.js', ['ask tamper.test_config']],
    ['packages/x/jest.config.cjs', ['ask tamper.test_config']],
    ['conftest.py', ['ask tamper.test_config']],
    ['pytest.toml', ['ask tamper.test_config']],
    ['.pytest.toml', ['ask tamper.test_config']],
    ['.cargo/config.toml', ['ask tamper.test_config']],
    ['plugin-1.0.Dist-Info/entry_points.txt', ['ask tamper.toolchain']],
    ['.Harness/session_state.json', ['reject tamper.harness_state']],
    ['scripts/check.sh', ['ask tamper.test_config']],
    ['tsconfig.build.json', ['ask tamper.toolchain']],
    ['.npmrc', ['ask tamper.toolchain']],
    ['.github/workflows/ci.yml', ['ask tamper.toolchain']],
    ['package-lock.json', ['ask tamper.toolchain']],
    ['sitecustomize.py', ['ask tamper.toolchain']],
    ['.gitignore', ['ask tamper.harness_state']],
    ['init.sh', ['ask tamper.harness_state']],
    ['.harness/session_state.json', ['reject tamper.harness_state']],
    ['.husky/pre-commit', ['ask tamper.hooks']],
    ['docs/contract/a.md', ['ask tamper.tests']],
  ];
  test.each(cases)('%s, newly there', (path, expected) => {
    const result = plan([change(path, null, 'x')]);
    expect(found(result)).toEqual(expected);
    expect(result.edits).toEqual(expected.length === 0 ? [] : [{ path, kind: 'delete' }]);
  });

  test('a changed helper of tests is asked about and the trusted one is run', () => {
    const result = plan([change('test/helper.js', 'a', 'b')]);
    expect(found(result)).toEqual(['ask tamper.tests']);
    expect(result.edits).toEqual([{ path: 'test/helper.js', kind: 'entry', entry: entry('test/helper.js', 'oa') }]);
  });

  test('any protected file that becomes a link is refused', () => {
    expect(found(plan([change('test/a.test.js', 'a', 'b', '120000')]))).toEqual(['reject tamper.symlink']);
    expect(found(plan([change('features.json', 'a', 'b', '120000')]))).toEqual(['reject tamper.symlink']);
  });
});

describe('what the test command reads', () => {
  const paths = new Set(['run.sh', 'Makefile', 'scripts/inner.sh', 'rules/unit.mk', 'src/main.py', 'notes.sh']);

  test('every recipe that a program would take, also one that is not there yet', () => {
    expect(commandFiles(['make -C . test', 'just check'], paths)).toEqual(
      new Set(['GNUmakefile', 'makefile', 'Makefile', 'justfile', '.justfile', 'Justfile']),
    );
    expect(commandFiles(['sh ./run.sh'], paths)).toEqual(new Set(['run.sh']));
    expect(commandFiles(['cp run.sh dist/ && node build.js'], new Set(['run.sh', 'build.js']))).toEqual(new Set(['build.js']));
    expect(commandFiles(['cp run.sh test/run.sh'], new Set(['run.sh']))).toEqual(new Set(['run.sh']));
    expect(commandFiles(['cmake --build .'], paths)).toEqual(new Set());
  });

  test('scripts and included recipes by path, by name and behind a variable; no other file', () => {
    expect(calledScripts('cd "$(dirname "$0")" && sh "$HERE/inner.sh" && python src/main.py\n', paths)).toEqual(['scripts/inner.sh']);
    expect(calledScripts('include rules/unit.mk\n', paths)).toEqual(['rules/unit.mk']);
  });
});

describe('accepted tests', () => {
  const text = "test('a', () => {\n  expect(f()).toBe(1);\n});\n";
  test('removed: refused', () => {
    expect(found(plan([change('test/a.test.js', text, null)]))).toEqual(['reject tamper.tests']);
  });

  test('regrouped in another file: asked about, and called moved only where all that was asserted stands there', () => {
    const elsewhere = change('test/b.test.js', null, `describe('g', () => {\n${text}});`);
    const words = (stands?: boolean): string[] =>
      plan([{ ...change('test/a.test.js', text, null), stands }, elsewhere]).findings.map((one) => `${one.weight} ${one.message}`);
    expect(words(true)).toEqual(['ask an accepted test file was moved']);
    for (const stands of [false, undefined])
      expect(words(stands)).toEqual(['ask an accepted test file was removed, and its test titles appear in other files']);
  });

  test('added to: harmless, and the earlier version must hold too', () => {
    const keeps = { tests: true, assertions: true, calls: true, everything: false };
    expect(plan([{ ...change('test/a.test.js', text, `${text}test('b', () => {});\n`), keeps }])).toEqual({
      findings: [],
      edits: [],
      contract: ['test/a.test.js'],
      released: [],
      helpers: [],
      rewritten: [],
    });
  });

  test('rewritten: asked about', () => {
    expect(found(plan([change('test/a.test.js', text, text.replace('1', '2'))]))).toEqual(['ask tamper.tests']);
  });
});

describe('snapshots', () => {
  const one = '// Jest Snapshot v1\n\nexports[`a 1`] = `"x"`;\n';
  test('that are only added to are harmless; changed ones are asked about', () => {
    expect(found(plan([change('test/__snapshots__/a.snap', one, `${one}\nexports[\`b 1\`] = \`"y"\`;\n`)]))).toEqual([]);
    expect(found(plan([change('test/__snapshots__/a.snap', one, one.replace('x', 'z'))]))).toEqual(['ask tamper.tests']);
  });
});

describe('dependencies', () => {
  const manifest = '{"dependencies":{"a":"1.0.0"}}';
  const lock = '{"packages":{"":{},"node_modules/a":{"version":"1.0.0"}}}';
  test('that are added are a question, and the candidate’s lockfile is used', () => {
    const result = plan([
      change('package.json', manifest, '{"dependencies":{"a":"1.0.0","b":"1.0.0"}}'),
      change('package-lock.json', lock, lock.replace('"node_modules/a"', '"node_modules/b":{},"node_modules/a"')),
    ]);
    expect([found(result), result.edits]).toEqual([['ask dependencies.changed'], []]);
  });

  test('that change what was installed are run in the trusted version', () => {
    const result = plan([
      change('package.json', manifest, '{"dependencies":{"a":"1.0.0","b":"1.0.0"}}'),
      change('package-lock.json', lock, lock.replace('1.0.0', '1.0.1')),
    ]);
    expect(found(result)).toEqual(['ask dependencies.changed', 'ask tamper.toolchain']);
    expect(result.edits).toHaveLength(2);
  });
});

describe('package.json', () => {
  test.each([
    ['{"version":"1"}', '{"version":"2","main":"x.js"}', 'harmless'],
    ['{}', '{"scripts":{"start":"node ."}}', 'harmless'],
    ['{"scripts":{"test":"a"}}', '{"scripts":{"test":"a || true"}}', 'scripts'],
    ['{}', '{"scripts":{"pretest":"x"}}', 'scripts'],
    ['{"scripts":{"test":"npm run unit","unit":"a"}}', '{"scripts":{"test":"npm run unit","unit":"b"}}', 'scripts'],
    ['{}', '{"jest":{}}', 'test-config'],
    ['{"dependencies":{"a":"1"}}', '{"dependencies":{"a":"2"}}', 'toolchain'],
    ['{}', '{"overrides":{}}', 'toolchain'],
    ['{}', '{"dependencies":{"a":"1"}}', 'dependencies'],
    ['{}', '{"a":1,"a":2}', 'toolchain'],
    ['{}', 'nonsense', 'toolchain'],
    ['{}', null, 'toolchain'],
  ])('from %s to %s is %s', (before, after, kind) => {
    expect(classifyPackageChange(before, after).kind).toBe(kind);
  });
});

describe('what a feature is meant to change', () => {
  const mayChange = (path: string): boolean => path.startsWith('test/');
  const before = "test('a', () => expect(add(1)).toBe(2));";

  test('counts in its new version, and is shown', () => {
    const changed = plan([change('test/a.test.js', before, before.replace('2', '3'))], { mayChange });
    expect(changed).toMatchObject({ edits: [], contract: [], released: ['test/a.test.js'] });
    expect(found(changed)).toEqual(['warn tamper.tests']);
    expect(found(plan([change('test/a.test.js', before, before.replace('2', '3'))]))).toEqual(['ask tamper.tests']);
  });

  test('is not to be taken out of the run, removed, or anything but a test', () => {
    const skipped = plan([change('test/a.test.js', before, before.replace('test(', 'test.skip('))], { mayChange });
    expect([found(skipped), skipped.released]).toEqual([['reject tamper.tests'], []]);
    expect(found(plan([change('test/a.test.js', before, null)], { mayChange }))).toEqual(['reject tamper.tests']);
    const settings = plan([change('vitest.config.ts', 'a', 'b')], { mayChange: () => true });
    expect([found(settings), settings.released]).toEqual([['ask tamper.test_config'], []]);
  });
});

test('dependencies that may be added are shown, and others are asked about', () => {
  const dependencies = { policy: 'listed' as const, listed: new Set(['zod']), hosts: new Set<string>() };
  const added = (name: string): TextChange => change('package.json', '{}', JSON.stringify({ dependencies: { [name]: '^1.0.0' } }));
  expect(found(plan([added('zod')], { dependencies }))).toEqual(['warn dependencies.changed']);
  expect(found(plan([added('other')], { dependencies }))).toEqual(['ask dependencies.changed']);
  expect(found(plan([added('zod')]))).toEqual(['ask dependencies.changed']);
});
