/** The status block and the summary of a set-up, in the user's language. Pure. */
import { inColumns } from '../../../domain/display-width.ts';
import { NO_SCOPE } from '../../../kernel/ground/scope.ts';
import type { Bench } from '../bench.ts';
import type { Session } from '../session.ts';
import type { Phase, WorkflowReport } from '../contract.ts';
import { EXIT } from '../../../domain/reasons.ts';
import { documentPath } from '../documents.ts';
import type { WorkflowEvent } from '../machine/event.ts';
import { partial } from '../role-call.ts';

type Voice = Pick<Bench, 'common' | 'words'>;

export function statusBlock({ common }: Pick<Bench, 'common'>, session: Session): string[] {
  const { status } = common;
  return inColumns([
    [status.task, oneLine(session.task)],
    [status.mode, session.mode],
    [status.model, session.model_config.preset],
    [status.style, session.run_style],
    [status.phase, phaseLabel({ common }, session)],
    [status.round, `${session.round} / ${session.max_rounds}`],
    ...(session.has_git === false || session.branch === null ? [] : [[status.branch, session.branch] as const]),
    [status.scope, session.scope === NO_SCOPE ? status.noLimit : session.scope],
  ]);
}

/** A phase whose checks failed is over, and not complete. */
export function phaseLabel({ common }: Pick<Bench, 'common'>, session: Staged): string {
  return common.workflowPhases[stageOf(session)];
}

type Staged = Pick<Session, 'phase' | 'harness'> & { verify?: Session['verify'] };

export function stageOf({ phase, verify, harness }: Staged): Session['phase'] | 'verify_failed' | 'evaluate_failed' {
  if (phase === 'verify_done' && verify?.layer1_result === 'FAIL') return 'verify_failed';
  return phase === 'evaluate_done' && (harness.verdict ?? 'PASS') !== 'PASS' ? 'evaluate_failed' : phase;
}

export function setupSummary({ common, words }: Voice, session: Session, directory: string): string[] {
  const { status } = common;
  return [
    words.setup.started,
    ...inColumns([
      [status.directory, directory],
      ...(session.branch === null ? [] : [[status.branch, session.branch] as const]),
      [status.mode, session.mode],
      [status.model, session.model_config.preset],
      [status.verifier, session.model_config.verifier],
      [status.style, session.run_style],
      [status.language, session.lang],
      [status.test, session.test_cmd ?? status.none],
      [status.build, session.build_cmd ?? status.none],
      [status.lint, session.lint_cmd ?? status.none],
      [status.typeCheck, session.type_check_cmd ?? status.none],
      [status.scope, session.scope === NO_SCOPE ? status.noLimit : session.scope],
      [status.output, session.docs_path],
    ]),
  ];
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim().slice(0, 200);
}

/** The next step of a session, as a question. */
export const NEXT: Readonly<Record<Phase, 'plan' | 'generate' | 'verify' | 'evaluate' | 'finish'>> = {
  plan_ready: 'plan',
  planning: 'plan',
  plan_done: 'generate',
  generate_ready: 'generate',
  generating: 'generate',
  generate_done: 'verify',
  verify_ready: 'verify',
  verifying: 'verify',
  verify_done: 'evaluate',
  evaluate_ready: 'evaluate',
  evaluating: 'evaluate',
  evaluate_done: 'finish',
  completed: 'finish',
};

export function suggestion({ session, words }: Pick<Bench, 'session' | 'words'>): string {
  if (session.phase === 'verify_done' && session.verify.layer1_result === 'FAIL') return words.next.despite;
  return words.next[NEXT[session.phase]];
}

/** How a run ends that was asked for one part, or that a person stopped. */
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
