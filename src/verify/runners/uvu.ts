/**
 * Uvu: each test file is a program, and a listener of our own hears of its tests inside of it. The copies of uvu for `import` and for `require`
 * share nothing but the moment in which a suite is handed over to be run: there the listener takes its place around every test.
 */
import uvuListener from '../../../assets/uvu-listener.cjs';
import { posix } from 'node:path';
import { nodeTargets } from './node-test-command.ts';
import { notInstalled } from './not-installed.ts';
import { splitOptions, valuesOf, wordSet } from './options.ts';
import { plainProgram } from './plain-program.ts';
import type { DeepRunner, NoPlan, PlanRequest, RunnerFacts, RunnerMatch, RunPlan } from './runner.ts';
import { parseScripts, planScripts } from './script-files.ts';
import { firstItem } from '../../domain/items.ts';

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
  const at = words.findIndex((word, index) => /(^|\/)uvu(\/bin\.js)?$/.test(word) && (index === 0 || /(^|\/)node$/.test(firstItem(words))));
  if (at < 0 || at > 6) return packages.has('uvu') && !packages.has('tape') && !packages.has('tap') ? plainProgram(words) : null;
  const { options } = splitOptions(words.slice(at + 1), WITH_VALUE);
  const loaded = valuesOf(options, ['-r', '--require']).flatMap((module) => ['--require', module]);
  return { interpreterArgs: [...words.slice(1, at), ...loaded], args: ['uvu', ...words.slice(at + 1)] };
}

function plan(match: RunnerMatch, facts: RunnerFacts, request: PlanRequest): RunPlan | NoPlan {
  if (facts.dependencies === null) return notInstalled('uvu');
  const files =
    request.files ?? (match.args[0] === 'uvu' ? filesOf(match.args.slice(1), facts.paths) : nodeTargets(match.args, facts.paths));
  return planScripts(facts, request, { files, interpreterArgs: match.interpreterArgs, listener: uvuListener, sideBySide: 2 });
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
