/** Whether the whole holds once all features pass. */
import { counted } from '../../../domain/counted.ts';
import type { ProjectState } from '../../../domain/session.ts';
import { countTests, failuresIn } from '../../../domain/test-results.ts';
import { runTests } from '../../../kernel/flight/run-context.ts';
import type { Head } from '../../../kernel/flight/contract.ts';
import { projectHealth } from '../look/project-health.ts';
import type { Escalated } from '../people/followed.ts';
import { escalatedAs } from '../people/escalate.ts';
import type { LoadedList, Project } from '../project.ts';

export type Final = { kind: 'complete'; message: string } | { kind: 'broken'; escalation: Escalated; findings: string[] };

export async function finishProject(project: Project, state: ProjectState, loaded: LoadedList, head: Head): Promise<Final> {
  const total = loaded.list.features.length;
  project.emit({ type: 'progress', message: `all ${total} features pass; final verification` });
  const run = await runTests(project, { tree: head.tree }, project);
  const failing = failuresIn(run.tests);
  if (failing.length > 0 || !run.consistent || run.exit_code !== 0) {
    const names = failing
      .slice(0, 5)
      .map((test) => test.id)
      .join(', ');
    const message = `All ${total} features are marked as passing, but the full suite fails${names === '' ? `: ${run.problems.join('; ')}` : `: ${names}`}.`;
    const escalation = escalatedAs('project.false-positives', { passing: total, total, failing: failing.length }, message);
    return { kind: 'broken', escalation, findings: run.problems };
  }
  const { lint, status } = await projectHealth(project, { signal: project.signal, cached: false });
  const passed = run.tests.filter((test) => test.status === 'passed').length;
  const unverified = state.overrides.filter((entry) => entry.passes).map((entry) => `#${entry.feature}`);
  const message = `project complete: ${total}/${total} features${unverified.length === 0 ? '' : ` (on a person's word alone: ${unverified.join(', ')})`}, ${passed}/${countTests(run.tests)} tests pass, lint: ${lint === null ? 'no command' : counted(lint.errors, 'error')}, code quality: ${status}`;
  project.emit({ type: 'progress', message });
  return { kind: 'complete', message };
}
