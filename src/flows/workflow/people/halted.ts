/** How a run ends that was asked for one part, or that a person stopped. */
import { EXIT } from '../../../domain/reasons.ts';
import type { Bench } from '../bench.ts';
import type { WorkflowReport } from '../contract.ts';
import { documentPath } from '../documents.ts';
import type { WorkflowEvent } from '../machine/event.ts';
import { partial } from '../role-call.ts';

export function halted(bench: Bench, event: WorkflowEvent): WorkflowReport {
  const { words } = bench;
  if (event.type === 'stop') return partial(['user_pause'], words.halted.stopped);
  const { phase, verify, harness } = bench.session;
  const failed =
    phase === 'verify_done' ? verify.layer1_result === 'FAIL' : phase === 'evaluate_done' && (harness.verdict ?? 'PASS') !== 'PASS';
  if (failed) return { outcome: 'rejected', reasons: ['sanity.failed'], exitCode: EXIT.rejected, commit: null, message: messageFor(bench) };
  return { outcome: 'complete', reasons: [], exitCode: EXIT.done, commit: null, message: messageFor(bench) };
}

function messageFor({ session, words }: Bench): string {
  const { halted: say } = words;
  switch (session.phase) {
    case 'plan_done':
      return say.plan({ path: documentPath(session, 'spec.md') });
    case 'generate_done':
      return say.generate;
    case 'verify_done':
    case 'evaluate_ready':
      if (session.verify.layer1_result === 'FAIL')
        return `${say.verifyFailed({ result: session.harness.summary ?? session.verify.layer1_result })} ${words.next.despite}`;
      return say.verify({ result: session.harness.summary ?? session.verify.layer1_result ?? '' });
    default:
      return say.evaluate({ result: session.harness.summary ?? session.harness.verdict ?? '' });
  }
}
