/**
 * The processes of an agent that runs without a sandbox, remembered while it runs.
 *
 * 1. Whatever was once seen below the agent is ended with it, also when it left its group, lost its parent and cleared its environment.
 * 2. The list is on the disk before it is needed: a harness that died leaves it to the next command.
 * 3. What ran before the agent (the project's environment) is not the agent's.
 */
import { join } from 'node:path';
import { z } from 'zod';
import { HARNESS_VERSION } from '../../domain/version.ts';
import { ownIdentity } from '../../platform/process-identity.ts';
import type { KnownProcess } from '../../platform/process-tree.ts';
import { readDocument, writeDocument } from '../../store/document.ts';
import { reopenWorkspace } from '../../workspace/agent-copy.ts';
import type { Project } from './project.ts';

const ProcessesSchema = z.object({
  schema_version: z.literal(1),
  harness_version: z.string(),
  session: z.number().int(),
  /** Which run of the machine: numbers and times mean nothing in another. */
  boot: z.string(),
  processes: z.array(z.object({ pid: z.number().int().positive(), started: z.string() })),
});

export interface ProcessWatch {
  /** Remembers what runs now. */
  sample(): Promise<void>;
  /** Ends everything that was remembered. */
  endAll(): Promise<void>;
}

const ROUNDS = 50;
const PAUSE_MS = 10;

export async function watchProcesses(project: Project, session: number): Promise<ProcessWatch> {
  const { processes } = project.platform;
  const file = processFile(project);
  const before = new Set((await processes.descendants()).map((known) => known.pid));
  const { boot } = await ownIdentity();
  const known = new Map<string, KnownProcess>();
  let sampling: Promise<void> | null = null;

  const look = async (): Promise<void> => {
    const alive = await processes.stillRunning([...known.values()]);
    const size = known.size;
    for (const found of await processes.descendants(
      alive.map((one) => one.pid),
      before,
    ))
      known.set(keyOf(found), found);
    if (known.size === size) return;
    const document: z.infer<typeof ProcessesSchema> = {
      schema_version: 1,
      harness_version: HARNESS_VERSION,
      session,
      boot,
      processes: [...known.values()],
    };
    await writeDocument(project.platform, file, document);
  };
  const sample = async (): Promise<void> => {
    sampling ??= look().finally(() => (sampling = null));
    await sampling;
  };

  return {
    sample,
    endAll: async () => {
      await endUntilNoneLeft(project, async () => {
        await sample();
        return (await processes.stillRunning([...known.values()])).map((one) => one.pid);
      });
      known.clear();
      await project.platform.files.remove(file);
    },
  };
}

/** Ends what an agent or an environment of an earlier, dead process left running. The caller holds the project's lock. */
export async function endLeftovers(project: Project): Promise<void> {
  const { platform } = project;
  const copy = await reopenWorkspace(platform, { home: project.home, harnessHome: project.harnessHome });
  const document = await readDocument(platform, processFile(project), ProcessesSchema, { setAside: true });
  if (copy === null && document === null) return;
  const remembered = document !== null && document.boot === (await ownIdentity()).boot ? document.processes : [];
  const ended = await endUntilNoneLeft(project, () => leftovers(project, copy?.path ?? null, remembered));
  if (document !== null) await platform.files.remove(processFile(project));
  if (ended > 0)
    project.emit({ type: 'state.recovered', what: `${ended} process${ended === 1 ? '' : 'es'} of an earlier session`, action: 'ended' });
}

async function leftovers(project: Project, workspace: string | null, remembered: readonly KnownProcess[]): Promise<number[]> {
  const { processes } = project.platform;
  const pids = new Set((await processes.stillRunning(remembered)).map((one) => one.pid));
  if (workspace !== null) {
    for (const pid of await processes.findByEnvironment('HARNESS_PROJECT_DIR', workspace)) pids.add(pid);
    for (const pid of await processes.findByEnvironment('HARNESS_ENVIRONMENT', workspace)) pids.add(pid);
    for (const { pid } of await processes.orphansIn(workspace)) pids.add(pid);
  }
  const mine = new Set((await processes.descendants()).map((one) => one.pid));
  if (pids.size > 0) for (const { pid } of await processes.descendants([...pids])) pids.add(pid);
  return [...pids].filter((pid) => !mine.has(pid));
}

/** How many processes were ended. */
async function endUntilNoneLeft(project: Project, find: () => Promise<number[]>): Promise<number> {
  const ended = new Set<number>();
  for (let round = 0; round < ROUNDS; round += 1) {
    const left = await find();
    if (left.length === 0) break;
    for (const pid of left) ended.add(pid);
    project.platform.processes.kill(left);
    await project.platform.clock.sleep(PAUSE_MS);
  }
  return ended.size;
}

function processFile(project: Project): string {
  return join(project.stateDir, 'agent_processes.json');
}

function keyOf(known: KnownProcess): string {
  return `${known.pid} ${known.started}`;
}
