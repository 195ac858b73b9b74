/**
 * Code that looks at who runs it: names and places by which a program can tell a test from real use.
 *
 * Only a question comes of it: there are honest reasons. What the code then does is shown by the neutral run.
 */

const MARKS: readonly (readonly [string, RegExp])[] = [
  [
    'a variable of a test runner',
    /\b(?:NODE_TEST_CONTEXT|VITEST(?:_\w+)?|JEST_WORKER_ID|PYTEST_CURRENT_TEST|PYTEST_VERSION|PYTEST_XDIST_WORKER|TEST_WORKER_INDEX|MOCHA_\w+)\b/,
  ],
  [
    "a test runner's globals",
    /\b(?:__vitest_\w+__|import\.meta\.vitest|globalThis\.(?:jest|vi|expect|it|test|describe|beforeEach)\b|global\.(?:jest|expect|it|describe)\b)/,
  ],
  [
    "a test runner's modules",
    /\b(?:from|import|require\s*\()\s*\(?\s*['"](?:node:test|vitest|@?jest[\w/-]*|@vitest\/[\w-]+|mocha|chai)['"]|^\s*(?:import|from)\s+_?pytest\b|sys\.modules[^\n]{0,60}(?:pytest|unittest)|(?:pytest|unittest)['"]\s+in\s+sys\.modules/m,
  ],
  [
    'how the process was started',
    /\b(?:process\.execArgv|process\.argv|require\.main|sys\.argv|sys\.orig_argv)\b[^\n]{0,80}\b(?:test|tests|spec|jest|vitest|mocha|pytest)|['"`/](?:--)?(?:tests?|spec|jest|vitest|mocha|pytest)\b[^\n]{0,80}\b(?:process\.execArgv|process\.argv|require\.main|sys\.argv|sys\.orig_argv)\b/i,
  ],
  [
    'who called it',
    /\binspect\.(?:stack|currentframe)\(|\bsys\._getframe\(|\btraceback\.(?:extract_stack|format_stack)\(|(?:\.stack\b|captureStackTrace)[^;]{0,200}\b(?:tests?|test_runner|spec|jest|vitest|mocha|pytest|unittest|runner|internal|node_modules)|\.stack\b[^;\n]{0,80}\.length\s*[<>=!]+\s*(?:[3-9]|\d\d)/is,
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

/** `globals`: names that the file uses and nowhere declares. */
export function marksIn(path: string, text: string, globals: readonly string[] = []): Mark[] {
  const plain = text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*(?:\/\/|#).*$/gm, '');
  const found = MARKS.filter(([, pattern]) => pattern.test(plain)).map(([what]) => ({ path, what }));
  return globals.some((name) => GLOBALS.test(name)) ? [...found, { path, what: 'a name that only a test runner gives' }] : found;
}
