/** `harness show [SESSION|FEATURE|COMMIT]`: the whole story of one session, through a pager as git does. */
import { usageError } from '../../domain/errors.ts';
import { EXIT } from '../../domain/reasons.ts';
import { findSession } from '../../flows/project/look/session.ts';
import { readPast } from '../../flows/project/look/past.ts';
import { openProject } from '../../flows/project/project.ts';
import { openHistory } from '../../journal/history.ts';
import { showInPager } from '../../platform/pager.ts';
import { openReader } from '../../reading/open-reader.ts';
import type { Command, CommandContext } from '../command.ts';
import { cleanScreen } from '../paint.ts';
import { sessionLines } from '../session-lines.ts';
import { readSubject } from '../subject.ts';

export const run: Command = async (context) => {
  const { platform, root, output, args, signal } = context;
  const number = args[0] === undefined ? await lastSession(context) : await sessionOf(context, args[0]);
  const view = await openReader(platform, 'show', root).session(number);
  if (view.record === null && view.started_at === null)
    throw usageError(`There is no session ${number} here.`, 'harness summary lists what ran.');
  const lines = sessionLines(view, output.paint);
  const isPaged =
    context.interactive && (await showInPager(`${cleanScreen(lines.join('\n'))}\n`, { LESS: 'FRX', ...platform.env }, signal));
  if (!isPaged) output.object(view, lines.join('\n'));
  return { exitCode: EXIT.done };
};

async function lastSession({ platform, store }: CommandContext): Promise<number> {
  const last = (await openHistory(platform, store.where('logs')).all()).at(-1);
  if (last === undefined) throw usageError('No session has ended here yet.', 'harness run --dry-run shows what comes next.');
  return last.session_id;
}

/** A bare number needs no feature list. */
async function sessionOf({ platform, root, output }: CommandContext, word: string): Promise<number> {
  const subject = readSubject(word);
  if ('session' in subject) return subject.session;
  const project = await openProject(platform, root, { emit: output.emit, journal: false });
  return findSession(await readPast(project), subject);
}
