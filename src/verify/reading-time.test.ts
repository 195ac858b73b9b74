/** Texts that are short and were read for minutes: each of these ends within the time of any other test. */
import { describe, expect, test } from 'vitest';
import { nodePlatform } from '../platform/node-platform.ts';
import { maskSource } from './source/mask.ts';
import { mutateTests } from './checks/mutate.ts';
import { plantControls } from './checks/plant.ts';
import { readSource } from './source/read-source.ts';
import { titlesOf } from './source/test-text.ts';
import { keepsAssertions, keepsTests, onlyGains } from './source/test-changes.ts';

const LENGTH = 120_000;
const fill = (part: string): string => part.repeat(Math.ceil(LENGTH / part.length));
const many = (count: number, line: (index: number) => string): string => Array.from({ length: count }, (_, index) => line(index)).join('');

const TEXTS: Record<string, string> = {
  'nested templates': fill('`${'),
  'nested templates that end': `${fill('`${')}1${fill('}`')}`,
  'templates with braces': fill('`${{'),
  'quotes that are escaped': fill("'\\"),
  'quotes of all kinds': fill('\'\\"\\`\\/\\'),
  slashes: fill('/ '),
  'patterns that do not end': fill('=/['),
  'comments that do not end': fill('/*'),
  'blank lines': `${'\n'.repeat(LENGTH)}x`,
  spaces: `${' '.repeat(LENGTH)}x`,
  exports: many(12_000, (index) => `export const name${index} = ${index};\n`),
  'exports by name': `${many(8_000, (index) => `const name${index} = ${index};\n`)}export { ${many(8_000, (index) => `name${index}, `)} };\n`,
  'exports that do not end': fill('export {'),
  'imports without a module': fill('import a '),
  'nested calls': fill('equal('),
  'nested groups': fill("describe('a', () => {"),
  tests: many(4_000, (index) => `test('t${index}', () => { expect(${index}).toBe(${index}); });\n`),
  methods: `export class A {\n${many(6_000, (index) => `  m${index}() { return 1; }\n`)}}\n`,
  'Python functions': many(6_000, (index) => `def test_${index}():\n    assert ${index} == ${index}\n`),
};

const platform = nodePlatform({ PATH: process.env['PATH'], HOME: process.env['HOME'] });

describe.each(Object.entries(TEXTS))('%s', (_title, text) => {
  test.each(['a.test.js', 'test_a.py'])(
    'as %s',
    async (path) => {
      const language = path.endsWith('.py') ? 'python' : 'javascript';
      expect(maskSource(text, language)).toHaveLength(text.length);
      const reading = await readSource(platform, path, text);
      if (reading !== null) {
        mutateTests(text, reading, { word: 'qqq', offset: 7 }, { calls: true });
        const same = { text, reading };
        expect([keepsTests(same, same), keepsAssertions(same, same), onlyGains(same, same)]).toEqual([true, true, true]);
      }
      titlesOf(text);
      let next = 0;
      plantControls({ text, path }, language === 'python' ? 'pytest' : 'vitest', (limit) => (next += 1) % limit);
    },
    20_000,
  );
});
