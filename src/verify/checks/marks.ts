/**
 * Code that looks at who runs it: names and places by which a program can tell a test from real use.
 *
 * Only a question comes of it: there are honest reasons. What the code then does is shown by the neutral run: of the marks that it takes away,
 * text is asked for only where there was no such run.
 */
import { marksOfRunners } from '../runners/registry.ts';

const WORDS = `test|tests|spec|mocha|${marksOfRunners('words')}`;
const ARGUMENTS = String.raw`\b(?:process\.execArgv|process\.argv|require\.main|sys\.argv|sys\.orig_argv)\b`;

/** Those that the neutral run takes away. */
const TAKEN_AWAY: readonly (readonly [string, RegExp])[] = [
  ['a variable of a test runner', new RegExp(String.raw`\b(?:${marksOfRunners('variables')}|TEST_WORKER_INDEX|MOCHA_\w+)\b`)],
  [
    'how the process was started',
    new RegExp(String.raw`${ARGUMENTS}[^\n]{0,80}\b(?:${WORDS})|['"\x60/](?:--)?(?:tests?|${WORDS})\b[^\n]{0,80}${ARGUMENTS}`, 'i'),
  ],
];

/** Those that are left. */
const LEFT: readonly (readonly [string, RegExp])[] = [
  [
    "a test runner's globals",
    new RegExp(
      String.raw`\b(?:${marksOfRunners('globals')}|globalThis\.(?:expect|it|test|describe|beforeEach)\b|global\.(?:expect|it|describe)\b)`,
    ),
  ],
  [
    "a test runner's modules",
    new RegExp(
      String.raw`\b(?:from|import|require\s*\()\s*\(?\s*['"](?:${marksOfRunners('modules')}|mocha|chai)['"]|^\s*(?:import|from)\s+_?pytest\b|sys\.modules[^\n]{0,60}(?:pytest|unittest)|(?:pytest|unittest)['"]\s+in\s+sys\.modules`,
      'm',
    ),
  ],
  [
    'who called it',
    new RegExp(
      String.raw`\binspect\.(?:stack|currentframe)\(|\bsys\._getframe\(|\btraceback\.(?:extract_stack|format_stack)\(|(?:\.stack\b|captureStackTrace)[^;]{0,200}\b(?:${WORDS}|test_runner|unittest|runner|internal|node_modules)|(?<![.\w])(?:${WORDS}|runTest\w*|test_runner|unittest)\b[^;\n]{0,120}\.stack\b|\.stack\b[^;\n]{0,80}\.length\s*[<>=!]+\s*(?:[3-9]|\d\d)`,
      'is',
    ),
  ],
  [
    'the files of tests',
    /['"`/^\\](?:[\w./-]*\/)?[\w-]*\.(?:test|spec)\\?\.(?:[cm]?[jt]sx?)?(?=['"`/$)])|['"`/](?:[\w./-]*\/)?(?:__tests__|__snapshots__)|['"`/]test_\w+\.py\b|\/proc\/(?:self|\$\{|\d|'|")/,
  ],
];

export interface Mark {
  path: string;
  what: string;
}

const GLOBALS = /^(?:jest|vi|expect|it|describe|beforeEach|afterEach)$/;

/** `globals`: names that the file uses and nowhere declares; only runners of JavaScript give any. `isRun`: the code ran without the marks that can be taken away. */
export function marksIn(path: string, text: string, globals: readonly string[] = [], isRun = false): Mark[] {
  const plain = text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*(?:\/\/|#).*$/gm, '');
  const found = (isRun ? LEFT : [...TAKEN_AWAY, ...LEFT]).filter(([, pattern]) => pattern.test(plain)).map(([what]) => ({ path, what }));
  return !path.endsWith('.py') && globals.some((name) => GLOBALS.test(name))
    ? [...found, { path, what: 'a name that only a test runner gives' }]
    : found;
}
