/** What the examiner and the second call are shown. Everything that comes from a project is fenced as data. */
import { fence } from '../../domain/fence.ts';
import type { Feature } from '../../domain/feature.ts';
import type { EntailmentRequest, ExaminerRequest } from '../../verify/examine/contract.ts';
import { MOST_TESTS } from '../../verify/examine/read-reply.ts';
import { OUTPUT_FOLDER } from './take-output.ts';

export const EXAMINER_OUTPUT = 'examination.md';
export const ENTAILMENT_OUTPUT = 'entailment.md';

export function examinerVariables(request: ExaminerRequest): Record<string, string> {
  return {
    feature: fence(`feature ${request.feature.id}`, featureWords(request.feature)),
    interface: request.interface === null ? '' : ['Its interface:', '', fence('interface', request.interface), ''].join('\n'),
    skeleton: fence('skeleton', request.skeleton),
    surroundings: programWords(request),
    style: request.style,
    path: request.path,
    most: String(MOST_TESTS),
    output_path: `${OUTPUT_FOLDER}/${EXAMINER_OUTPUT}`,
  };
}

export function entailmentVariables({ feature, interface: said, tests, changes }: EntailmentRequest): Record<string, string> {
  return {
    feature: fence(`feature ${feature.id}`, [featureWords(feature), ...(said === null ? [] : ['', 'Interface:', said])].join('\n')),
    tests: tests.length === 0 ? 'There are none.' : tests.map(testWords).join('\n\n'),
    changes:
      changes.length === 0 ? 'There are none.' : fence('changed results', changes.map((line, at) => `${at + 1}. ${line}`).join('\n')),
    output_path: `${OUTPUT_FOLDER}/${ENTAILMENT_OUTPUT}`,
  };
}

function testWords({ behaviour, code, accepted }: EntailmentRequest['tests'][number], at: number): string {
  const earlier = accepted === undefined ? [] : [`Written for an earlier feature, accepted since: ${accepted.description}`];
  return [`Test ${at + 1}`, fence(`test ${at + 1}`, [...earlier, behaviour, '', code].join('\n'))].join('\n');
}

/** How the program starts, and the interfaces below the feature; empty: nothing is known of either. */
function programWords({ program, stands_on }: ExaminerRequest): string {
  const below = stands_on.map((one) => `#${one.id} ${one.description}\n${one.interface}`).join('\n\n');
  return [
    ...(program.length === 0 ? [] : ['How the program is started and reached:', '', fence('program', program.join('\n')), '']),
    ...(below === ''
      ? []
      : ['It depends on these features, which are built already. Their interfaces:', '', fence('interfaces', below), '']),
  ].join('\n');
}

function featureWords({ description, verification_steps: steps = [] }: Feature): string {
  return [description, ...(steps.length === 0 ? [] : ['', 'Verification steps:', ...steps.map((step, at) => `${at + 1}. ${step}`)])].join(
    '\n',
  );
}
