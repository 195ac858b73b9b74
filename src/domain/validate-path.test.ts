import { posix, win32 } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { looksLikeGitDirectory } from './file-names.ts';
import { PATH_RULES, validatePath, type PathKind } from './validate-path.ts';

const everywhere = { inScope: () => true };

function check(path: string, kind: PathKind) {
  return kind === 'diff_target' ? validatePath(path, kind, everywhere) : validatePath(path, kind);
}

describe('every kind', () => {
  const kinds = ['output_dir', 'file_reference', 'diff_target'] as const;
  test.each([
    ['', 0, 'empty'],
    ['   ', 0, 'empty'],
    ['.', 0, 'empty'],
    ['./', 0, 'empty'],
    ['\\\\server\\share', 1, 'unc'],
    ['//server/share', 1, 'unc'],
    ['\\/server', 1, 'unc'],
    ['a\0b', 1, 'control'],
    ['a\nb', 1, 'control'],
    ['a\u001b[31m', 1, 'control'],
    ['a\u202egpj.exe', 1, 'control'],
    ['a\ud800', 1, 'control'],
    ['-rf', 1, 'option'],
    ['--output', 1, 'option'],
    ['./-rf', 1, 'option'],
    ['~/x', 1, 'tilde'],
    ['.\\.//~', 1, 'tilde'],
    ['~root/x', 1, 'tilde'],
    [' /etc', 1, 'trailing'],
    ['out ', 1, 'trailing'],
    ['out./x', 1, 'trailing'],
    ['.../x', 1, 'trailing'],
    ['x'.repeat(256), 1, 'long'],
    ['a/'.repeat(600), 1, 'long'],
    ['/absolute/path', 2, 'absolute'],
    ['\\absolute', 2, 'absolute'],
    ['C:/x', 2, 'absolute'],
    ['c:\\x', 2, 'absolute'],
    ['C:x', 2, 'absolute'],
    ['./C:/x', 2, 'absolute'],
    ['..', 3, 'parent'],
    ['docs/../../etc', 3, 'parent'],
    ['a\\..\\..\\b', 3, 'parent'],
    ['./../x', 3, 'parent'],
    ['.git', 4, 'git'],
    ['.GIT/hooks/pre-commit', 4, 'git'],
    ['sub/.git/config', 4, 'git'],
    ['sub/.g\u200cit/config', 4, 'git'],
    ['GIT~1/config', 4, 'git'],
  ] as const)('%j is refused at step %i for %s', (path, step, rule) => {
    for (const kind of kinds) expect(check(path, kind)).toEqual({ ok: false, step, rule, reason: PATH_RULES[rule].reason });
  });

  test.each([
    ['build/reports', 'build/reports'],
    ['./a//b/', 'a/b'],
    ['a\\b', 'a/b'],
    ['a/..b/c..d', 'a/..b/c..d'],
    ['.github/workflows/ci.yml', '.github/workflows/ci.yml'],
    ['src/spec/harness', 'src/spec/harness'],
    ['한국어/파일.md', '한국어/파일.md'],
  ])('%j is allowed as %j', (path, normalised) => {
    for (const kind of kinds) expect(check(path, kind)).toEqual({ ok: true, path: normalised });
  });
});

describe('output directories', () => {
  test.each(['memory', 'spec', 'planner', 'generator', 'evaluator', 'verify', 'harness', '.harness'])(
    '%s is reserved, also with parts below it, in another case and behind a dot',
    (name) => {
      for (const path of [name, `${name}/`, `${name}/foo`, name.toUpperCase(), `./${name}`, `${name}::$DATA/x`])
        expect(validatePath(path, 'output_dir')).toMatchObject({ ok: false, step: 4, rule: 'reserved' });
    },
  );
  test('a name that only begins like a reserved one is not', () => {
    expect(validatePath('specs/out', 'output_dir')).toEqual({ ok: true, path: 'specs/out' });
    expect(validatePath('out/memory', 'output_dir')).toEqual({ ok: true, path: 'out/memory' });
  });
  test.each(['docs', 'docs/', 'docs/other', 'Docs/harness', 'docs/Harness/x', 'docs/./other', 'docs/harness2'])(
    'below docs only the harness tree may be used, so %j may not',
    (path) => expect(validatePath(path, 'output_dir')).toMatchObject({ ok: false, step: 4, rule: 'docs' }),
  );
  test.each(['docs/harness', 'docs/harness/', 'docs/harness/my-task/'])('%j is the tree of the harness itself', (path) =>
    expect(validatePath(path, 'output_dir')).toEqual({ ok: true, path: path.replace(/\/$/, '') }),
  );
});

describe('files of the project', () => {
  test.each(['.harness/state.json', '.Harness/x', 'docs/harness/a/spec.md', 'Docs/Harness/a', 'memory/notes.md', './memory/x'])(
    '%j is none that may be read or changed from outside',
    (path) => {
      expect(validatePath(path, 'file_reference')).toMatchObject({ ok: false, step: 4, rule: 'private' });
      expect(validatePath(path, 'diff_target', everywhere)).toMatchObject({ ok: false, step: 4, rule: 'private' });
    },
  );
  test('documents outside the harness tree are', () => {
    expect(validatePath('docs/style.md', 'file_reference')).toEqual({ ok: true, path: 'docs/style.md' });
  });
  test('a patch stays inside the scope, which is asked about the normalised path', () => {
    const inScope = (path: string) => path.startsWith('src/');
    expect(validatePath('./src\\a.ts', 'diff_target', { inScope })).toEqual({ ok: true, path: 'src/a.ts' });
    expect(validatePath('test/a.ts', 'diff_target', { inScope })).toMatchObject({ ok: false, step: 4, rule: 'scope' });
  });
});

test('whatever passes stays below its root on every system, keeps its spelling when checked again and never names .git', () => {
  const part = fc.oneof(
    fc.constantFrom('..', '.', '', '.git', '.harness', 'docs', 'harness', 'memory', '~', '-', 'C:', 'a', ' ', 'b.', '\0', '\u202e'),
    fc.uint16Array({ maxLength: 6 }).map((units) => String.fromCharCode(...units)),
  );
  const path = fc
    .array(fc.tuple(part, fc.constantFrom('/', '\\')), { maxLength: 7 })
    .map((pairs) => pairs.map(([name, separator]) => name + separator).join(''));
  fc.assert(
    fc.property(path, fc.constantFrom<PathKind>('output_dir', 'file_reference', 'diff_target'), (given, kind) => {
      const result = check(given, kind);
      if (!result.ok) return PATH_RULES[result.rule].step === result.step;
      return (
        posix.join('/root', result.path) === `/root/${result.path}` &&
        win32.resolve('D:\\root', result.path).startsWith('D:\\root\\') &&
        !result.path.split('/').some(looksLikeGitDirectory) &&
        JSON.stringify(check(result.path, kind)) === JSON.stringify(result)
      );
    }),
    { numRuns: 500 },
  );
});
