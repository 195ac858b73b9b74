import { expect, test } from 'vitest';
import { snapshotOnlyAdds } from './snapshot-change.ts';

const TAP = "/* IMPORTANT\n * Made by a program.\n */\n'use strict'\n";
const VITEST = '// Vitest Snapshot v1, https://vitest.dev/guide/snapshot.html\n\n';
const value = (name: string, text: string): string => `exports[\`${name} 1\`] = \`\n${text}\n\`;\n\n`;

test.each([
  ['vitest', VITEST],
  ['tap', TAP],
  ['nothing', ''],
])('values that are added below the head of %s are free, others are not', (_runner, head) => {
  const before = `${head}${value('a', 'one')}`;
  expect(snapshotOnlyAdds({ before, after: `${before}${value('b', 'two')}` })).toBe(true);
  expect(snapshotOnlyAdds({ before, after: `${head}${value('0', 'two')}${value('a', 'one')}` })).toBe(true);
  expect(snapshotOnlyAdds({ before: null, after: before })).toBe(true);
  expect(snapshotOnlyAdds({ before, after: `${head}${value('a', 'two')}` })).toBe(false);
  expect(snapshotOnlyAdds({ before, after: `${before}${value('a', 'two')}` })).toBe(false);
  expect(snapshotOnlyAdds({ before, after: `${before}process.exit(0);\n` })).toBe(false);
  expect(snapshotOnlyAdds({ before, after: `${head}process.exit(0);\n${value('a', 'one')}` })).toBe(false);
  expect(snapshotOnlyAdds({ before, after: `${head}/* */ process.exit(0) /* */\n${value('a', 'one')}` })).toBe(false);
  expect(snapshotOnlyAdds({ before, after: null })).toBe(false);
});
