/**
 * Documents in PostgreSQL: one project of a fleet, whichever machine works on it.
 *
 * 1. Every change is one statement, so that after a crash the old content or the new one is there.
 * 2. While this store holds the project, each statement that writes locks the hold and checks it; when another member has taken it over,
 *    nothing is written and `Lost` is thrown, from then on for every write.
 * 3. A hold belongs to a member. It is taken over only when the member is no longer alive in `fleet.worker`; the tables are in `fleet/schema.ts`.
 * 4. Statements can be repeated: after a connection broke, the same statement again gives the same result.
 */
import { randomBytes } from 'node:crypto';
import { HarnessError, usageError } from '../domain/errors.ts';
import { Lost } from '../domain/lost.ts';
import { EXIT } from '../domain/reasons.ts';
import { ownIdentity } from '../platform/process-identity.ts';
import type { Holder } from './lock.ts';
import { sealWith, type Seal } from './seal.ts';
import { asideName, type DocumentStore, type Shelf } from './shelf.ts';

export interface Pool {
  query(text: string, values?: unknown[]): Promise<{ rows: Record<string, unknown>[]; rowCount: number | null }>;
}

/** The member of the fleet on whose behalf documents are written (`fleet/member.ts`). */
export interface Writer {
  id: string;
  /** Whether it can still be alive for the others. */
  sure(): boolean;
  lost: AbortSignal;
}

interface Ground {
  pool: Pool;
  project: string;
  me: Writer;
  /** The hold of this store: none, its token, or gone. */
  hold: { token: string | null; lost: boolean };
  seal: Seal;
}

export function pgStore(pool: Pool, project: string, me: Writer): DocumentStore {
  const ground: Ground = { pool, project, me, hold: { token: null, lost: false }, seal: sealWith(() => keyOf(pool, project)) };
  return {
    ...pgShelf(ground, ''),
    hold: (command, work) => withHold(ground, command, work),
    holder: async () => await readHolder(ground),
  };
}

function pgShelf(ground: Ground, prefix: string): Shelf {
  const { pool, project, seal } = ground;
  const full = (name: string): string => checked(`${prefix}${name}`);
  const where = (name?: string): string => `fleet:${project}/${prefix}${name ?? ''}`;
  const move = (name: string, to: string): Promise<void> => change(ground, MOVE, full(name), full(to));
  const has = async (name: string): Promise<boolean> => {
    const { rows } = await pool.query(`select from fleet.document where project = $1 and ${below('$2')} limit 1`, [project, full(name)]);
    return rows.length > 0;
  };
  const readBytes = async (name: string): Promise<Buffer | null> => {
    const { rows } = await pool.query('select content from fleet.document where project = $1 and name = $2', [project, full(name)]);
    return rows.length === 0 ? null : (rows[0]!['content'] as Buffer);
  };
  return {
    where,
    read: async (name) => (await readBytes(name))?.toString('utf8') ?? null,
    readBytes,
    has,
    write: (name, content) => change(ground, WRITE, full(name), Buffer.from(content)),
    remove: (name) => change(ground, REMOVE, full(name)),
    move,
    make: async () => {},
    list: async () => (await pool.query(LIST, [project, prefix])).rows.map((row) => String(row['child'])),
    setAside: async (name, why) => {
      const { rows } = await pool.query('select extract(epoch from now()) * 1000 as now');
      const first = asideName(name, Math.floor(Number(rows[0]?.['now'])), why);
      const aside = (await has(first)) ? `${first}-${randomBytes(2).toString('hex')}` : first;
      await move(name, aside);
      return where(aside);
    },
    seal,
    in: (name) => pgShelf(ground, `${prefix}${name}/`),
  };
}

/** One name, or everything below it: `/` is followed by `0` in the order of bytes. */
const below = (name: string): string => `(name = ${name}::text or (name >= ${name}::text || '/' and name < ${name}::text || '0'))`;

const LIST = `select distinct split_part(substr(name, length($2) + 1), '/', 1) as child
  from fleet.document where project = $1 and starts_with(name, $2) order by child`;

/** Statements that write take the project, the token of the hold, and their own values. What gives no row has written nothing. */
type Writing = (mine: string) => string;

const WRITE: Writing = (mine) => `with mine as (${mine})
  insert into fleet.document (project, name, content) select $1, $3, $4::bytea from mine
  on conflict (project, name) do update set content = excluded.content, written = now() returning 1`;

const REMOVE: Writing = (mine) => `with mine as (${mine}),
  gone as (delete from fleet.document using mine where project = $1 and ${below('$3')})
  select 1 from mine`;

const MOVE: Writing = (mine) => `with mine as (${mine}) select fleet.move_documents($1, $3, $4) from mine`;

const HELD = 'select 1 from fleet.hold where project = $1 and token = $2 for share';
const NOT_HELD = 'select 1 where $2::text is null';

async function change({ pool, project, me, hold }: Ground, writing: Writing, ...values: unknown[]): Promise<void> {
  const isHeld = hold.token !== null;
  if (hold.lost || (isHeld && (me.lost.aborted || !me.sure()))) throw new Lost(project);
  const { rows } = await pool.query(writing(isHeld ? HELD : NOT_HELD), [project, hold.token, ...values]);
  if (rows.length > 0) return;
  hold.lost = true;
  throw new Lost(project, 'Another member of the fleet has taken it over.');
}

const TAKE = `insert into fleet.hold as held (project, token, owner, holder)
  select $1, $2, id, $4::jsonb from fleet.worker where id = $3 and state = 'alive'
  on conflict (project) do update set token = excluded.token, owner = excluded.owner, holder = excluded.holder, since = now()
  where held.token = excluded.token
     or not exists (select from fleet.worker where id = held.owner and state = 'alive')
  returning 1`;

async function withHold<Result>(ground: Ground, command: string, work: () => Promise<Result>): Promise<Result> {
  const { pool, project, me, hold } = ground;
  const token = randomBytes(12).toString('hex');
  const taken = await pool.query(TAKE, [project, token, me.id, JSON.stringify({ ...(await ownIdentity()), command })]);
  if (taken.rows.length === 0) throw await refused(ground);
  hold.token = token;
  hold.lost = false;
  try {
    return await work();
  } finally {
    hold.token = null;
    await release(ground, token);
  }
}

/** Giving back what is another's already changes nothing; where the database cannot be asked, the hold ends with its member. */
async function release({ pool, project, hold }: Ground, token: string): Promise<void> {
  const given = await pool.query('delete from fleet.hold where project = $1 and token = $2', [project, token]).catch(() => null);
  hold.lost ||= given?.rowCount !== 1;
}

async function refused(ground: Ground): Promise<HarnessError> {
  const holder = await readHolder(ground);
  if (holder === null) return new Lost(ground.project, `${ground.me.id} is not alive in the fleet.`);
  return new HarnessError(
    `Another member of the fleet holds this project: process ${holder.pid} (${holder.command}) on ${holder.host}, since ${holder.since}.`,
    { exitCode: EXIT.locked, next: 'retry_at', details: ['Wait until it ends, or end it with: harness stop'] },
  );
}

async function readHolder({ pool, project }: Ground): Promise<Holder | null> {
  const { rows } = await pool.query(
    `select token, since, holder from fleet.hold
     where project = $1 and exists (select from fleet.worker where id = owner and state = 'alive')`,
    [project],
  );
  const [row] = rows;
  if (row === undefined) return null;
  return {
    ...(row['holder'] as Omit<Holder, 'token' | 'since'>),
    token: String(row['token']),
    since: (row['since'] as Date).toISOString(),
  };
}

/** Decisions are signed with the project's secret, on every machine alike. */
async function keyOf(pool: Pool, project: string): Promise<{ secret: Buffer; place: string }> {
  const { rows } = await pool.query('select secret from fleet.project where name = $1', [project]);
  const secret = rows[0]?.['secret'];
  if (Buffer.isBuffer(secret)) return { secret, place: `fleet:${project}` };
  throw usageError(`There is no project ${project} in this fleet.`, 'List the projects with: harness fleet status');
}

function checked(name: string): string {
  if (name.split('/').every((part) => part !== '' && part !== '.' && part !== '..') && !name.includes('\0')) return name;
  throw usageError(`${JSON.stringify(name)} leads out of the project's documents.`, 'Nothing was written there.');
}
