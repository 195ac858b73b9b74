/** What became of planted tests: a runner in which they do not get the result that they must have cannot be believed. */
import type { Finding, TestResult, TestRun } from '../../domain/verdict.ts';
import { WHOLE_FILE } from '../runners/results.ts';
import type { OnBase } from './control-base.ts';
import type { Subject } from './control-subject.ts';
import type { PlantedTests } from './plant.ts';

interface WrongResult {
  name: string;
  got: string;
}

export function wrongResults(file: string, planted: PlantedTests, run: TestRun): WrongResult[] {
  const results = new Map<string, TestResult['status'][]>();
  for (const test of run.tests) if (test.file === file) results.set(test.name, [...(results.get(test.name) ?? []), test.status]);
  const check = (name: string, wanted: string): WrongResult[] => {
    const got = results.get(name) ?? ['missing'];
    return got.filter((status) => status !== wanted).map((status) => ({ name, got: status }));
  };
  return [...planted.mustFail.flatMap((name) => check(name, 'failed')), ...planted.mustPass.flatMap((name) => check(name, 'passed'))];
}

const UNREADABLE = /SyntaxError|Transform failed|Parse failure|Unexpected token|PARSE_ERROR|has already been declared|IndentationError/;

export function judgePlanted(subject: Subject, run: TestRun): Finding[] {
  const wrong = wrongResults(subject.file, subject.planted, run);
  if (wrong.length === 0) return [];
  const whole = run.tests.find((test) => test.file === subject.file && test.name === WHOLE_FILE);
  if (whole !== undefined && UNREADABLE.test(whole.message ?? '')) {
    return [
      {
        check: 'controls',
        reason: 'tamper.toolchain',
        weight: 'ask',
        message: `no control test could be planted in ${subject.file}, so its results cannot be trusted`,
        subjects: [subject.file],
      },
    ];
  }
  const [total, count] = [subject.planted.mustFail.length + subject.planted.mustPass.length, wrong.length];
  const seen = [...new Set(wrong.map((one) => one.got))].join(', ');
  return [
    {
      check: 'controls',
      reason: 'tamper.toolchain',
      weight: 'reject',
      message: `${count} of ${total} control tests planted in ${subject.file} gave the wrong result, so results from ${subject.file} cannot be trusted`,
      subjects: [`${subject.file}: ${seen}`],
    },
  ];
}

/**
 * Accepted files that the session left alone, in which planted tests came to the same wrong results before it: they are run in a way of their own
 * that planted tests do not take part in. That is a property of the project and is held against nobody.
 */
export async function blindBefore(subjects: readonly Subject[], now: TestRun, onBase: OnBase): Promise<string[]> {
  const asked = subjects.filter((one) => !one.isFeature && one.isAsBefore && wrongResults(one.file, one.planted, now).length > 0);
  if (asked.length === 0) return [];
  const before = await onBase(new Map(asked.map((one) => [one.file, one.planted.text])));
  const told = ({ file, planted }: Subject, run: TestRun): string => JSON.stringify(wrongResults(file, planted, run));
  return asked.filter((one) => told(one, now) === told(one, before)).map((one) => one.file);
}
