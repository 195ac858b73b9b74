/**
 * `bun test`: a process of node starts bun once for each file, reads what bun itself says about the file's tests, and seals it. Bun has no place for a
 * reporter of our own, so that the report of a file is written by the process that ran it; what bun printed has to agree with it.
 */
import bunStarter from '../../../assets/bun-starter.mjs';
import { join } from 'node:path';
import type { TestStatus } from '../../domain/verdict.ts';
import { elsewhereForNode } from './elsewhere.ts';
import { bunPreload } from './neutral.ts';
import { splitOptions, wordSet } from './options.ts';
import { isRecord, readLines, strings, text, toResults, WHOLE_FILE, type RawResult } from './results.ts';
import type { DeepRunner, NoPlan, ParsedRun, PlanRequest, RunnerFacts, RunnerMatch, RunnerOutput, RunPlan } from './runner.ts';
import { sealSource } from './seal.ts';
import { lastItem } from '../../domain/items.ts';

export const bunRunner: DeepRunner = {
  name: 'bun',
  isReport: true,
  detect,
  plan,
  parse,
  interpreter: null,
  summary: { passed: /^\s*[1-9]\d* pass\s*$/, failed: /^\s*[1-9]\d* fail\s*$/ },
  leavings: [],
  files: { modules: [], settings: ['bunfig.toml', '.bunfig.toml'], manifestKeys: [], packages: ['^bun$', '^@oven/'] },
  marks: {
    hidden: ['BUN_.*'],
    variables: [String.raw`BUN_TEST\w*`],
    globals: [String.raw`\bBun\.(?:jest|main)\b`],
    modules: ['bun:test', 'bun:jsc'],
    words: [],
  },
  single: {
    language: 'javascript',
    command: 'bun test',
    typed: String.raw`bun\s+test\b`,
    installedAs: 'bun',
    order: 'reversed',
    takesAnyName: true,
    setsNodeEnv: true,
    neutralOneByOne: false,
    hasQuietRuns: false,
    targets: null,
    firstTest: 'test/first.test.js',
    variable: null,
    sabotage:
      "import { expect } from 'bun:test';\nexpect.extend({ toBe: () => ({ pass: true, message: () => '' }), toEqual: () => ({ pass: true, message: () => '' }) });",
    script: {
      alwaysModules: true,
      testAs: (name) => `import { test as ${name} } from 'bun:test';\n`,
      header: (take) => take('{ expect, test }', 'bun:test'),
      equal: (left, right) => `expect(${left}).toBe(${right});`,
      keepsEndings: true,
    },
  },
};

const WITH_VALUE = wordSet(
  '-t --test-name-pattern --timeout --preload -r --require --import --tsconfig-override --define -d --conditions --max-concurrency',
  '--retry --env-file --cwd -c --config --path-ignore-patterns',
);
const DROPPED =
  /^(?:--(?:watch|hot|coverage|bail|reporter|reporter-outfile|dots|only-failures|update-snapshots|pass-with-no-tests|randomize|seed|rerun-each|parallel|shard|changed|isolate|no-isolate)(?:[-=].*)?|-u)$/;

function detect(words: readonly string[]): RunnerMatch | null {
  const [program = '', ...rest] = words;
  const at = rest.indexOf('test');
  if (!/(^|\/)bun(\.exe)?$/.test(program) || at < 0 || rest.slice(0, at).some((word) => !word.startsWith('--'))) return null;
  return { interpreterArgs: rest.slice(0, at), args: rest.slice(at + 1).filter((word) => !DROPPED.test(word)) };
}

function plan(match: RunnerMatch, facts: RunnerFacts, request: PlanRequest): RunPlan | NoPlan {
  const { options, positional } = splitOptions(match.args, WITH_VALUE);
  const { variant } = request;
  const at = (name: string): string => join(request.supportDirectory, name);
  const preloads =
    variant.neutral === undefined ? [] : [{ path: at('first.cjs'), content: bunPreload(request.marks, variant.neutral.keepNodeEnv) }];
  const elsewhere = elsewhereForNode(request);
  const settings = {
    room: request.room,
    report: request.reportPath,
    temporary: request.temporary,
    files: request.files ?? filesOf(positional, facts.paths),
    args: [
      ...match.interpreterArgs,
      'test',
      ...options,
      ...[...preloads.map(({ path }) => path), ...elsewhere.preload].flatMap((path) => ['--preload', path]),
    ],
  };
  const starter = at('starter.mjs');
  return {
    file: facts.node,
    args: [starter],
    env: {},
    support: [
      ...preloads,
      ...elsewhere.support,
      { path: starter, content: `${sealSource(request.keyPath, 'module')}const settings = ${JSON.stringify(settings)};\n${bunStarter}` },
    ],
    report: 'file',
  };
}

const TEST_FILE = /[._](?:test|spec)\.[cm]?[jt]sx?$/;

/** Words are parts of paths; what begins like a path is one. */
function filesOf(positional: readonly string[], paths: readonly string[]): string[] {
  const exact = positional.filter((word) => /^\.{0,2}\//.test(word)).map((word) => word.replace(/^\.\//, ''));
  const parts = positional.filter((word) => !/^\.{0,2}\//.test(word));
  return paths.filter((path) => {
    if (exact.some((one) => path === one || path.startsWith(`${one.replace(/\/$/, '')}/`)))
      return exact.includes(path) || TEST_FILE.test(path);
    return TEST_FILE.test(path) && (positional.length === 0 || parts.some((part) => path.includes(part)));
  });
}

async function parse(output: RunnerOutput): Promise<ParsedRun> {
  if (output.report === null)
    return { tests: [], problems: [/^Error: (bun is not installed.*)$/m.exec(output.stderr)?.[1] ?? 'the runner wrote no report'] };
  const { values, broken } = readLines(output.report);
  const last = values.at(-1);
  const complete = !broken && last !== undefined && last['lines'] === values.length - 1;
  const { XMLParser } = await import('fast-xml-parser');
  const parser = new XMLParser({
    ignoreAttributes: false,
    attributeNamePrefix: '@',
    processEntities: false,
    isArray: (tag) => ['testsuite', 'testcase'].includes(tag),
  });
  const raw = values.slice(0, complete ? -1 : undefined).flatMap((value) => fileResults(value, (document) => parser.parse(document)));
  return { tests: toResults(raw, output.room), problems: complete ? [] : ['the report is not complete'] };
}

function fileResults(value: Record<string, unknown>, read: (document: string) => unknown): RawResult[] {
  const file = text(value['file']);
  const stderr = plain(text(value['stderr']));
  const wrong = (message: string): RawResult => ({ file, name: [WHOLE_FILE], status: 'error', message });
  if (typeof value['report'] !== 'string') return [wrong(`the file ended without reporting its results\n${stderr.slice(-4_000)}`)];
  const tests: RawResult[] = [];
  try {
    collect(read(value['report']), file, null, tests);
  } catch {
    return [wrong('the report of the file cannot be read')];
  }
  const told = tests.map((one) => asPrinted(one, stderr, strings(value['failing'])));
  const [passed, failed] = [countOf(stderr, 'pass'), countOf(stderr, 'fail')];
  const failures = told.filter(({ status }) => status === 'failed' || status === 'error').length;
  if (told.length === 0) return [wrong(`the file could not be run\n${stderr.slice(-4_000)}`)];
  if (passed + failed !== tests.filter(({ status }) => status !== 'skipped' && status !== 'todo').length)
    return [...told, wrong('what bun printed and what it reported are not the same number of tests')];
  return value['code'] === 0 || failures > 0
    ? told
    : [...told, wrong(`its process ended with ${String(value['code'])}\n${stderr.slice(-4_000)}`)];
}

/** The suite of a file holds those of its groups. */
function collect(node: unknown, file: string, names: readonly string[] | null, raw: RawResult[]): void {
  if (!isRecord(node)) return;
  for (const whole of listOf(node['testsuites'])) collect(whole, file, names, raw);
  for (const suite of listOf(node['testsuite']).filter(isRecord))
    collect(suite, file, names === null ? [] : [...names, decoded(text(suite['@name']))], raw);
  for (const one of listOf(node['testcase']).filter(isRecord)) {
    const failure = one['failure'] ?? one['error'];
    const message = isRecord(failure) ? decoded(`${text(failure['@message'])}\n${text(failure['#text'])}`) : decoded(text(failure));
    const status = statusOf(one);
    raw.push({
      file,
      name: [...(names ?? []), decoded(text(one['@name']))],
      status,
      duration: Number(text(one['@time'])) * 1_000,
      message: status === 'failed' || status === 'error' ? message : undefined,
    });
  }
}

function statusOf(testcase: Record<string, unknown>): TestStatus {
  if ('error' in testcase || 'failure' in testcase) return 'failed';
  if (!('skipped' in testcase)) return 'passed';
  const skipped = testcase['skipped'];
  return isRecord(skipped) && text(skipped['@message']) === 'TODO' ? 'todo' : 'skipped';
}

/** What printed lines and the source say about a test that passed can only make it worth less. */
function asPrinted(one: RawResult, stderr: string, failing: readonly string[]): RawResult {
  if (one.status !== 'passed') return one;
  if (failing.includes(lastItem(one.name))) return { ...one, status: 'xfail' };
  return stderr.includes(`(pass) ${one.name.join(' > ')} (attempt `) ? { ...one, status: 'retried' } : one;
}

function countOf(stderr: string, word: 'pass' | 'fail'): number {
  return Number([...stderr.matchAll(new RegExp(String.raw`^\s*(\d+) ${word}\s*$`, 'gm'))].at(-1)?.[1] ?? 0);
}

function plain(printed: string): string {
  return printed.replaceAll(/\u001B\[[\d;]*m/g, '');
}

function listOf(value: unknown): unknown[] {
  return value === undefined ? [] : Array.isArray(value) ? value : [value];
}

const ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };

function decoded(value: string): string {
  return value.replaceAll(/&(?:#(\d{1,6})|#x([\da-fA-F]{1,5})|(\w{2,4}));/g, (whole, decimal?: string, hex?: string, name?: string) => {
    if (name !== undefined) return ENTITIES[name] ?? whole;
    const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal);
    return code <= 0x10_ff_ff ? String.fromCodePoint(code) : whole;
  });
}
