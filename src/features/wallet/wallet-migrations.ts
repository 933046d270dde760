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
     time_zone text,
     -- What models have cost for this person on that day.
     spent_tokens integer not null default 0 check (spent_tokens >= 0),
     spent_micros integer not null default 0 check (spent_micros >= 0),
     -- The points of running turns.
     held text not null default '[]' check (json_valid(held)),
     -- The newest turns that were charged or released, so that a repeated or late call changes nothing.
     closed text not null default '[]' check (json_valid(closed))
   ) strict;
   -- Its ids contain their positions.
   create table ledger (
     position integer primary key,
     id text not null,
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
   ) strict;`,
] as const;
