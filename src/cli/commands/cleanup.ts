/** `harness cleanup`: one cleanup session now. */
import type { Command } from '../command.ts';
import { runProject } from './run.ts';

export const run: Command = (context) => runProject(context, { sessions: 1, cleanup: true });
