import { expect, test } from 'vitest';
import { parsePatch } from './parse-patch.ts';

test('files, rows and numbers; a removed line that looks like a header is a line', () => {
  const patch = `diff --git a/a.sql b/a.sql
index 1..2 100644
--- a/a.sql
+++ b/a.sql
@@ -1,3 +1,3 @@ table
 one
--- a comment
+-- another
 three
diff --git a/new <b>.js b/new <b>.js
new file mode 100644
--- /dev/null
+++ b/new <b>.js
@@ -0,0 +1 @@
+export {};
\\ No newline at end of file
diff --git a/old.js b/kept.js
rename from old.js
rename to kept.js
`;
  const files = parsePatch(patch);
  expect(files.map(({ name, note, added, removed }) => [name, note, added, removed])).toEqual([
    ['a.sql', '', 1, 1],
    ['new <b>.js', 'new file', 1, 0],
    ['kept.js', 'renamed from old.js', 0, 0],
  ]);
  expect(files[0]?.rows.map(({ kind, before, after, text }) => [kind, before, after, text])).toEqual([
    ['hunk', null, null, 'table'],
    ['same', 1, 1, 'one'],
    ['removed', 2, null, '-- a comment'],
    ['added', null, 2, '-- another'],
    ['same', 3, 3, 'three'],
  ]);
  expect(parsePatch('')).toEqual([]);
});
