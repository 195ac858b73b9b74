/** What a self-check found, for people. */
import type { CaseResult, SelfCheck } from '../verify/self-check/self-check.ts';
import { duration } from '../reading/figures.ts';

export function describeSelfCheck(check: SelfCheck): string[] {
  const head = `Self-check of verification with ${check.runner}${check.model === null ? '' : `, modelled on ${check.model}`} (${duration(check.duration_ms)}):`;
  return [head, ...check.results.map(lineOf), ...conclusion(check)];
}

function lineOf(result: CaseResult): string {
  const name = result.family ?? 'honest work';
  const came = { accepted: 'accepted', rejected: 'refused', needs_human: 'a question' }[result.decision];
  return `${result.right ? '✓' : '✗'} ${name}: ${came}${result.reasons.length === 0 ? '' : ` (${result.reasons.join(', ')})`}, ${result.title}`;
}

function conclusion(check: SelfCheck): string[] {
  if (check.state === 'sound') return [`✓ verification holds in this set-up: ${check.detail}`];
  if (check.state === 'unsound')
    return [`✗ ${check.detail}`, '    unattended runs ask first: harness run --until-done, then harness answer project.self-check OPTION'];
  if (check.state === 'not_ready') return [`✗ nothing could be tried, so no claim could be accepted: ${check.detail}`];
  return [
    `! ${check.detail}; cheating of these kinds can get through: ${check.unheld.join(', ')}`,
    '    before the first unattended run a person is asked once',
  ];
}
