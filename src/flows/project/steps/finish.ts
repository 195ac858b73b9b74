/** All features pass: one last look at the whole before the project is called complete. */
import { raise, escalatedAs } from '../people/escalate.ts';
import type { Running } from '../machine/running.ts';
import type { Project, LoadedList } from '../project.ts';
import { closeConditions } from '../people/questions.ts';
import { ended } from '../machine/run-report.ts';
import { readTrusted } from '../list/trusted.ts';
import type { ProjectProgress } from './contract.ts';
import { follow } from './follow.ts';
import { counted, testsPassing } from '../../../domain/counted.ts';
import type { ProjectState } from '../../../domain/session.ts';
import { countTests, failuresIn } from '../../../domain/test-results.ts';
import { runTests } from '../../../kernel/flight/run-context.ts';
import type { Head } from '../../../kernel/flight/contract.ts';
import { projectHealth } from '../look/project-health.ts';
import type { Escalated } from '../people/followed.ts';

export async function finish(project: Project, { project: state, run }: Running): Promise<ProjectProgress> {
  const { loaded, head } = await readTrusted(project, state);
  const final = await finishProject(project, state, loaded, head);
  const about = { session: run.last?.session ?? null, feature: null, commit: run.last?.commit ?? null };
  if (final.kind === 'complete') await closeConditions(project);
  if (final.kind === 'complete')
    return {
      event: {
        type: 'done',
        changes: [{ type: 'completed' }],
        next: { kind: 'complete', report: { ...ended('complete', [], final.message), ...about } },
      },
    };
  const { escalation, findings } = final;
  const report = { ...ended('escalated', ['test.failed'], escalation.message), ...about };
  return await follow(project, state, {
    escalated: escalation,
    answer: await raise(project, escalation, { findings, asker: project.asker }),
    changes: [{ type: 'escalated', escalation }],
    report,
    pending: { kind: 'end', report },
    goOn: { kind: 'again' },
  });
}

type Final = { kind: 'complete'; message: string } | { kind: 'broken'; escalation: Escalated; findings: string[] };

/** Whether the whole holds once all features pass. */
async function finishProject(project: Project, state: ProjectState, loaded: LoadedList, head: Head): Promise<Final> {
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
  const message = `project complete: ${total}/${total} features${unverified.length === 0 ? '' : ` (on a person's word alone: ${unverified.join(', ')})`}, ${testsPassing(passed, countTests(run.tests))}, lint: ${lint === null ? 'no command' : counted(lint.errors, 'error')}, code quality: ${status}`;
  project.emit({ type: 'progress', message });
  return { kind: 'complete', message };
}
