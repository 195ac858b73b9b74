/**
 * The guard in front of unattended runs: nothing goes on without a person unless verification holds in the project's own test set-up.
 *
 * 1. What was found for the same set-up before costs nothing; otherwise the self-check runs and says so: an honest change before the first
 *    session, the planted cheats beside it. Nothing lands before they have been noticed.
 * 2. Tests that cannot be started yet accept nothing, so that such a project goes on with a warning and is checked the next time.
 */
import type { Outcome, Reason } from '../../../domain/reasons.ts';
import { removeGate } from '../../../gates/gate-files.ts';
import { isChosen } from '../../../gates/project-gates.ts';
import type { Asker } from '../people/asker.ts';
import { escalatedAs, raise } from '../people/escalate.ts';
import type { Project } from '../project.ts';
import type { StoredCheck } from '../../../kernel/documents/self-check-document.ts';
import { knownSelfCheck, performSelfCheck, selfCheckKey, type Trusted } from '../../../kernel/ground/self-check.ts';
import type { Running } from '../machine/running.ts';
import { ended } from '../machine/run-report.ts';
import { readTrusted } from '../list/trusted.ts';
import type { ProjectProgress } from './contract.ts';

const GATE = 'project.self-check';

/** How a run ends that may not go on. */
export interface Refusal {
  outcome: Outcome;
  reasons: Reason[];
  message: string;
}

/** null: the run may go on. */
export async function guardUnattended(
  project: Project,
  trusted: Trusted,
  options: { asker: Asker; signal: AbortSignal },
): Promise<Refusal | null> {
  const known = await knownSelfCheck(project, await selfCheckKey(project, trusted.tree));
  const isOpen = known !== null && known.accepted === null && known.state !== 'sound';
  const isAnswered = isOpen && (await options.asker.expects?.(GATE)) === true;
  const found = known !== null && (!isOpen || isAnswered || known.state === 'basic') ? known : await checkNow(project, trusted, options);
  return found === null ? null : await goBy(project, found, known, options.asker);
}

/** Before a second session: what the planted cheats have shown. null: the run may go on. */
export async function guardLate(project: Project, asker: Asker): Promise<Refusal | null> {
  const found = await project.beside.result();
  return found === null ? null : await goBy(project, found, null, asker);
}

async function goBy(project: Project, found: StoredCheck, known: StoredCheck | null, asker: Asker): Promise<Refusal | null> {
  if (found.state === 'not_ready') {
    project.emit({ type: 'warning', message: `The self-check has to wait: ${found.detail}. Until then every claim ends as a question.` });
    return null;
  }
  if (found !== known || known.state !== 'sound') await project.documents.write('self-check', found);
  if (found.state === 'sound' || found.accepted !== null) {
    await removeGate(project.documents.folder('gates'), GATE);
    return null;
  }
  return await askForRisk(project, found, asker);
}

/** null: the planted cheats are judged beside the first session. */
async function checkNow(project: Project, trusted: Trusted, options: { signal: AbortSignal }): Promise<StoredCheck | null> {
  project.emit({
    type: 'progress',
    message: "Self-check: planting cheats in this project's own test set-up, once per set-up; nothing is accepted before they are noticed.",
  });
  return await project.beside.begin(async ({ signal, honestPassed }) => {
    const { stored } = await performSelfCheck(project, trusted, { signal: AbortSignal.any([signal, options.signal]), honestPassed });
    tellCheck(project, stored);
    return stored;
  });
}

function tellCheck(project: Project, stored: StoredCheck): void {
  project.emit({
    type: 'preflight.check',
    name: 'self-check',
    state: STATES[stored.state],
    detail: `${stored.runner}: ${stored.detail}`,
    duration_ms: stored.duration_ms,
  });
}

const STATES = { sound: 'passed', unsound: 'failed', basic: 'warned', not_ready: 'skipped' } as const;

async function askForRisk(project: Project, found: StoredCheck, asker: Asker): Promise<Refusal | null> {
  const facts = { runner: found.runner, passing: found.passing, unheld: found.unheld, detail: found.detail };
  const answer = await raise(project, escalatedAs(GATE, facts, found.detail), { findings: [], asker });
  if (answer === 'pending')
    return {
      outcome: 'needs_human',
      reasons: ['gate.pending', 'verification.unsound'],
      message: `a question waits: harness gates, then harness answer ${GATE} OPTION`,
    };
  project.emit({ type: 'decision', session: null, text: `${GATE}: ${answer.option ?? answer.text ?? ''}`, by: 'user' });
  if (isChosen(GATE, 'Accept the risk', answer)) {
    project.beside.waive();
    await project.documents.write('self-check', { ...found, accepted: { by: answer.by, at: project.now() } });
    return null;
  }
  await project.documents.remove('self-check');
  return {
    outcome: 'error',
    reasons: ['verification.unsound'],
    message:
      'Nothing was started. Repair the test set-up and check again with: harness doctor --verify. Single sessions continue with: harness run',
  };
}

/** Nothing goes on without a person unless verification holds in the project's own test set-up. */
export async function guard(project: Project, { project: state }: Running): Promise<ProjectProgress> {
  const { loaded, head } = await readTrusted(project, state);
  const refused = await guardUnattended(project, { features: loaded.list.features, tree: head.tree }, project);
  return refused === null ? { event: { type: 'guarded' } } : { rest: ended(refused.outcome, refused.reasons, refused.message) };
}
