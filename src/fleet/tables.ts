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

const PURSE: Migration = {
  name: 'purse',
  sql: `
    alter table fleet.account alter column retry_at drop not null;
    alter table fleet.account add column limit_usd numeric check (limit_usd >= 0);
    alter table fleet.account add column limit_sessions integer check (limit_sessions >= 0);
    alter table fleet.account add column at_once integer check (at_once > 0);
    create table fleet.share (
      project text primary key references fleet.project on delete cascade,
      -- What its books said when the fleet first asked.
      before numeric not null,
      spent numeric not null default 0,
      reserved numeric not null default 0,
      sessions integer not null default 0,
      unpriced integer[] not null default '{}'
    );
    -- What is reserved for the project now; -1: as much as before, because that is not left; null: no purse limits its money.
    create function fleet.reserve(place text, total float8, want float8, wanted_sessions integer) returns float8 language plpgsql as $$
    declare
      purse fleet.account;
      own fleet.share;
      others record;
      free numeric;
      amount numeric := want::numeric;
    begin
      insert into fleet.account (name) select account from fleet.project where name = place on conflict do nothing;
      select a.* into purse from fleet.account a join fleet.project p on p.account = a.name where p.name = place for update of a;
      insert into fleet.share (project, before) values (place, total) on conflict do nothing;
      update fleet.share set spent = greatest(0, total::numeric - before) where project = place returning * into own;
      select coalesce(sum(s.spent), 0) as spent, coalesce(sum(s.reserved), 0) as reserved,
             coalesce(sum(s.sessions), 0) as sessions, coalesce(sum(cardinality(s.unpriced)), 0) as unpriced
        into others
        from fleet.share s join fleet.project p on p.name = s.project where p.account = purse.name and s.project <> place;
      if wanted_sessions > 0 then
        if others.sessions + wanted_sessions > purse.at_once then return -1; end if;
        if others.sessions + wanted_sessions + others.unpriced + cardinality(own.unpriced) > purse.limit_sessions then return -1; end if;
      end if;
      free := purse.limit_usd - own.spent - others.spent - others.reserved;
      if wanted_sessions > 0 and (amount is null or amount > free) then
        if free <= 0 or free < amount / 4 or (wanted_sessions > 1 or others.reserved > 0) and amount is not null then return -1; end if;
        amount := free;
      end if;
      update fleet.share set reserved = coalesce(amount, 0), sessions = wanted_sessions where project = place;
      return case when purse.limit_usd is null then null else amount end;
    end $$;`,
};

export const FLEET_MIGRATIONS: readonly Migration[] = [...MIGRATIONS, LIVENESS, DRIVES, PURSE];
