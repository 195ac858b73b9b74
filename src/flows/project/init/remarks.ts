/** What the harness and a person say about a set-up whose list is valid, before it becomes the project's. */
import { HarnessError, usageError } from '../../../domain/errors.ts';
import { fence } from '../../../domain/fence.ts';
import { EXIT } from '../../../domain/reasons.ts';
import type { AgentChoice } from '../../../kernel/place-settings.ts';
import type { Asker } from '../people/asker.ts';
import type { Project } from '../project.ts';
import { confirmList } from './confirm-list.ts';
import type { InitializerWork, Remark } from './initializer-session.ts';
import { lookAtSetUp } from './look-at-set-up.ts';
import type { SetUpProblem } from './set-up-problems.ts';

interface Listener extends AgentChoice {
  asker?: Asker;
}

/** Null: it is taken. `canAnswer`: the agent can still repair what is found; otherwise it is told to the person. */
export async function remarkOn(
  project: Project,
  base: string,
  work: InitializerWork,
  canAnswer: boolean,
  listener: Listener,
): Promise<Remark | null> {
  const problems = await lookAtSetUp(project, base, work, listener);
  const refused = problems.some(({ weight }) => weight === 'refuse');
  if (problems.length > 0 && (canAnswer || refused)) return ofProblems(problems, refused);
  for (const { text } of problems) project.emit({ type: 'warning', message: text });
  return await ofPerson(work, listener);
}

function ofProblems(problems: readonly SetUpProblem[], refused: boolean): Remark {
  const lines = problems.map(({ text }) => `- ${text}`);
  return {
    repair: `[harness] The list is valid, and the set-up was looked at:\n${lines.join('\n')}\nRepair it and end your turn.`,
    refused: refused
      ? usageError(
          "The initializer's set-up cannot be used; nothing was changed in the project.",
          ...problems.map(({ text }) => text),
          'Run harness init again: the agent is told, and goes on from what it left.',
        )
      : null,
  };
}

async function ofPerson(work: InitializerWork, { asker }: Listener): Promise<Remark | null> {
  const answer = await confirmList(work.parsed.list!.features, asker);
  if (answer.kind === 'accepted') return null;
  if (answer.kind === 'declined')
    throw new HarnessError('The list was not accepted; nothing was changed in the project.', { exitCode: EXIT.rejected });
  return {
    byPerson: true,
    repair: `[harness] A person looked at the list and wants it changed:\n${fence('words of the person', answer.text)}\nChange the list and what belongs to it, then end your turn.`,
    refused: new HarnessError('The list is to be changed; nothing was changed in the project yet.', {
      exitCode: EXIT.rejected,
      reasons: ['features.invalid'],
      details: [
        `A person says about the list: ${answer.text}`,
        'Run harness init again: the agent is told, and goes on from what it left.',
      ],
    }),
  };
}
