/** Tables of the wallet object (see `migrateObject`). */
export const WALLET_MIGRATIONS = [
  `create table balance (
     one integer primary key check (one = 1),
     current integer not null check (current >= 0),
     permanent integer not null check (permanent >= 0),
     refilled_at integer not null,
     day integer not null,
     daily_used integer not null check (daily_used >= 0),
     unlimited integer not null default 0 check (unlimited in (0, 1)),
     time_zone text
   ) strict;
   create table reservations (
     id text primary key,
     conversation_id text not null,
     from_current integer not null,
     from_permanent integer not null,
     state text not null check (state in ('held', 'settled', 'released')),
     unlimited integer not null default 0 check (unlimited in (0, 1)),
     -- The most that the model may use and cost.
     tokens integer not null default 0,
     micros integer not null default 0,
     at integer not null
   ) strict;
   create index reservations_held on reservations (state, at);
   create table ledger (
     id text primary key,
     at integer not null,
     kind text not null,
     reason text not null,
     amount integer not null,
     balance_after integer not null check (balance_after >= 0),
     conversation_id text,
     message_id text,
     about text
   ) strict;
   create table gifts (
     id text primary key,
     at integer not null
   ) strict;
   create table downloads (
     id text primary key,
     started_at integer not null,
     alive_at integer not null,
     ended integer not null check (ended in (0, 1))
   ) strict;
   create table purchases (
     id text primary key,
     at integer not null,
     from_current integer not null check (from_current >= 0),
     from_permanent integer not null check (from_permanent >= 0),
     returned integer not null check (returned in (0, 1))
   ) strict;
   -- What models have cost for this person on each of their days.
   create table model_spend (
     day integer primary key,
     tokens integer not null check (tokens >= 0),
     micros integer not null check (micros >= 0)
   ) strict;`,
] as const;
