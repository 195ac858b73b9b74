/**
 * The tables of a fleet, as a list of migrations that `harness fleet up` applies.
 *
 * 1. A migration that was released is never edited; a change is a new one at the end of the list.
 * 2. All that are missing are applied in one transaction under a lock: of several callers at once, one applies and the others wait.
 */
import type { Pool } from '../store/pg-store.ts';

export interface Migration {
  name: string;
  sql: string;
}

const WORKERS: Migration = {
  name: 'workers',
  sql: `
    create table fleet.worker (
      id text primary key,
      host text not null,
      version text not null,
      slots integer not null,
      state text not null check (state in ('alive', 'dead', 'left')),
      started timestamptz not null default now(),
      beat timestamptz not null default now()
    );
    create index on fleet.worker (beat) where state = 'alive';
    create sequence fleet.epoch;`,
};

const DOCUMENTS: Migration = {
  name: 'documents',
  sql: `
    create table fleet.project (
      name text primary key,
      secret bytea not null check (length(secret) = 32),
      remote text not null,
      branch text not null,
      flow text not null default 'project',
      account text not null default 'default',
      needs text[] not null default '{}',
      added timestamptz not null default now()
    );
    create table fleet.document (
      project text not null references fleet.project on delete cascade,
      name text collate "C" not null,
      content bytea not null,
      written timestamptz not null default now(),
      primary key (project, name)
    );
    create table fleet.hold (
      project text primary key references fleet.project on delete cascade,
      token text not null,
      owner text not null,
      holder jsonb not null,
      since timestamptz not null default now()
    );
    create function fleet.move_documents(place text, source text, target text) returns boolean language plpgsql as $$
    declare
      source_below text collate "C" := source || '/';
      source_end text collate "C" := source || '0';
    begin
      if source = target or not exists (
        select from fleet.document where project = place and (name = source or (name >= source_below and name < source_end))
      ) then
        return true;
      end if;
      delete from fleet.document
        where project = place and (name = target or (name >= target || '/' and name < target || '0'));
      update fleet.document set name = target || substr(name, length(source) + 1), written = now()
        where project = place and (name = source or (name >= source_below and name < source_end));
      return true;
    end $$;`,
};

/** In the order in which they are applied. */
export const MIGRATIONS: readonly Migration[] = [WORKERS, DOCUMENTS];

const LOCK = 4_400_501;

/** A database connection that sees one transaction. */
export interface Transactions extends Pool {
  transaction<Result>(work: (connection: Pool) => Promise<Result>): Promise<Result>;
}

/** The names of those that were applied. */
export async function migrate(database: Transactions, migrations: readonly Migration[] = MIGRATIONS): Promise<string[]> {
  return await database.transaction(async (connection) => {
    await connection.query('select pg_advisory_xact_lock($1)', [LOCK]);
    await connection.query('create schema if not exists fleet');
    await connection.query(
      'create table if not exists fleet.migration (name text primary key, applied timestamptz not null default now())',
    );
    const { rows } = await connection.query('select name from fleet.migration');
    const missing = migrations.filter(({ name }) => !rows.some((row) => row['name'] === name));
    for (const { name, sql } of missing) {
      await connection.query(sql);
      await connection.query('insert into fleet.migration (name) values ($1)', [name]);
    }
    return missing.map(({ name }) => name);
  });
}
