/**
 * A test file that makes calls and fails with what each of them gives: so it loads what the project's own tests load, in every runner.
 *
 * 1. It imports only the names that it needs. One that is not there does not keep the others from being called.
 * 2. A result is recognised by a word that is drawn for the run.
 */
import describeInJavascript from '../../../assets/parts/describe-result.cjs';
import describeInPython from '../../../assets/parts/describe-result.py';
import type { RunnerName, TestRun } from '../../domain/verdict.ts';
import { writerFor } from '../checks/plant.ts';
import type { Range, SourceReading } from '../source/source.ts';
import type { Input } from './inputs.ts';

/** A statement that imports names which the calls need. */
export interface Import extends Range {
  names: readonly string[];
}

export interface Asker {
  text: string;
  reading: SourceReading;
  imports: readonly Import[];
  runner: RunnerName;
}

export interface Numbered extends Input {
  number: number;
}

export function questionText({ text, reading, imports, runner }: Asker, inputs: readonly Numbered[], word: string): string {
  const used = new Set(inputs.flatMap(({ names }) => [...names]));
  const needed = imports.filter(({ names }) => names.some((name) => used.has(name)));
  const isPython = reading.language === 'python';
  const head = needed.flatMap((one, at) => (isPython ? pythonImport : javascriptImport)({ text, reading, used, at }, one)).join('\n');
  const write = writerFor(head, reading.language, runner);
  const tests = inputs.map(({ number, text: call }) =>
    isPython
      ? write.test(`test_result_${number}`, `raise RuntimeError('${word} ${number} %s' % describe_result(lambda: (${call})))`)
      : write.test(`result ${number}`, `throw new Error('${word} ${number} ' + (await describeResult(async () => (${call}))));`),
  );
  const body = `${write.header}\n${isPython ? describeInPython : describeInJavascript}\n${tests.map((one) => one.text).join('\n')}`;
  return `${isPython ? '' : '// @ts-nocheck\n'}${head}\n\n${body}${write.footer(tests.map(({ name }) => name))}`;
}

interface Importing extends Pick<Asker, 'text' | 'reading'> {
  used: ReadonlySet<string>;
  at: number;
}

/** A name that a module does not have would keep it from loading: it is taken from the whole. */
function javascriptImport({ text, reading, used, at }: Importing, { start, end }: Import): string[] {
  const statement = text.slice(start, end);
  if (!/^import\b/.test(statement)) return [statement];
  return reading.imports
    .filter((one) => one.start >= start && one.end <= end && !one.isType)
    .flatMap(({ specifier, names, locals }, number) => {
      const whole = `module${at}_${number}`;
      const taken = names.flatMap((name, index) => {
        const local = locals[index] ?? '';
        return used.has(local) ? [`const ${local} = ${name === '*' ? whole : `${whole}[${JSON.stringify(name)}]`};`] : [];
      });
      return taken.length === 0 ? [] : [`import * as ${whole} from ${JSON.stringify(specifier)};`, ...taken];
    });
}

function pythonImport({ text, reading, used }: Importing, { start, end }: Import): string[] {
  const own = reading.imports.find((one) => one.start >= start && one.end <= end);
  if (own === undefined || own.names.length === 0) return [text.slice(start, end)];
  return own.names.flatMap((name, index) => {
    const local = own.locals[index] ?? '';
    if (!used.has(local)) return [];
    return ['try:', `    from ${own.specifier} import ${name} as ${local}`, 'except ImportError:', `    ${local} = None`];
  });
}

export interface Result {
  digest: string;
  shown: string;
}

/** By number; a call that gave no data, or did not come to an end, has none. */
export function resultsIn({ tests }: Pick<TestRun, 'tests'>, word: string): Map<number, Result> {
  const pattern = new RegExp(`${word} (\\d+) ([0-9a-f]{16}) (.*)`);
  const found = new Map<number, Result>();
  for (const { message = '' } of tests) {
    const [, number, digest, shown] = pattern.exec(message) ?? [];
    if (number !== undefined && digest !== undefined && shown !== undefined) found.set(Number(number), { digest, shown: shown.trim() });
  }
  return found;
}
