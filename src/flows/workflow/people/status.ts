/** The status block and the summary of a set-up, in the user's language. Pure. */
import { inColumns } from '../../../domain/display-width.ts';
import type { Bench } from '../bench.ts';
import type { Session } from '../session.ts';

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
    [status.scope, session.scope],
  ]);
}

/** A phase whose checks failed is over, and not complete. */
export function phaseLabel({ common }: Pick<Bench, 'common'>, session: Pick<Session, 'phase' | 'verify' | 'harness'>): string {
  const { workflowPhases: labels } = common;
  if (session.phase === 'verify_done' && session.verify.layer1_result === 'FAIL') return labels.verify_failed;
  if (session.phase === 'evaluate_done' && (session.harness.verdict ?? 'PASS') !== 'PASS') return labels.evaluate_failed;
  return labels[session.phase];
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
      [status.scope, session.scope],
      [status.output, session.docs_path],
    ]),
  ];
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim().slice(0, 200);
}
