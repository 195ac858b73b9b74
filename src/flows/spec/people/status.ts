/** The status block of a session, in its own language. Pure. */
import { inColumns } from '../../../domain/display-width.ts';
import { wordsIn } from '../../../domain/words.ts';
import { LAST_ROUND, type SpecState } from '../machine/state.ts';

export function renderStatus(state: SpecState): string {
  const words = wordsIn(state.user_lang).common;
  const rows: [string, string | null][] = [
    [words.status.skill, 'spec'],
    [words.status.task, state.task.replace(/\s+/gu, ' ')],
    [words.status.mode, state.mode],
    [words.status.model, state.mode === 'deep' ? (state.model_config?.preset ?? null) : null],
    [words.status.phase, words.specPhases[state.phase]],
    [words.status.qaRound, `${state.qa_round ?? 1} / ${LAST_ROUND}`],
    [words.status.branch, state.has_git ? state.branch : null],
    [words.status.output, state.docs_path],
  ];
  return ['[harness]', ...block(rows)].join('\n');
}

/** What was decided in the set-up. */
export function renderStart(state: SpecState, title: string): string {
  const words = wordsIn(state.user_lang).common.status;
  return [
    `[harness] ${title}`,
    ...block([
      [words.branch, state.has_git ? state.branch : null],
      [words.mode, state.mode],
      [words.model, state.mode === 'deep' ? (state.model_config?.preset ?? null) : null],
      [words.output, `${state.docs_path}spec.md`],
    ]),
  ].join('\n');
}

function block(rows: readonly (readonly [string, string | null])[]): string[] {
  const shown = rows.filter((row): row is [string, string] => row[1] !== null);
  return inColumns(shown).map((line) => `  ${line}`);
}
