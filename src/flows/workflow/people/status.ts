/** The status block and the summary of a set-up, in the user's language. Pure. */
import { displayWidth } from '../../../domain/display-width.ts';
import { NO_SCOPE } from '../../../kernel/ground/scope.ts';
import type { Bench } from '../bench.ts';
import type { Session } from '../session.ts';

type Voice = Pick<Bench, 'common' | 'words'>;

export function statusBlock({ common }: Pick<Bench, 'common'>, session: Session): string[] {
  const { status } = common;
  return block([
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
    ...block([
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

function block(rows: readonly (readonly [string, string])[]): string[] {
  const width = Math.max(...rows.map(([name]) => displayWidth(name)));
  return rows.map(([name, value]) => `${name}${' '.repeat(width - displayWidth(name))} : ${value}`);
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim().slice(0, 200);
}
