import { testCheck } from '../test-support-case.ts';
import { QUALITY } from './check-quality.ts';

testCheck(QUALITY, [
  { name: 'no linter', finds: [], says: 'no lint command' },
  {
    name: 'a linter that is content',
    settings: { quality: { lint_command: 'test -f src/subtract.mjs' } },
    finds: [],
    says: 'lint is clean',
  },
  {
    name: 'a linter that complains',
    settings: { quality: { lint_command: 'echo "src/subtract.mjs:1 error"; exit 3' } },
    finds: ['warn quality.lint: lint failed (exit status 3)'],
  },
  {
    name: 'a comment that turns a linter off',
    work: { 'src/subtract.mjs': '/* eslint-disable */\nexport const subtract = (a, b) => a - b;\n' },
    finds: ['warn quality.lint: comments that turn off a tool were added'],
  },
]);
