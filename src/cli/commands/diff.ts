/** `harness diff N`: what a session changed, whether it landed or not. */
import { EXIT } from '../../domain/reasons.ts';
import { differenceOfSession } from '../../flows/project/look/session.ts';
import { readPast } from '../../flows/project/look/past.ts';
import { openProject } from '../../flows/project/project.ts';
import type { Command } from '../command.ts';
import { readSubject } from '../subject.ts';

export const run: Command = async ({ platform, root, output, args }) => {
  const project = await openProject(platform, root, { emit: output.emit, journal: false });
  const difference = await differenceOfSession(project, await readPast(project), readSubject(args[0] ?? ''));
  const { patch, session, landed } = difference;
  output.note(`Session ${session}: ${landed ? 'on the branch' : 'not on the branch'}.`);
  output.object(difference, patch === '' ? 'It changed nothing.' : patch.trimEnd());
  return { exitCode: EXIT.done };
};
