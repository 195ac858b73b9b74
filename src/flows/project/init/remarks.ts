/** What the harness and a person say about a set-up whose list is valid, before it becomes the project's. */
import { HarnessError, usageError } from '../../../domain/errors.ts';
import { fence } from '../../../domain/fence.ts';
import { EXIT } from '../../../domain/reasons.ts';
import type { AgentChoice } from '../../../kernel/place-settings.ts';
import type { Asker } from '../people/asker.ts';
import type { Project } from '../project.ts';
import type { InitializerWork, Remark } from './initializer-session.ts';
import { type SetUpProblem, setUpProblems } from './set-up-problems.ts';
import { pathSetOf } from '../../../domain/tree-index.ts';
import type { TestRun } from '../../../domain/verdict.ts';
import { foundIn } from '../../../kernel/founding/new-settings.ts';
import { runTests } from '../../../kernel/flight/run-context.ts';
import { openPlace } from '../../../kernel/place.ts';
import { finalFiles } from './initializer-files.ts';
import type { Feature } from '../../../domain/feature.ts';
import { isChosen, projectGate } from '../../../gates/project-gates.ts';

interface Listener extends AgentChoice {
  asker?: Asker;
}

/** Null: it is taken. `canAnswer`: the agent can still repair what is found; otherwise it is told to the person. */
export async function remarkOn(
  project: Project,
  { base, work, canAnswer }: { base: string; work: InitializerWork; canAnswer: boolean },
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
          'Run harness init again: the agent gets the reasons and continues from what it left.',
        )
      : null,
  };
}

async function ofPerson(work: InitializerWork, { asker }: Listener): Promise<Remark | null> {
  const answer = await confirmList(work.list.features, asker);
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
        'Run harness init again: the agent gets the reasons and continues from what it left.',
      ],
    }),
  };
}

/** `base`: the tree that the session started from. */
async function lookAtSetUp(project: Project, base: string, work: InitializerWork, options: AgentChoice): Promise<SetUpProblem[]> {
  const { trees } = project;
  const edits = await finalFiles(project, work, options);
  const tree = await trees.compose(work.capture.tree, edits);
  const settings = edits.find((edit) => edit.path === '.harness.yaml')?.content;
  return setUpProblems({
    features: work.list.features,
    before: await pathsOf(project, base),
    after: await pathsOf(project, tree),
    run: await suiteOf(project, tree, settings === undefined ? null : String(settings)),
    detected: await foundIn(project, tree),
  });
}

async function pathsOf({ trees }: Project, tree: string): Promise<ReadonlySet<string>> {
  return pathSetOf(await trees.list(tree));
}

/** What cannot be run, such as an install that fails, is told by the first look at the project. */
async function suiteOf({ platform, root }: Project, tree: string, configText: string | null): Promise<TestRun | null> {
  const asked = { emit: () => {}, journal: false as const, needs: 'project' as const, ...(configText === null ? {} : { configText }) };
  const place = await openPlace(platform, root, asked);
  try {
    return await runTests(place, { tree }, { noCache: false });
  } catch (error) {
    if (error instanceof HarnessError) return null;
    throw error;
  } finally {
    await place.rooms.dispose();
  }
}

/** Words: what should be different. `declined`: nothing of it is wanted. */
type ListAnswer = { kind: 'accepted' } | { kind: 'changes'; text: string } | { kind: 'declined' };

/** Nobody is kept waiting for it: where nobody is there, the list is taken and can be edited later. */
export async function confirmList(features: readonly Feature[], asker: Asker | undefined): Promise<ListAnswer> {
  if (asker?.expects === undefined || !(await asker.expects('project.features'))) return { kind: 'accepted' };
  const answer = await asker.ask(projectGate('project.features', { features: features.length }, features.map(listLine)));
  if (answer === 'pending' || isChosen('project.features', 'Accept list', answer)) return { kind: 'accepted' };
  const text = answer.text?.trim() ?? '';
  return isChosen('project.features', 'Stop', answer) || text === '' ? { kind: 'declined' } : { kind: 'changes', text };
}

function listLine({ id, description, depends_on = [], size_estimate, verification_steps }: Feature): string {
  const notes = [
    size_estimate,
    verification_steps === undefined ? undefined : `${verification_steps.length} steps`,
    depends_on.length === 0 ? undefined : `after ${depends_on.map((other) => `#${other}`).join(', ')}`,
  ].filter((note) => note !== undefined);
  return `#${id} ${description.replace(/\s+/g, ' ')}${notes.length === 0 ? '' : ` (${notes.join(', ')})`}`;
}
