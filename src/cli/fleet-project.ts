/** `--project NAME`: a command for a project of the fleet, from any machine that knows the database. */
import { EXIT } from '../domain/reasons.ts';
import { connected, type Connection } from '../fleet/connect.ts';
import { openEngine, type Engine } from '../fleet/engine.ts';
import { openView } from '../fleet/view.ts';
import { sendAgain, stopProject } from '../fleet/wheel.ts';
import type { Command, CommandContext, CommandResult } from './command.ts';

/** After these the project is to go on. */
const GOES_ON: ReadonlySet<string> = new Set(['answer', 'resume', 'skip']);
const STOP_MS = 60_000;

export async function runAtFleet(
  context: CommandContext,
  name: string,
  { project, run }: { project: string; run: Command },
): Promise<CommandResult> {
  const { platform, input } = context;
  return await connected(platform, { given: null, input }, async (connection) => {
    if (name === 'stop') return await stop(context, connection, project);
    const { pool } = connection;
    const view = await openView(platform, pool, project);
    const at = { ...context, root: view.root, cwd: view.root, stateDir: view.stateDir, store: view.store };
    const result = name === 'resume' ? resumed(at, project) : await run(at);
    if (GOES_ON.has(name) && result.exitCode === EXIT.done)
      await withEngine(context, connection, (engine) => sendAgain(pool, engine, project, { resumes: name === 'resume' }));
    return result;
  });
}

function resumed({ output }: CommandContext, project: string): CommandResult {
  output.object({ project, paused: false }, `${project} goes on with the next free machine.`);
  return { exitCode: EXIT.done };
}

async function stop(context: CommandContext, connection: Connection, project: string): Promise<CommandResult> {
  const { platform, output } = context;
  const host = await withEngine(context, connection, (engine) =>
    stopProject(platform, connection.pool, { engine, project, timeoutMs: STOP_MS }),
  );
  const said = host === null ? `No machine drives ${project} now.` : `The drive of ${project} on ${host} has ended; its state is saved.`;
  output.object({ project, stopped: host }, said);
  return { exitCode: EXIT.done };
}

async function withEngine<Result>(
  { output }: CommandContext,
  { packages, url, pool }: Connection,
  work: (engine: Engine) => Promise<Result>,
): Promise<Result> {
  const warn = (message: string): void => output.emit({ type: 'warning', message });
  const engine = await openEngine(packages, { url, pool, me: null, slots: 0, labels: [], warn });
  try {
    return await work(engine);
  } finally {
    await engine.close();
  }
}
