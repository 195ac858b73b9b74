/** A project for each runner: one test file for each package. */
import type { FileTable } from '../../src/verify/test-support.ts';
import { DEBIAN, NPM, type Trial } from './packages.ts';

export interface Subject {
  language: 'javascript' | 'python';
  full: string;
  files(): FileTable;
}

const MANIFEST = (packages: Record<string, string>): string => JSON.stringify({ name: 'trial', private: true, devDependencies: packages });
const plainName = (name: string): string => name.replace(/(?<=.)@[\d.]+$/, '');
const fileName = (name: string): string => plainName(name).replaceAll(/\W+/g, '_');

function scripts(tool: string, text: (one: Trial) => string): FileTable {
  return {
    'package.json': MANIFEST(tool === '' ? {} : { [tool]: '*' }),
    ...Object.fromEntries(NPM.map((one) => [`test/${fileName(one[0])}.test.cjs`, text(one)])),
  };
}

const loaded = ([name]: Trial): string => `const m = require('${plainName(name)}');\n`;
const title = ([name]: Trial): string => JSON.stringify(plainName(name));

const asserted = (one: Trial): string =>
  `const assert = require('node:assert');\n${loaded(one)}test(${title(one)}, () => { assert.ok(${one[1]}); });\n`;

export const SUBJECTS: Readonly<Record<string, Subject>> = {
  'node:test': {
    language: 'javascript',
    full: "node --test 'test/*.cjs'",
    files: () => scripts('', (one) => `const test = require('node:test');\n${asserted(one)}`),
  },
  jest: {
    language: 'javascript',
    full: 'npx jest',
    files: () => ({
      ...scripts('jest', asserted),
      'package.json': JSON.stringify({ name: 'trial', devDependencies: { jest: '*' }, jest: { testMatch: ['**/test/*.cjs'] } }),
    }),
  },
  vitest: {
    language: 'javascript',
    full: 'npx vitest run',
    files: () => ({
      'package.json': MANIFEST({ vitest: '*' }),
      'vitest.config.mjs': "export default { test: { include: ['test/*.test.mjs'] } };\n",
      ...Object.fromEntries(
        NPM.map((one) => [
          `test/${fileName(one[0])}.test.mjs`,
          `import { createRequire } from 'node:module';\nimport { expect, test } from 'vitest';\nconst require = createRequire(import.meta.url);\n${loaded(one)}test(${title(one)}, () => { expect(${one[1]}).toBe(true); });\n`,
        ]),
      ),
    }),
  },
  mocha: {
    language: 'javascript',
    full: "npx mocha 'test/*.cjs'",
    files: () => scripts('mocha', (one) => asserted(one).replace('test(', 'it(')),
  },
  tape: {
    language: 'javascript',
    full: "npx tape 'test/*.cjs'",
    files: () =>
      scripts('tape', (one) => `const test = require('tape');\n${loaded(one)}test(${title(one)}, (t) => { t.ok(${one[1]}); t.end(); });\n`),
  },
  'node-tap': {
    language: 'javascript',
    full: "npx tap 'test/*.cjs'",
    files: () =>
      scripts('tap', (one) => `const { test } = require('tap');\n${loaded(one)}test(${title(one)}, async (t) => { t.ok(${one[1]}); });\n`),
  },
  ava: {
    language: 'javascript',
    full: 'npx ava',
    files: () =>
      scripts('ava', (one) => `const test = require('ava');\n${loaded(one)}test(${title(one)}, (t) => { t.true(${one[1]}); });\n`),
  },
  uvu: {
    language: 'javascript',
    full: 'npx uvu test',
    files: () =>
      scripts(
        'uvu',
        (one) =>
          `const { test } = require('uvu');\nconst { ok } = require('uvu/assert');\n${loaded(one)}test(${title(one)}, () => { ok(${one[1]}); });\ntest.run();\n`,
      ),
  },
  jasmine: {
    language: 'javascript',
    full: "npx jasmine 'test/*.cjs'",
    files: () => scripts('jasmine', (one) => `${loaded(one)}it(${title(one)}, () => { expect(${one[1]}).toBe(true); });\n`),
  },
  pytest: {
    language: 'python',
    full: 'python3 -m pytest',
    files: () => modules(([name, body]) => `def test_${name}():\n${indented(body, '    ')}`),
  },
  unittest: {
    language: 'python',
    full: 'python3 -m unittest',
    files: () =>
      modules(
        ([name, body]) =>
          `import unittest\n\n\nclass Trial(unittest.TestCase):\n    def test_${name}(self):\n${indented(body, '        ')}`,
      ),
  },
};

function modules(text: (one: Trial) => string): FileTable {
  return Object.fromEntries(DEBIAN.map((one) => [`test_${one[0]}.py`, text(one)]));
}

function indented(body: string, indent: string): string {
  return `${body
    .split('\n')
    .map((line) => `${indent}${line}\n`)
    .join('')}${indent}assert ok\n`;
}
