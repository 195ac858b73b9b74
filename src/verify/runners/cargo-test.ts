/**
 * `cargo test`, read from what it prints: names and counts have to agree. The harness writes no tests of its own in Rust, so that an acceptance asks.
 */
import type { TestStatus } from '../../domain/verdict.ts';
import { toResults, WHOLE_FILE, type RawResult } from './results.ts';
import type { BasicRunner, ParsedRun, RunnerMatch, RunnerOutput } from './runner.ts';
import { quoted } from './shell.ts';
import { beforeFirst, groupOf } from '../../domain/text-parts.ts';
import { firstItem } from '../../domain/items.ts';
import { mustHave } from '../../domain/must-have.ts';

export const cargoRunner: BasicRunner = {
  name: 'cargo',
  isReport: true,
  detect,
  plan: ({ args }) => ({
    file: '/bin/sh',
    args: ['-c', `${commandLine(args)} 2>&1`],
    env: { CARGO_TERM_COLOR: 'never' },
    support: [],
    report: 'stdout',
  }),
  parse,
  interpreter: null,
  summary: { passed: /^test result: ok\. [1-9]\d* passed/, failed: /^test result: FAILED/ },
  leavings: [],
  files: { modules: [], settings: ['build.rs', '.cargo/**'], manifestKeys: [], packages: [] },
  marks: { hidden: [], variables: [], globals: [], modules: [], words: [] },
  single: null,
  isTold: true,
  takesControls: false,
  weakness: {
    detail: 'tests are read one by one from what they print, and the harness can write none itself in Rust',
    unheld: ['weaken tests', 'inside the runner', 'environment', 'attack the reader'],
  },
};

function detect(words: readonly string[]): RunnerMatch | null {
  if (!/(^|\/)cargo$/.test(words[0] ?? '') || (words[1] !== 'test' && words[1] !== 't')) return null;
  return {
    interpreterArgs: [],
    args: words.slice(2).filter((word) => !/^(?:-q|--quiet|--nocapture|--show-output|--no-fail-fast)$/.test(word)),
  };
}

function commandLine(args: readonly string[]): string {
  const end = args.indexOf('--');
  const own = end < 0 ? args : args.slice(0, end);
  const passed = end < 0 ? [] : args.slice(end);
  return ['cargo', 'test', '--no-fail-fast', ...own, ...passed].map(quoted).join(' ');
}

const RESULTS: Readonly<Record<string, TestStatus>> = { ok: 'passed', FAILED: 'failed', ignored: 'skipped' };

function parse(output: RunnerOutput): ParsedRun {
  const raw: RawResult[] = [];
  const problems: string[] = [];
  let file = '(crate)';
  let from = 0;
  let counted = 0;
  for (const line of output.stdout.split('\n')) {
    const place =
      /^\s+Running (?:unittests )?(\S+)(?: \(.*\))?$/.exec(line)?.[1] ?? (/^\s+Doc-tests /.test(line) ? '(documentation)' : null);
    if (place !== null) file = place;
    if (/^running \d+ tests?$/.test(line)) from = raw.length;
    const told = /^test (.+?)(?: - should panic)? \.\.\. (ok|FAILED|ignored)(?:, .*)?$/.exec(line);
    if (told !== null)
      raw.push(resultOf(file, groupOf(told, 1), mustHave(RESULTS[groupOf(told, 2)], 'the pattern names every result'), output.stdout));
    const total = /^test result: \w+\. (\d+) passed; (\d+) failed; (\d+) ignored/.exec(line);
    if (total === null) continue;
    counted += 1;
    const seen = raw.slice(from);
    const wanted = { passed: Number(total[1]), failed: Number(total[2]), skipped: Number(total[3]) } as const;
    const isSame = Object.entries(wanted).every(([status, count]) => seen.filter((one) => one.status === status).length === count);
    if (!isSame) problems.push(`cargo counted other tests in ${file} than it told of`);
  }
  if (counted === 0) {
    const error = output.stdout.split('\n').find((line) => line.startsWith('error')) ?? 'cargo test reported no tests';
    return {
      tests: toResults(output.code === 0 ? [] : [{ file: '(crate)', name: [WHOLE_FILE], status: 'error', message: error }], output.room),
      problems: [],
    };
  }
  return { tests: toResults(named(raw), output.room), problems };
}

const LINE = /\s*\(line (\d+)\)/;

/** Tests of the documentation are known by what they document and by which they are there: the line is another with every change above it. */
function named(raw: readonly RawResult[]): RawResult[] {
  const lineOf = ({ name }: RawResult): number => Number(LINE.exec(name[0] ?? '')?.[1] ?? 0);
  const seen = new Map<string, number>();
  const names = new Map<RawResult, string>();
  for (const one of raw.filter((other) => lineOf(other) > 0).toSorted((a, b) => lineOf(a) - lineOf(b))) {
    const plain = firstItem(one.name).replace(LINE, '').trim() || 'the file';
    const key = `${one.file}\0${plain}`;
    const count = (seen.get(key) ?? 0) + 1;
    seen.set(key, count);
    names.set(one, count === 1 ? plain : `${plain} (${count})`);
  }
  return raw.map((one) => {
    const name = names.get(one);
    return name === undefined ? one : { ...one, name: [name] };
  });
}

/** `src/lib.rs - add (line 5)`: a test of the documentation. */
function resultOf(file: string, name: string, status: TestStatus, stdout: string): RawResult {
  const documented = /^(\S+\.rs) - (.*)$/.exec(name);
  const at = status === 'failed' ? stdout.indexOf(`---- ${name} stdout ----`) : -1;
  const message = at < 0 ? undefined : beforeFirst(stdout.slice(at + 5), /\n(?:---- |failures:)/).slice(0, 2_000);
  return { file: documented?.[1] ?? file, name: documented === null ? name.split('::') : [groupOf(documented, 2)], status, message };
}
