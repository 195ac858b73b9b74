/** All features pass: one last look at the whole before the project is called complete. */
import { EXIT, exitCodeFor, type ExitCode, type Outcome, type Reason } from '../../domain/reasons.ts';
import type { ProjectState } from '../../domain/session.ts';
import { runRoomCommand } from '../../verify/room-command.ts';
import { runSuite } from '../../verify/suite.ts';
import { raise } from './escalate.ts';
import type { Asker } from './asker.ts';
import { runContext } from './judge-step.ts';
import type { LoadedList, Project } from './project.ts';
import type { Head } from './run-session.ts';
import { step } from './state-files.ts';

export interface FinalReport {
  outcome: Outcome;
  reasons: Reason[];
  exitCode: ExitCode;
  message: string;
}

export async function finishProject(project: Project, state: ProjectState, loaded: LoadedList, head: Head, options: { noCache: boolean; signal: AbortSignal; asker: Asker }): Promise<FinalReport> {
  const total = loaded.list.features.length;
  project.emit({ type: 'progress', message: `all ${total} features pass; final verification` });
  const run = await runSuite(project.platform, { ...runContext(project, options), tree: head.tree });
  const failing = run.tests.filter((test) => test.status === 'failed' || test.status === 'error');
  if (failing.length > 0 || !run.consistent || run.exit_code !== 0) {
    const names = failing.slice(0, 5).map((test) => test.id).join(', ');
    const message = `All ${total} features are marked as passing, but the full suite fails${names === '' ? `: ${run.problems.join('; ')}` : `: ${names}`}.`;
    const facts = { passing: total, total, failing: failing.length };
    const escalation = { gate: 'project.false-positives', feature: null, facts, message };
    await step(project, state, { type: 'escalated', escalation });
    const reasons: Reason[] = ['test.failed'];
    await raise(project, escalation, run.problems, options.asker);
    return { outcome: 'escalated', reasons, exitCode: exitCodeFor('escalated', reasons), message };
  }
  const lint = project.config.quality.lint_command;
  if (lint !== null) {
    const result = await runRoomCommand(project.platform, { ...runContext(project, options), tree: head.tree, command: lint });
    if (result.exit_code !== 0) project.emit({ type: 'warning', message: `lint command "${lint}" ended with ${result.exit_code ?? 'no status'}` });
  }
  await step(project, state, { type: 'completed' });
  const passed = run.tests.filter((test) => test.status === 'passed').length;
  const message = `project complete: ${total}/${total} features, ${passed}/${run.tests.length} tests pass`;
  project.emit({ type: 'progress', message });
  return { outcome: 'complete', reasons: [], exitCode: EXIT.done, message };
}
