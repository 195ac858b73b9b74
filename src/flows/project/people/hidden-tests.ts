/** A project with sessions of an earlier version: hidden tests are written only once a person agreed. No unattended run waits for that. */
import type { ProjectState } from '../../../domain/session.ts';
import { isChosen, projectGate } from '../../../gates/project-gates.ts';
import { consentOf, hiddenTestsLine, wantsHiddenTests, writeConsent } from '../../../kernel/roles/examiner-consent.ts';
import { usualCost } from '../../../kernel/roles/examiner-cost.ts';
import type { Project } from '../project.ts';

export async function askAboutHiddenTests(project: Project, { last_session }: Pick<ProjectState, 'last_session'>): Promise<void> {
  if (!wantsHiddenTests(project) || project.config.verification.examiner === 'on') return;
  if (last_session === 0) {
    await writeConsent(project, true);
    project.emit({ type: 'progress', message: hiddenTestsLine(project) });
    return;
  }
  if ((await consentOf(project)) !== 'open') return;
  const { asker, config } = project;
  const question = projectGate('project.hidden-tests', { model: config.models.examiner, usd: usualCost(project) });
  const isExpected = (await asker.expects?.('project.hidden-tests')) === true;
  const answer = isExpected ? await asker.ask(question) : await (asker.leave ?? asker.ask)(question);
  if (answer === 'pending') return;
  await writeConsent(project, isChosen('project.hidden-tests', 'Switch on', answer));
}
