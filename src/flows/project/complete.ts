/** All features pass: one last look at the whole before the project is called complete. */
import { EXIT, exitCodeFor, type ExitCode, type Outcome, type Reason } from '../../domain/reasons.ts';
import type { ProjectState } from '../../domain/session.ts';
import { runRoomCommand } from '../../verify/run/room-command.ts';
import { runSuite } from '../../verify/run/suite.ts';
import { raise } from './escalate.ts';
import type { GateAnswer } from '../../domain/gate.ts';
import { isChosen, projectGate } from '../../gates/project-gates.ts';
import type { Asker } from './asker.ts';
import type { Escalated } from './carry-out.ts';
import { runContext } from './judge-step.ts';
import type { LoadedList, Project } from './project.ts';
import { step } from './state-files.ts';
import type { Head } from './trusted.ts';

export interface FinalReport {
  outcome: Outcome;
  reasons: Reason[];
  exitCode: ExitCode;
  message: string;
  /** The answer to what the final look raised, and the state it belongs to. */
  question: { state: ProjectState; escalated: Escalated; answer: GateAnswer | 'pending' } | null;
}

export async function finishProject(
  project: Project,
  state: ProjectState,
  loaded: LoadedList,
  head: Head,
  options: { noCache: boolean; signal: AbortSignal; asker: Asker },
): Promise<FinalReport> {
  const total = loaded.list.features.length;
  project.emit({ type: 'progress', message: `all ${total} features pass; final verification` });
  const run = await runSuite(project.platform, { ...runContext(project, options), tree: head.tree });
  const failing = run.tests.filter((test) => test.status === 'failed' || test.status === 'error');
  if (failing.length > 0 || !run.consistent || run.exit_code !== 0) {
    const names = failing
      .slice(0, 5)
      .map((test) => test.id)
      .join(', ');
    const message = `All ${total} features are marked as passing, but the full suite fails${names === '' ? `: ${run.problems.join('; ')}` : `: ${names}`}.`;
    const facts = { passing: total, total, failing: failing.length };
    const escalation = { gate: 'project.false-positives', feature: null, facts, message };
    const { state: asked } = await step(project, state, { type: 'escalated', escalation });
    const reasons: Reason[] = ['test.failed'];
    const answer = await raise(project, escalation, run.problems, options.asker);
    return {
      outcome: 'escalated',
      reasons,
      exitCode: exitCodeFor('escalated', reasons),
      message,
      question: { state: asked, escalated: escalation, answer },
    };
  }
  const lint = project.config.quality.lint_command;
  if (lint !== null) {
    const result = await runRoomCommand(project.platform, { ...runContext(project, options), tree: head.tree, command: lint });
    if (result.exit_code !== 0)
      project.emit({ type: 'warning', message: `lint command "${lint}" ended with ${result.exit_code ?? 'no status'}` });
  }
  await step(project, state, { type: 'completed' });
  const passed = run.tests.filter((test) => test.status === 'passed').length;
  const unverified = state.overrides.filter((entry) => entry.passes).map((entry) => `#${entry.feature}`);
  const message = `project complete: ${total}/${total} features${unverified.length === 0 ? '' : ` (on a person's word alone: ${unverified.join(', ')})`}, ${passed}/${run.tests.length} tests pass`;
  project.emit({ type: 'progress', message });
  await offerNext(project, total, options.asker);
  return { outcome: 'complete', reasons: [], exitCode: EXIT.done, message, question: null };
}

/** What may follow a finished project; asked only where someone is there to say. */
async function offerNext(project: Project, total: number, asker: Asker): Promise<void> {
  if ((await asker.expects?.('project.complete')) !== true) return;
  const answer = await asker.ask(projectGate('project.complete', { total }));
  if (answer === 'pending') return;
  if (isChosen('project.complete', 'Maintenance mode', answer))
    project.emit({
      type: 'progress',
      message:
        'Maintenance mode comes in a later version. Until then, harness health and harness verify --tree HEAD look again whenever you ask.',
    });
  if (isChosen('project.complete', 'Add features', answer))
    project.emit({ type: 'progress', message: 'Add one with: harness add-feature "what a user can do", then harness run' });
}
