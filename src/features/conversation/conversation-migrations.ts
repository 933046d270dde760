/** Migrations of the conversation object's tables (see `migrateObject`). */
export const CONVERSATION_MIGRATIONS = [
  `create table meta (
     one integer primary key check (one = 1),
     id text not null,
     owner_id text not null,
     user_name text not null,
     character text not null check (json_valid(character)),
     persona text check (persona is null or json_valid(persona)),
     title text,
     created_at integer not null,
     updated_at integer not null,
     -- While the conversation is in the trash.
     deleted_at integer,
     -- The row of the conversations list has to be written again.
     index_dirty integer not null default 1 check (index_dirty in (0, 1)),
     counted integer not null default 0 check (counted in (0, 1)),
     -- What the list row was to say when its character was last told of it, so that a repeat can tell whether that was done.
     counting integer,
     -- Since when it is missing from its owner's list.
     unlisted_since integer,
     message_count integer not null default 0,
     -- Messages that were answered here.
     answered integer not null default 0,
     context_start_id text,
     -- When the notice that an AI answers was last shown.
     noticed_at integer
   ) strict;
   create table messages (
     position integer primary key,
     id text not null unique,
     role text not null check (role in ('user', 'character')),
     name text,
     client_message_id text,
     selected_version_id text not null,
     pinned integer not null default 0 check (pinned in (0, 1)),
     trash_id text,
     source text check (source is null or json_valid(source)),
     notice integer not null default 0 check (notice in (0, 1)),
     created_at integer not null
   ) strict;
   create index messages_pinned on messages (position) where pinned = 1;
   create index messages_trash on messages (trash_id) where trash_id is not null;
   create table versions (
     id text primary key,
     message_id text not null references messages (id) on delete cascade,
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
     created_at integer not null
   ) strict;
   create index versions_message on versions (message_id);
   create index versions_template on versions (message_id) where template is not null;
   create table turns (
     id text primary key,
     kind text not null default 'send' check (kind in ('send', 'regenerate', 'continue')),
     user_message_id text,
     reply_id text not null,
     version_id text not null,
     previous_version_id text,
     base_length integer not null default 0,
     head integer not null default 0,
     payer_id text not null,
     ended integer not null default 0 check (ended in (0, 1)),
     error_code text,
     created_at integer not null
   ) strict;
   create index turns_open on turns (ended) where ended = 0;
   create table settlements (
     version_id text primary key,
     payer_id text not null,
     reply_id text,
     outcome text not null check (outcome in ('settle', 'release')),
     what text not null default 'reply' check (what in ('reply', 'suggestions', 'draft'))
   ) strict;
   create table trash (
     id text primary key,
     deleted_at integer not null,
     expires_at integer not null,
     message_count integer not null
   ) strict;
   create index trash_expiry on trash (expires_at);
   create table memory_entries (
     id text primary key,
     text text not null,
     author text not null check (author in ('model', 'person')),
     position integer not null,
     stale integer not null default 0 check (stale in (0, 1)),
     removed integer not null default 0 check (removed in (0, 1)),
     created_at integer not null,
     updated_at integer not null
   ) strict;
   create index memory_order on memory_entries (position, id);
   create table memory_sources (
     entry_id text not null references memory_entries (id) on delete cascade,
     message_id text not null,
     version_id text not null,
     primary key (entry_id, message_id)
   ) strict, without rowid;
   create index memory_sources_message on memory_sources (message_id);
   create table memory_lines (
     seq integer primary key autoincrement,
     mark text not null,
     ground text not null check (json_valid(ground)),
     gone integer not null default 0 check (gone in (0, 1)),
     unique (mark, ground)
   ) strict;
   create table contexts (
     version_id text primary key,
     made_at integer not null,
     body text not null check (json_valid(body))
   ) strict;
   create index contexts_made on contexts (made_at);
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
   -- The character's lorebook, which only the prompt reads.
   create table lore (
     one integer primary key check (one = 1),
     book text not null check (json_valid(book))
   ) strict;
   create table referrals (message_id text primary key, day integer not null, kind text not null) strict;`,
] as const;
