/**
 * The processes of an agent that runs without a sandbox, remembered while it runs.
 *
 * 1. Whatever was once seen below the agent is ended with it, also when it left its group, lost its parent and cleared its environment.
 * 2. The list is on the disk before it is needed: a harness that died leaves it to the next command.
 * 3. What ran before the agent (the project's environment) is not the agent's.
 */
import { z } from '../../domain/zod.ts';
import { WORKSPACE_VARIABLE } from '../../agents/environment.ts';
import { HARNESS_VERSION } from '../../domain/version.ts';
import { ownIdentity } from '../../platform/process-identity.ts';
import type { KnownProcess } from '../../platform/process-tree.ts';
import { readFrom, writeTo } from '../../store/document.ts';
import { listWorkspaces } from '../../workspace/agent-copy.ts';
import type { AgentGround } from './agent-place.ts';

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

/** `lane` names the copy of an agent that does not work alone: then only what carries its workspace, or came from that, is its own. */
export async function watchProcesses(
  ground: AgentGround,
  session: number,
  lane: { name: string; workspace: string } | null = null,
): Promise<ProcessWatch> {
  const { processes } = ground.platform;
  const shelf = ground.documents.folder('agent-processes');
  const file = `${lane?.name ?? 'main'}.json`;
  const before = new Set(lane === null ? (await processes.descendants()).map((known) => known.pid) : []);
  const { boot } = await ownIdentity();
  const known = new Map<string, KnownProcess>();
  let sampling: Promise<void> | null = null;

  const find = async (alive: readonly number[]): Promise<KnownProcess[]> =>
    lane === null ? await processes.descendants(alive, before) : await withParents(ground, lane.workspace, alive);
  const look = async (): Promise<void> => {
    const alive = await processes.stillRunning([...known.values()]);
    const size = known.size;
    for (const found of await find(alive.map((one) => one.pid))) known.set(keyOf(found), found);
    if (known.size === size) return;
    const document: z.infer<typeof ProcessesSchema> = {
      schema_version: 1,
      harness_version: HARNESS_VERSION,
      session,
      boot,
      processes: [...known.values()],
    };
    await writeTo(shelf, file, document);
  };
  const sample = async (): Promise<void> => {
    sampling ??= look().finally(() => (sampling = null));
    await sampling;
  };

  return {
    sample,
    endAll: async () => {
      await endUntilNoneLeft(ground, async () => {
        await sample();
        return (await processes.stillRunning([...known.values()])).map((one) => one.pid);
      });
      known.clear();
      await shelf.remove(file);
    },
  };
}

/** What carries the workspace in its environment, and everything below that and below what is known. */
async function withParents(ground: AgentGround, workspace: string, alive: readonly number[]): Promise<KnownProcess[]> {
  const { processes } = ground.platform;
  const marked = await processes.findByEnvironment(WORKSPACE_VARIABLE, workspace);
  const [own, below] = await Promise.all([processes.identify(marked), processes.below([...marked, ...alive])]);
  return [...own, ...below];
}

/** Ends what agents or environments of an earlier, dead process left running, in the lanes that are the caller's. The caller holds their lock. */
export async function endLeftovers(ground: AgentGround, isOwn: (lane: string) => Promise<boolean>): Promise<void> {
  const { platform } = ground;
  const workspaces: string[] = [];
  for (const { lane, path } of await listWorkspaces(platform, { home: ground.home, harnessHome: ground.harnessHome }))
    if (await isOwn(lane)) workspaces.push(path);
  const shelf = ground.documents.folder('agent-processes');
  const files = (await shelf.list()).filter((name) => name.endsWith('.json'));
  if (workspaces.length === 0 && files.length === 0) return;
  const { boot } = await ownIdentity();
  const remembered: KnownProcess[] = [];
  for (const file of files) {
    const document = await readFrom(shelf, file, ProcessesSchema, { setAside: true });
    if (document?.boot === boot) remembered.push(...document.processes);
  }
  const ended = await endUntilNoneLeft(ground, () => leftovers(ground, workspaces, remembered));
  for (const file of files) await shelf.remove(file);
  if (ended > 0)
    ground.emit({ type: 'state.recovered', what: `${ended} process${ended === 1 ? '' : 'es'} of an earlier session`, action: 'ended' });
}

async function leftovers(ground: AgentGround, workspaces: readonly string[], remembered: readonly KnownProcess[]): Promise<number[]> {
  const { processes } = ground.platform;
  const pids = new Set((await processes.stillRunning(remembered)).map((one) => one.pid));
  for (const workspace of workspaces) {
    for (const pid of await processes.findByEnvironment([WORKSPACE_VARIABLE, 'HARNESS_ENVIRONMENT'], workspace)) pids.add(pid);
    for (const { pid } of await processes.orphansIn(workspace)) pids.add(pid);
  }
  const mine = new Set((await processes.descendants()).map((one) => one.pid));
  if (pids.size > 0) for (const { pid } of await processes.descendants([...pids])) pids.add(pid);
  return [...pids].filter((pid) => !mine.has(pid));
}

/** How many processes were ended. */
async function endUntilNoneLeft(ground: AgentGround, find: () => Promise<number[]>): Promise<number> {
  const ended = new Set<number>();
  for (let round = 0; round < ROUNDS; round += 1) {
    const left = await find();
    if (left.length === 0) break;
    for (const pid of left) ended.add(pid);
    ground.platform.processes.kill(left);
    await ground.platform.clock.sleep(PAUSE_MS);
  }
  return ended.size;
}

function keyOf(known: KnownProcess): string {
  return `${known.pid} ${known.started}`;
}
