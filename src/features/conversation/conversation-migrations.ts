/** Migrations of the conversation object's tables (see `migrateObject`). */
export const CONVERSATION_MIGRATIONS = [
  `create table meta (
     one integer primary key check (one = 1),
     id text not null,
     owner_id text not null,
     user_name text not null,
     character text not null check (json_valid(character)),
     persona text check (persona is null or json_valid(persona)),
     -- The user's title, and the one that a model wrote.
     title text,
     model_title text,
     -- The user's first message, whose beginning is the title while there is no other.
     first_message_id text,
     created_at integer not null,
     updated_at integer not null,
     -- While the conversation is in the trash.
     deleted_at integer,
     -- Whether it is in the user's list, and whether its row in D1 says so.
     begun integer not null default 1 check (begun in (0, 1)),
     d1_begun integer not null default 1 check (d1_begun in (0, 1)),
     -- The user's list has to get this conversation again.
     list_row_stale integer not null default 1 check (list_row_stale in (0, 1)),
     -- The row in D1 has to be written again, and the number of answered messages that it has.
     d1_row_stale integer not null default 0 check (d1_row_stale in (0, 1)),
     d1_turns integer not null default 0,
     -- The search index has all messages up to this position, except those in search_queue.
     search_position integer not null default 0,
     -- The turn that is being written.
     open_turn text check (open_turn is null or json_valid(open_turn)),
     -- The session of the latest turn, and what its user was allowed: assumed for the next one until D1 answers.
     access text check (access is null or json_valid(access)),
     -- What the wallet has not confirmed yet.
     settlements text not null default '[]' check (json_valid(settlements)),
     -- How the turns of this sitting went, for the operator's figures.
     figures text not null default '[]' check (json_valid(figures)),
     -- Changed ratings that the totals do not have yet, and the number of the latest change.
     rating_changes text not null default '[]' check (json_valid(rating_changes)),
     rating_number integer not null default 0,
     -- When the alarm that a turn has set will run.
     wake_at integer not null default 0,
     -- When the first reply to the user was completed here.
     completed_at integer,
     -- Whether D1 has decided whether the chat counts for its character.
     count_decided integer not null default 0 check (count_decided in (0, 1)),
     -- The conversation that it was forked from.
     branch_of text,
     -- A reply ended that the user has not seen.
     unread integer not null default 0 check (unread in (0, 1)),
     -- Since when it may have no row in D1.
     unlisted_since integer,
     message_count integer not null default 0,
     -- Messages that were answered here.
     answered integer not null default 0,
     context_start_id text,
     -- When the notice that an AI answers was last shown.
     noticed_at integer,
     -- The character's long texts in D1; null when it has none.
     copy_hash text,
     -- The size that the row in D1 has, in bytes.
     d1_bytes integer not null default 0
   ) strict;
   -- Messages, each with its selected version. Their ids contain their positions.
   create table messages (
     position integer primary key,
     id text not null,
     role text not null check (role in ('user', 'character')),
     -- The character that speaks; null for the user.
     character_id text check ((character_id is null) = (role = 'user')),
     name text,
     client_message_id text,
     pinned integer not null default 0 check (pinned in (0, 1)),
     trash_id text,
     source text check (source is null or json_valid(source)),
     notice integer not null default 0 check (notice in (0, 1)),
     created_at integer not null,
     version_id text not null,
     version_number integer not null,
     version_created_at integer not null,
     content text not null,
     model text,
     status text not null check (status in ('complete', 'streaming', 'interrupted', 'failed')),
     error_code text,
     edited integer not null default 0 check (edited in (0, 1)),
     template text,
     -- The helplines that were shown with it.
     crisis text check (crisis is null or json_valid(crisis)),
     -- The rule that ended the reply.
     rule text,
     -- The model reached its limit.
     length_reached integer not null default 0 check (length_reached in (0, 1)),
     -- What the model thought.
     thinking text,
     -- The user's instructions for this version alone.
     regenerate_note text,
     -- What the user thinks of it.
     rating text check (rating in ('up', 'down'))
   ) strict;
   create index messages_pinned on messages (position) where pinned = 1;
   create index messages_trash on messages (trash_id) where trash_id is not null;
   create index messages_template on messages (position) where template is not null;
   -- The versions that are not selected.
   create table versions (
     position integer not null references messages (position) on delete cascade,
     number integer not null,
     id text not null,
     created_at integer not null,
     content text not null,
     model text,
     status text not null check (status in ('complete', 'streaming', 'interrupted', 'failed')),
     error_code text,
     edited integer not null default 0 check (edited in (0, 1)),
     template text,
     crisis text check (crisis is null or json_valid(crisis)),
     rule text,
     length_reached integer not null default 0 check (length_reached in (0, 1)),
     thinking text,
     regenerate_note text,
     rating text check (rating in ('up', 'down')),
     primary key (position, number)
   ) strict, without rowid;
   create index versions_template on versions (position) where template is not null;
   -- Which version each turn wrote, so that a repeated request rejoins its turn.
   create table turns (
     id text primary key,
     kind text not null check (kind in ('send', 'regenerate', 'continue')),
     -- The character that is asked.
     character_id text not null,
     user_message_id text,
     reply_id text not null,
     version_id text not null,
     previous_version_id text,
     base_length integer not null,
     head integer not null,
     payer_id text not null,
     error_code text
   ) strict, without rowid;
   create table trash (
     id text primary key,
     deleted_at integer not null,
     expires_at integer not null,
     message_count integer not null
   ) strict, without rowid;
   create index trash_expiry on trash (expires_at);
   create table memory_entries (
     id text primary key,
     author text not null check (author in ('model', 'person')),
     position integer not null,
     stale integer not null default 0 check (stale in (0, 1)),
     removed integer not null default 0 check (removed in (0, 1)),
     created_at integer not null,
     updated_at integer not null,
     -- The oldest of its sources, and the position of the newest; null and 0 without any.
     first_source_id text,
     last_position integer not null,
     text text not null,
     -- The messages that it was derived from, oldest first, each with its version. Last, because it may be long.
     sources text not null check (json_valid(sources))
   ) strict, without rowid;
   create table memory_lines (
     one integer primary key check (one = 1),
     lines text not null check (json_valid(lines))
   ) strict;
   -- The prompts of the newest replies; the oldest one's place is used again.
   create table contexts (
     place integer primary key,
     version_id text not null,
     made_at integer not null,
     body text not null check (json_valid(body))
   ) strict;
   create table asks (
     id text primary key,
     kind text not null check (kind in ('suggestions', 'draft')),
     body text not null,
     made_at integer not null
   ) strict;
   -- Messages whose words the search index has to read again.
   create table search_queue (
     seq integer primary key autoincrement,
     message_id text not null unique
   ) strict;
   -- A fork that is asked for again with the client's own id is the same one.
   create table forks (client_id text primary key, conversation_id text not null) strict;
   -- How the model should reply here; no row while all of it is the default.
   create table reply_settings (
     one integer primary key check (one = 1),
     settings text not null check (json_valid(settings))
   ) strict;
   create table referrals (message_id text primary key, day integer not null, kind text not null) strict, without rowid;`,
] as const;
