/** All tables of a fleet, in the order in which they are made: those of the documents, and those of workers, drives and money. */
import { MIGRATIONS, type Migration } from './schema.ts';

const LIVENESS: Migration = {
  name: 'liveness',
  sql: `
    alter table fleet.worker add column if not exists name text not null default '';
    alter table fleet.worker add column if not exists labels text[] not null default '{}';
    alter table fleet.worker add column if not exists busy integer not null default 0;
    alter table fleet.worker add column if not exists steady timestamptz not null default now();`,
};

const DRIVES: Migration = {
  name: 'drives',
  sql: `
    create table fleet.queue (name text primary key, needs text[] not null);
    create table fleet.rest (
      project text primary key references fleet.project on delete cascade,
      wish jsonb,
      driver text,
      exit_code integer,
      outcome text,
      reasons text[] not null default '{}',
      message text,
      waits text[] not null default '{}',
      features_total integer not null default 0,
      features_verified integer not null default 0,
      changed timestamptz not null default now()
    );
    create table fleet.account (name text primary key, retry_at timestamptz not null);
    create table fleet.journal (
      project text not null references fleet.project on delete cascade,
      file text not null,
      part integer not null,
      content bytea not null,
      primary key (project, file, part)
    );`,
};

export const FLEET_MIGRATIONS: readonly Migration[] = [...MIGRATIONS, LIVENESS, DRIVES];
