import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { applyFilePatch, hasPatch, parsePatch, pathsOf, type FilePatch } from './patch.ts';

const folder = mkdtempSync(join(tmpdir(), 'harness-patch-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const fenced = (diff: string): string => `Some words first.\n\n\`\`\`diff\n${diff.trimEnd()}\n\`\`\`\n\nAnd after.\n`;
const FIX = `--- a/src/add.js
+++ b/src/add.js
@@ -1,3 +1,3 @@
 export function add(a, b) {
-  return a - b;
+  return a + b;
 }
`;
const SOURCE = 'export function add(a, b) {\n  return a - b;\n}\n';

function only(document: string): FilePatch {
  const parsed = parsePatch(document);
  if (!parsed.ok) throw new Error(parsed.reason);
  return parsed.files[0]!;
}

describe('reading', () => {
  test('a diff in a fenced block is read with its paths', () => {
    const parsed = parsePatch(fenced(FIX));
    expect(parsed).toMatchObject({ ok: true, files: [{ from: 'src/add.js', to: 'src/add.js' }] });
    expect(hasPatch(fenced(FIX))).toBe(true);
  });

  test('new and deleted files have one path', () => {
    const document = fenced('--- /dev/null\n+++ b/new.txt\n@@ -0,0 +1 @@\n+one\n--- a/old.txt\n+++ /dev/null\n@@ -1 +0,0 @@\n-two\n');
    const parsed = parsePatch(document);
    expect(parsed.ok && pathsOf(parsed.files)).toEqual(['new.txt', 'old.txt']);
  });

  test.each([
    ['no block at all', FIX, 'no diff block'],
    ['a block of another language', fenced(FIX).replace('```diff', '```js'), 'no diff block'],
    ['a block without a hunk', fenced('--- a/x\n+++ b/x\n'), 'there is no hunk'],
    ['a rename', fenced(FIX.replace('+++ b/src/add.js', '+++ b/src/sum.js')), 'renamed'],
    ['a change of mode', fenced(`old mode 100644\nnew mode 100755\n${FIX}`), 'more than a change of text'],
    ['a binary patch', fenced('GIT binary patch\nliteral 3\n'), 'more than a change of text'],
    ['wrong counts', fenced(FIX.replace('-1,3', '-1,4')), 'does not have the lines'],
    ['a broken hunk header', fenced(FIX.replace('@@ -1,3 +1,3 @@', '@@ nonsense')), 'no hunk header'],
    ['a missing second name', fenced(FIX.replace('+++ b/src/add.js\n', '')), 'no "+++" line'],
    ['one file twice', fenced(FIX + FIX), 'patched twice'],
  ])('%s is refused', (_, document, reason) => {
    expect(parsePatch(document)).toEqual({ ok: false, reason: expect.stringContaining(reason) });
  });
});

describe('applying', () => {
  test('a hunk that fits changes the file', () => {
    expect(applyFilePatch(SOURCE, only(fenced(FIX)))).toEqual({ ok: true, content: SOURCE.replace('a - b', 'a + b') });
  });

  test('a hunk may stand elsewhere than it says, if only one place fits', () => {
    const moved = `// one\n// two\n// three\n${SOURCE}`;
    expect(applyFilePatch(moved, only(fenced(FIX)))).toEqual({ ok: true, content: moved.replace('a - b', 'a + b') });
    expect(applyFilePatch(`//\n${SOURCE}${SOURCE}`, only(fenced(FIX)))).toMatchObject({ ok: false });
  });

  test('context that differs is never ignored', () => {
    expect(applyFilePatch(SOURCE.replace('add', 'sum'), only(fenced(FIX)))).toEqual({
      ok: false,
      reason: expect.stringContaining('hunk 1'),
    });
  });

  test('carriage returns of the file stay', () => {
    const windows = SOURCE.replaceAll('\n', '\r\n');
    expect(applyFilePatch(windows, only(fenced(FIX)))).toEqual({ ok: true, content: windows.replace('a - b', 'a + b') });
  });

  test('a missing newline at the end is kept and made as the patch says', () => {
    const patch = only(fenced('--- a/x\n+++ b/x\n@@ -1 +1 @@\n-old\n\\ No newline at end of file\n+new\n\\ No newline at end of file\n'));
    expect(applyFilePatch('old', patch)).toEqual({ ok: true, content: 'new' });
  });

  test('a new file must not be there, a changed one must be', () => {
    const fresh = only(fenced('--- /dev/null\n+++ b/x\n@@ -0,0 +1 @@\n+one\n'));
    expect(applyFilePatch(null, fresh)).toEqual({ ok: true, content: 'one\n' });
    expect(applyFilePatch('', fresh)).toMatchObject({ ok: false });
    expect(applyFilePatch(null, only(fenced(FIX)))).toMatchObject({ ok: false, reason: expect.stringContaining('does not exist') });
  });

  test('a file is deleted only when nothing of it is left', () => {
    const patch = only(fenced('--- a/x\n+++ /dev/null\n@@ -1 +0,0 @@\n-one\n'));
    expect(applyFilePatch('one\n', patch)).toEqual({ ok: true, content: null });
    expect(applyFilePatch('one\ntwo\n', patch)).toMatchObject({ ok: false });
  });
});

const lines = fc.array(fc.constantFrom('', 'a', 'b', 'c', '  indented', '-dash', '+plus', '@@ -1 +1 @@', '--- a/x'), { maxLength: 25 });

test('whatever git diff says between two texts is applied exactly', () => {
  fc.assert(
    fc.property(lines, lines, fc.boolean(), fc.boolean(), (before, after, endBefore, endAfter) => {
      const text = (all: string[], ended: boolean): string => (all.length === 0 ? '' : all.join('\n') + (ended ? '\n' : ''));
      const [old, fresh] = [text(before, endBefore), text(after, endAfter)];
      fc.pre(old !== fresh);
      const diff = gitDiff(old, fresh);
      const parsed = parsePatch(`\`\`\`\`\`diff\n${diff.replace(/\n$/, '')}\n\`\`\`\`\`\n`);
      if (!parsed.ok) throw new Error(`${parsed.reason}\n${diff}`);
      expect(applyFilePatch(old, parsed.files[0]!)).toEqual({ ok: true, content: fresh });
    }),
    { numRuns: 100 },
  );
});

test('no text makes the reader throw, hang or name an empty path', () => {
  const pieces = fc.constantFrom(
    '```diff',
    '```',
    '--- a/x',
    '+++ b/x',
    '--- /dev/null',
    '+++ /dev/null',
    '@@ -1,2 +1,2 @@',
    '@@ -0,0 +1 @@',
    ' a',
    '-a',
    '+b',
    '\\ No newline',
    '',
    'rename from x',
  );
  fc.assert(
    fc.property(fc.array(fc.oneof(pieces, fc.string({ maxLength: 12 })), { maxLength: 40 }), (parts) => {
      const parsed = parsePatch(parts.join('\n'));
      if (!parsed.ok) return;
      for (const file of parsed.files) {
        const applied = applyFilePatch('a\na\n', file);
        if (applied.ok && file.to === null) expect(applied.content).toBeNull();
      }
    }),
    { numRuns: 500 },
  );
});

function gitDiff(before: string, after: string): string {
  writeFileSync(join(folder, 'before'), before);
  writeFileSync(join(folder, 'after'), after);
  try {
    return execFileSync('git', ['diff', '--no-index', '--no-prefix', '--', 'before', 'after'], { cwd: folder, encoding: 'utf8' });
  } catch (error) {
    const output = (error as { stdout: string }).stdout;
    return output.replace(/^--- before/m, '--- a/x').replace(/^\+\+\+ after/m, '+++ b/x');
  }
}
