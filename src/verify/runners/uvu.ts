/**
 * Uvu: each test file is a program, and a listener of our own hears of its tests inside of it. The copies of uvu for `import` and for `require`
 * share nothing but the moment in which a suite is handed over to be run: there the listener takes its place around every test.
 */
import { posix } from 'node:path';
import { nodeTargets } from './node-test-command.ts';
import { notInstalled } from './not-installed.ts';
import { splitOptions, valuesOf, wordSet } from './options.ts';
import { plainProgram } from './plain-program.ts';
import type { DeepRunner, NoPlan, PlanRequest, RunnerFacts, RunnerMatch, RunPlan } from './runner.ts';
import { parseScripts, planScripts } from './script-files.ts';

export const uvuRunner: DeepRunner = {
  name: 'uvu',
  isReport: true,
  detect,
  plan,
  parse: parseScripts,
  interpreter: null,
  summary: { passed: /^\s*Passed:\s+[1-9]\d*\s*$/, failed: /^\s*FAIL\s.*"/ },
  leavings: [],
  files: { modules: [], settings: [], manifestKeys: ['uvu'], packages: ['uvu$'] },
  marks: {
    hidden: ['UVU_.*'],
    variables: [String.raw`UVU_\w+`],
    globals: [],
    modules: [String.raw`uvu(?:\/\w+)?`],
    words: ['uvu'],
  },
  single: {
    language: 'javascript',
    command: 'npx uvu',
    typed: 'uvu',
    installedAs: 'uvu',
    order: 'reversed',
    takesAnyName: true,
    setsNodeEnv: false,
    neutralOneByOne: false,
    hasQuietRuns: false,
    targets: null,
    firstTest: 'test/first.js',
    variable: null,
    sabotage: `const { assign } = Object;
Object.assign = (target, ...rest) => { for (const one of target?.tests ?? []) one.handler = () => {}; return assign(target, ...rest); };`,
    script: {
      isImported: true,
      alwaysModules: false,
      testAs: (name, isModule) => (isModule ? `import { test as ${name} } from 'uvu';\n` : `const ${name} = require('uvu').test;\n`),
      header: (take) => `${take('{ test }', 'uvu')}${take('{ equal }', 'uvu/assert')}`,
      equal: (left, right) => `equal(${left}, ${right});`,
      keepsEndings: true,
      start: (name) => `${name}.run();\n`,
    },
  },
};

const WITH_VALUE = wordSet('-i --ignore -r --require -C --cwd');

function detect(words: readonly string[], packages: ReadonlySet<string>): RunnerMatch | null {
  const at = words.findIndex((word, index) => /(^|\/)uvu(\/bin\.js)?$/.test(word) && (index === 0 || /(^|\/)node$/.test(words[0]!)));
  if (at < 0 || at > 6) return packages.has('uvu') && !packages.has('tape') && !packages.has('tap') ? plainProgram(words) : null;
  const { options } = splitOptions(words.slice(at + 1), WITH_VALUE);
  const loaded = valuesOf(options, ['-r', '--require']).flatMap((module) => ['--require', module]);
  return { interpreterArgs: [...words.slice(1, at), ...loaded], args: ['uvu', ...words.slice(at + 1)] };
}

function plan(match: RunnerMatch, facts: RunnerFacts, request: PlanRequest): RunPlan | NoPlan {
  if (facts.dependencies === null) return notInstalled('uvu');
  const files =
    request.files ?? (match.args[0] === 'uvu' ? filesOf(match.args.slice(1), facts.paths) : nodeTargets(match.args, facts.paths));
  return planScripts(facts, request, { files, interpreterArgs: match.interpreterArgs, listener: LISTENER, sideBySide: 2 });
}

const ANY_FILE = /(((?:[^/]*(?:\/|$))*)[\\/])?\w+\.([mc]js|[jt]sx?)$/;
const USUAL = /((\/|^)(tests?|__tests?__)\/.*|\.(tests?|spec)|^\/?tests?)\.([mc]js|[jt]sx?)$/i;

/** `uvu [dir] [pattern]`: the pattern is asked of the path below the folder. */
function filesOf(args: readonly string[], paths: readonly string[]): string[] {
  const { options, positional } = splitOptions(args, WITH_VALUE);
  const [folder, pattern] = positional;
  const below = posix.join(valuesOf(options, ['-C', '--cwd']).at(-1) ?? '.', folder ?? '.').replace(/\/$/, '');
  const wanted = pattern !== undefined ? patternOf(pattern) : folder !== undefined ? ANY_FILE : USUAL;
  const left = ['^.git', 'node_modules', ...valuesOf(options, ['-i', '--ignore'])].map(patternOf);
  return paths
    .filter((path) => below === '.' || path.startsWith(`${below}/`))
    .filter((path) => {
      const name = below === '.' ? path : path.slice(below.length + 1);
      const folders = name.split('/').map((_, at, parts) => parts.slice(0, at + 1).join('/'));
      return wanted.test(name) && !left.some((one) => folders.some((part) => one.test(part)));
    })
    .toSorted((one, other) => one.localeCompare(other));
}

function patternOf(text: string): RegExp {
  try {
    return new RegExp(text, 'i');
  } catch {
    return /(?!)/;
  }
}

/** What never began has not run; what began and did not end has failed. A test that was put off leaves nothing but a number. */
const LISTENER = `const known = [];
const LISTS = ['tests', 'only', 'before', 'after', 'bEach', 'aEach'];
const { isArray } = Array;
const isSuite = (value) => typeof value === 'object' && value !== null && LISTS.every((name) => isArray(value[name]));
const follow = ({ tests, only, bEach, aEach, skips, state }) => {
  const file = caller();
  const group = typeof state?.__suite__ === 'string' && state.__suite__ !== '' ? [state.__suite__] : [];
  const chosen = (only.length > 0 ? only : tests).map((test) => ({ test, begun: false, ended: false, failed: null }));
  const fail = (one, error) => { if (one !== undefined) one.failed ??= said(error); throw error; };
  for (const one of chosen) {
    const { handler } = one.test;
    one.row = told(file, [...group, String(one.test.name)], 'skipped', undefined);
    one.test.handler = async (...given) => {
      one.begun = true;
      try { await handler(...given); one.ended = true; } catch (error) { fail(one, error); }
    };
  }
  if (only.length > 0) for (const test of tests) told(file, [...group, String(test.name)], 'skipped', undefined);
  for (let at = 1; at <= skips; at += 1) told(file, [...group, 'skipped ' + at], 'skipped', undefined);
  const around = (hooks, which) => hooks.forEach((hook, at) => { hooks[at] = async (...given) => { try { await hook(...given); } catch (error) { fail(which(), error); } }; });
  around(bEach, () => chosen.find((one) => !one.begun && one.failed === null));
  around(aEach, () => chosen.findLast((one) => one.begun));
  known.push(...chosen);
};
const said = (error) => (error?.code === 'ERR_ASSERTION' ? 'AssertionError: ' : '') + shown(error) + (error?.code === 'ERR_ASSERTION' ? '\\nexpected: ' + shownValue(error.expects ?? error.expected) + '\\nactual: ' + shownValue(error.actual) : '');
Object.assign = new Proxy(Object.assign, {
  apply: (assign, self, given) => { if (isSuite(given[0])) follow(given[0]); return Reflect.apply(assign, self, given); },
});
atEnd(() => {
  for (const { row, begun, ended, failed } of known) {
    row.status = failed !== null || (begun && !ended) ? 'failed' : ended ? 'passed' : 'skipped';
    row.message = row.status === 'failed' ? failed ?? 'the test did not end' : undefined;
  }
});
watch(() => known.length > 0 && known.every((one) => one.ended || one.failed !== null));
`;
