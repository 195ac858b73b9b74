/**
 * `go test`, read from its own events. Tests are told under their package; the harness writes none of its own in Go, so that an acceptance asks.
 */
import type { TestStatus } from '../../domain/verdict.ts';
import { parseObject, text, toResults, WHOLE_FILE, type RawResult } from './results.ts';
import type { BasicRunner, ParsedRun, RunnerMatch, RunnerOutput } from './runner.ts';
import { quoted } from './shell.ts';

export const goRunner: BasicRunner = {
  name: 'go',
  isReport: true,
  detect,
  plan: (match) => ({
    file: '/bin/sh',
    args: ['-c', ['go', 'test', '-json', ...match.args].map(quoted).join(' ')],
    env: {},
    support: [],
    report: 'stdout',
  }),
  parse,
  interpreter: null,
  summary: { passed: /^ok\s+\S+\s+(?:[\d.]+s|\(cached\))/, failed: /^(?:FAIL\s+\S+|--- FAIL:)/ },
  leavings: [],
  files: { modules: [], settings: ['go.work', 'go.mod'], manifestKeys: [], packages: [] },
  marks: { hidden: [], variables: [], globals: [], modules: [], words: [] },
  single: null,
  isTold: true,
  takesControls: false,
  weakness: {
    detail: 'tests are read one by one, and the harness can write none itself in Go',
    unheld: ['weaken tests', 'inside the runner', 'environment', 'attack the reader'],
  },
};

function detect(words: readonly string[]): RunnerMatch | null {
  if (!/(^|\/)go$/.test(words[0] ?? '') || words[1] !== 'test') return null;
  return {
    interpreterArgs: [],
    args: words.slice(2).filter((word) => !/^-(?:json|v|failfast|cover|coverprofile=.*|covermode=.*|coverpkg=.*)$/.test(word)),
  };
}

const STATUSES: Readonly<Record<string, TestStatus>> = { pass: 'passed', fail: 'failed', skip: 'skipped' };

function parse(output: RunnerOutput): ParsedRun {
  const raw: RawResult[] = [];
  const said = new Map<string, string>();
  const packages = new Set<string>();
  const ended = new Set<string>();
  for (const line of output.stdout.split('\n')) {
    const event = line.startsWith('{') ? parseObject(line) : null;
    if (event === null) continue;
    const place = text(event['Package']);
    const test = text(event['Test']);
    const key = `${place}\0${test}`;
    const status = STATUSES[text(event['Action'])];
    if (text(event['Action']) === 'output') said.set(key, `${said.get(key) ?? ''}${text(event['Output'])}`.slice(-4_000));
    if (place !== '') packages.add(place);
    if (status === undefined) continue;
    const message = status === 'failed' ? said.get(key) : undefined;
    const duration = typeof event['Elapsed'] === 'number' ? event['Elapsed'] * 1_000 : undefined;
    if (test !== '') raw.push({ file: place, name: test.split('/'), status, duration, message });
    else {
      ended.add(place);
      const isAlone = status === 'failed' && !raw.some((one) => one.file === place && one.status === 'failed');
      if (isAlone) raw.push({ file: place, name: [WHOLE_FILE], status: 'error', message: message ?? 'the package did not pass' });
    }
  }
  const open = [...packages].filter((one) => !ended.has(one));
  const problems = packages.size === 0 ? ['go test told of no package'] : open.map((one) => `go test did not end for ${one}`);
  return {
    tests: toResults(raw, output.room),
    problems: output.code === 0 || packages.size > 0 ? problems : [...problems, firstLine(output.stderr)],
  };
}

function firstLine(stderr: string): string {
  return stderr.trim().split('\n')[0]?.slice(0, 300) || 'go could not be started';
}
