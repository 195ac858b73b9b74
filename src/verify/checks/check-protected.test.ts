import { ADD_TEST, testCheck } from '../test-support-case.ts';
import { PROTECTED } from './check-protected.ts';

testCheck(PROTECTED, [
  { name: 'new code and its test', finds: [], says: '3 changed files, none protected' },
  {
    name: 'an accepted test that expects something else',
    work: { 'test/add.test.mjs': ADD_TEST.replace('3)', '4)') },
    finds: ['ask tamper.tests: accepted tests were changed'],
    says: '1 protected file was changed; the originals were used for judging',
  },
  {
    name: 'an accepted test is gone',
    work: { 'test/add.test.mjs': null },
    finds: ['reject tamper.tests: accepted tests were removed'],
  },
  {
    name: 'settings of npm',
    work: { '.npmrc': 'ignore-scripts=false\n' },
    finds: ['ask tamper.toolchain: the configuration of a tool was added'],
  },
  {
    name: 'code that reads its own test',
    work: {
      'src/subtract.mjs':
        "import { readFileSync } from 'node:fs';\nexport const subtract = () => readFileSync('test/subtract.test.mjs');\n",
    },
    finds: ['ask tamper.tests: code outside the tests reads test files'],
  },
]);
