/**
 * The engine: it queues, claims, counts attempts, delays and fences. The only file that knows DBOS, small enough to be replaced.
 *
 * 1. A workflow is one drive of one project, with one step. The project is the partition key: one of its drives at a time in a queue.
 * 2. Queues are the engine's process-local ones, one for each set of needs: each worker has its own number of slots, over all of them.
 * 3. Recovery is the library's own, never `resumeWorkflow`: that starts work twice, and what was cancelled. The functions of it that are
 *    not public are looked for at start, and without them nothing starts.
 * 4. The version of a workflow is that of the shell here, not of the code: a drive begun by one release can go on in another.
 */
import type { DBOSClient } from '@dbos-inc/dbos-sdk';
import { HarnessError } from '../domain/errors.ts';
import { EXIT } from '../domain/reasons.ts';
import type { Pool } from '../store/pg-store.ts';
import type { FleetPackages } from './packages.ts';
import { rowsOf } from './rows.ts';

/** How long a run goes on: as `harness run` takes it. */
export interface DriveWish {
  /** null: until done. */
  sessions: number | null;
  lanes: number | null;
  /** A pause ends with this drive. */
  resumes?: boolean;
  /** Its mission is driven, as `harness mission run` does it; `spec`: null is the one it has, or SPEC.md. */
  mission?: { spec: string | null };
}

export interface DriveOrder {
  project: string;
  remote: string;
  branch: string;
  flow: 'project' | 'mission';
  account: string;
  needs: readonly string[];
  wish: DriveWish;
}

export interface Claim {
  /** Of the workflow: one order, however often it is taken over. */
  id: string;
  /** Whether the engine still counts this process as the one that works on it. */
  owns(): Promise<boolean>;
  /** A number that no other claim of the fleet has or will have, greater than all before. */
  epoch(): Promise<number>;
}

/** What a drive came to; `again`: the order is sent once more, at once or at a time. */
export interface DriveEnd {
  exitCode: number;
  outcome: string;
  reasons: readonly string[];
  message: string;
  again?: { notBefore?: number; needs?: readonly string[] };
}

export interface Engine {
  send(order: DriveOrder, options: { notBefore?: number }): Promise<string>;
  work(handler: (order: DriveOrder, claim: Claim) => Promise<DriveEnd>): Promise<void>;
  /** Ids of processes that have work claimed. */
  owners(): Promise<string[]>;
  recover(dead: readonly string[]): Promise<number>;
  cancel(id: string): Promise<void>;
  /** How many drives are under way here. */
  busy(): number;
  /** Takes nothing more; what is under way goes on. */
  close(): Promise<void>;
}

export interface EngineOptions {
  url: string;
  pool: Pool;
  /** The member's id; null for those who only send. */
  me: string | null;
  slots: number;
  labels: readonly string[];
  warn(message: string): void;
}

const APPLICATION = 'harness-fleet';
/** Raised when *open, drive, report* changes so that a workflow of before cannot go on. */
export const SHELL_VERSION = 'drive-1';
const WORKFLOW = 'drive';
const POLL_MS = 200;
const IDLE_TRANSACTION_MS = 5_000;
const MOST_ATTEMPTS = 100;

/** Creates and updates the engine's own tables; once, by `harness fleet up`. */
export async function migrateEngine({ tables }: FleetPackages, url: string): Promise<void> {
  await tables.migrateSystemDatabase(url, loggerFor(() => {}) as unknown as Parameters<typeof tables.migrateSystemDatabase>[1]);
}

export function queueOf(needs: readonly string[]): string {
  return ['drives', ...[...needs].toSorted()].join(':');
}

export async function openEngine(packages: FleetPackages, options: EngineOptions): Promise<Engine> {
  const client = await packages.sdk.DBOSClient.create({
    systemDatabaseUrl: options.url,
    systemDatabasePoolSize: 1,
    applicationName: APPLICATION,
    logger: loggerFor(options.warn),
  });
  return new DbosEngine(packages, client, options);
}

class DbosEngine implements Engine {
  readonly #packages: FleetPackages;
  readonly #client: DBOSClient;
  readonly #options: EngineOptions;
  readonly #queues = new Set<string>();
  #isOpen = false;

  constructor(packages: FleetPackages, client: DBOSClient, options: EngineOptions) {
    this.#packages = packages;
    this.#client = client;
    this.#options = options;
  }

  async send(order: DriveOrder, { notBefore }: { notBefore?: number }): Promise<string> {
    const seconds = notBefore === undefined ? 0 : Math.ceil((notBefore - Date.now()) / 1_000);
    await this.#options.pool.query('INSERT INTO fleet.queue (name, needs) VALUES ($1, $2) ON CONFLICT DO NOTHING', [
      queueOf(order.needs),
      [...order.needs],
    ]);
    const handle = await this.#client.enqueue(
      {
        queueName: queueOf(order.needs),
        workflowName: WORKFLOW,
        appVersion: SHELL_VERSION,
        queuePartitionKey: order.project,
        attributes: { project: order.project },
        ...(seconds > 0 ? { delaySeconds: seconds } : {}),
      },
      order,
    );
    return handle.workflowID;
  }

  async work(handler: (order: DriveOrder, claim: Claim) => Promise<DriveEnd>): Promise<void> {
    const { sdk, executor } = this.#packages;
    const { DBOS } = sdk;
    DBOS.setConfig({
      name: APPLICATION,
      systemDatabaseUrl: this.#options.url,
      systemDatabasePoolSize: 3,
      systemDatabaseIdleTransactionTimeoutMs: IDLE_TRANSACTION_MS,
      applicationVersion: SHELL_VERSION,
      executorID: this.#options.me!,
      runMigrations: false,
      listenQueues: [],
      maxConcurrentQueueDispatches: 1,
      logger: loggerFor(this.#options.warn),
    });
    DBOS.registerWorkflow(
      async (order: DriveOrder): Promise<DriveEnd> => {
        const claim = this.#claim(DBOS.workflowID!);
        return await DBOS.runStep(() => this.#carriedOut(() => handler(order, claim), order), { name: WORKFLOW });
      },
      { name: WORKFLOW, maxRecoveryAttempts: MOST_ATTEMPTS },
    );
    this.#listen('drives');
    await DBOS.launch();
    this.#isOpen = true;
    if (typeof executor.DBOSExecutor.globalInstance?.recoverPendingWorkflows !== 'function') throw unknownEngine();
    await this.#listenToAll();
  }

  async owners(): Promise<string[]> {
    const rows = await rowsOf<{ executor_id: string }>(
      this.#options.pool,
      `SELECT DISTINCT executor_id FROM dbos.workflow_status WHERE status = 'PENDING' AND executor_id IS NOT NULL`,
    );
    return rows.map(({ executor_id }) => executor_id);
  }

  async recover(dead: readonly string[]): Promise<number> {
    await this.#listenToAll();
    if (dead.length === 0) return 0;
    const found = await this.#packages.executor.DBOSExecutor.globalInstance?.recoverPendingWorkflows([...dead]);
    return found?.length ?? 0;
  }

  busy(): number {
    return [...this.#queues].reduce((sum, name) => sum + this.#runningIn(name), 0);
  }

  async cancel(id: string): Promise<void> {
    await this.#client.cancelWorkflow(id);
  }

  async close(): Promise<void> {
    if (this.#isOpen) await this.#packages.sdk.DBOS.shutdown({ workflowCompletionTimeoutMS: 5_000 }).catch(() => {});
    this.#isOpen = false;
    await this.#client.destroy();
  }

  #claim(id: string): Claim {
    const { pool, me } = this.#options;
    return {
      id,
      owns: async () => {
        const { rowCount } = await pool.query(
          `SELECT 1 FROM dbos.workflow_status WHERE workflow_uuid = $1 AND status = 'PENDING' AND executor_id = $2`,
          [id, me],
        );
        return rowCount === 1;
      },
      epoch: async () => {
        const [row] = await rowsOf<{ epoch: string }>(pool, `SELECT nextval('fleet.epoch') AS epoch`);
        return Number(row?.epoch);
      },
    };
  }

  /** An order that has to be sent again is sent before this one counts as done: after a crash between the two it is there twice, and the second finds nothing to do. */
  async #carriedOut(work: () => Promise<DriveEnd>, order: DriveOrder): Promise<DriveEnd> {
    const end = await work();
    const { again } = end;
    if (again !== undefined) await this.send({ ...order, needs: again.needs ?? order.needs }, again);
    return end;
  }

  /** Queues appear with the first order that has their needs. */
  async #listenToAll(): Promise<void> {
    const { pool, labels } = this.#options;
    const rows = await rowsOf<{ name: string }>(pool, 'SELECT name FROM fleet.queue WHERE needs <@ $1::text[]', [[...labels]]);
    for (const { name } of rows) this.#listen(name);
  }

  #listen(name: string): void {
    if (this.#queues.has(name)) return;
    const { wfQueueRunner, registerInternalQueue } = this.#packages.queues;
    const queue = registerInternalQueue(name, { partitionConcurrency: 1, workerConcurrency: 1, minPollingIntervalMs: POLL_MS });
    const runner = wfQueueRunner as unknown as { ensureState?(queue: unknown, now: number): void };
    if (typeof runner.ensureState !== 'function') throw unknownEngine();
    if (this.#isOpen) runner.ensureState(queue, Date.now());
    this.#queues.add(name);
    // Read by the library at each poll: what this queue runs, and the slots that no queue uses.
    Object.defineProperty(queue, 'workerConcurrency', {
      get: () => this.#runningIn(name) + Math.max(0, this.#options.slots - this.busy()),
    });
  }

  #runningIn(queue: string): number {
    return this.#packages.executor.DBOSExecutor.globalInstance?.systemDatabase.countRunningWorkflowsForQueue(queue) ?? 0;
  }
}

function unknownEngine(): HarnessError {
  return new HarnessError('This version of the engine has no function to recover the work of a dead worker.', {
    exitCode: EXIT.preflight,
    details: ['Install the version that the harness knows: harness doctor --fix fleet'],
  });
}

/** Only the library's warnings and errors are shown. */
function loggerFor(warn: (message: string) => void): {
  info(): void;
  debug(): void;
  warn(entry: unknown): void;
  error(entry: unknown): void;
} {
  const tell = (entry: unknown): void => warn(`engine: ${entry instanceof Error ? entry.message : String(entry)}`);
  return { info: () => {}, debug: () => {}, warn: tell, error: tell };
}
