/** What an agent is told about its last try: what the harness saw, and nothing that an agent said. Pure. */
import type { Proof } from './state.ts';

const LONGEST = 6_000;

export function feedbackFor(proof: Proof): string {
  const lines = [
    ...proof.preflight.filter((item) => !item.ok).map((item) => `- ${item.item}: ${item.evidence}`),
    ...proof.failures.map((failure) => `- failed: ${failure}`),
    ...proof.rules.filter((rule) => !rule.verified && rule.mendable).map((rule) => `- ${rule.rule} is not verified: ${rule.evidence}`),
    ...proof.validation
      .filter((run) => run.exit_code !== 0)
      .map((run) => `- \`${run.command}\` ended with ${run.exit_code ?? 'no status'}:\n${run.output.slice(-1_500)}`),
  ];
  return lines.join('\n').slice(0, LONGEST);
}
