/** The page docs/failures.md, made from the table of failures. */
import { exitCodeFor, type ExitCode } from '../../src/domain/reasons.ts';
import { FAILURES, type Failure } from '../../src/flows/project/words/orientation-facts.ts';

/** Null where the session continues. */
export function exitCodeOf(failure: Failure): ExitCode | null {
  return failure.ends === null ? null : exitCodeFor(failure.ends.outcome, [failure.ends.reason]);
}

export function failuresPage(): string {
  const lines = [
    '# What can go wrong',
    '',
    'How each failure is noticed, what the harness does about it, and how the command ends. Reason codes are in the closing `end` line and in `harness log`;',
    'exit codes are explained in [exit-codes.md](exit-codes.md). This page is made from `words/failures.json` by `npm run docs`.',
    '',
  ];
  for (const category of new Set(FAILURES.map((one) => one.category))) {
    lines.push(`## ${category}`, '', '| failure | how it is noticed | what happens | reason | exit |', '| --- | --- | --- | --- | --- |');
    for (const failure of FAILURES.filter((one) => one.category === category)) {
      lines.push(
        `| ${failure.failure} | ${failure.detection} | ${failure.response} | ${failure.ends === null ? 'none' : `\`${failure.ends.reason}\``} | ${exitCodeOf(failure) ?? 'continues'} |`,
      );
    }
    lines.push('');
  }
  return lines.join('\n');
}

export function generatedFiles(): Record<string, string> {
  return { 'docs/failures.md': failuresPage() };
}
