import type { ObjectStep } from '../../db/object-migrations.ts';

/** The conversation object's tables, append-only (see `migrateObject`). */
export const CONVERSATION_MIGRATIONS = [
  `create table meta (
     one integer primary key check (one = 1),
     id text not null,
     owner_id text not null,
     user_name text not null,
     character text not null check (json_valid(character)),
     title text,
     created_at integer not null,
     updated_at integer not null,
     index_dirty integer not null default 1 check (index_dirty in (0, 1)),
     counted integer not null default 0 check (counted in (0, 1))
   ) strict;
   create table messages (
     position integer primary key,
     id text not null unique,
     role text not null check (role in ('user', 'character')),
     client_message_id text,
     edited integer not null default 0 check (edited in (0, 1)),
     selected_version_id text not null,
     created_at integer not null
   ) strict;
   create table versions (
     id text primary key,
     message_id text not null references messages (id) on delete cascade,
     content text not null,
     model text,
     status text not null check (status in ('complete', 'streaming', 'interrupted', 'failed')),
     error_code text,
     created_at integer not null
   ) strict;
   create index versions_message on versions (message_id);
   create table turns (
     id text primary key,
     user_message_id text,
     reply_id text not null,
     version_id text not null,
     previous_version_id text,
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
     outcome text not null check (outcome in ('settle', 'release'))
   ) strict;`,
  // Versions by hand, continuing, a trash, names, pins, personas, memory, and what is to be found again.
  {
    bars: 'older code',
    sql: `alter table meta add column persona text check (persona is null or json_valid(persona));
      alter table meta add column message_count integer not null default 0;
      update meta set message_count = (select count(*) from messages);
      alter table meta add column context_start_id text;
      alter table meta add column deleted_at integer;
      alter table messages add column name text;
      alter table messages add column pinned integer not null default 0 check (pinned in (0, 1));
      alter table messages add column trash_id text;
      alter table messages add column source text check (source is null or json_valid(source));
      alter table messages drop column edited;
      create index messages_pinned on messages (position) where pinned = 1;
      create index messages_trash on messages (trash_id) where trash_id is not null;
      alter table versions add column edited integer not null default 0 check (edited in (0, 1));
      alter table versions add column template text;
      create index versions_template on versions (message_id) where template is not null;
      alter table turns add column kind text not null default 'send' check (kind in ('send', 'regenerate', 'continue'));
      alter table turns add column base_length integer not null default 0;
      update turns set kind = 'regenerate' where user_message_id is null;
      alter table settlements add column what text not null default 'reply' check (what in ('reply', 'suggestions', 'draft'));
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
      create table search_queue (
        seq integer primary key autoincrement,
        message_id text not null unique
      ) strict;`,
    move: {
      table: 'messages',
      key: 'position',
      piece: `insert or ignore into search_queue (message_id)
        select id from messages where position > ? and position <= ? order by position`,
    },
  },
  `create table memory_lines (
     seq integer primary key autoincrement,
     mark text not null,
     ground text not null check (json_valid(ground)),
     gone integer not null default 0 check (gone in (0, 1)),
     unique (mark, ground)
   ) strict;`,
  // Words of Hindi are indexed otherwise since: what holds its sign for no vowel (U+094D) is told to the search anew.
  {
    move: {
      table: 'messages',
      key: 'position',
      piece: `insert or ignore into search_queue (message_id)
        select messages.id from messages join versions on versions.id = messages.selected_version_id
        where messages.position > ? and messages.position <= ? and instr(versions.content, char(2381)) > 0
        order by messages.position`,
    },
  },
  // A fork that is asked for again under its client's own id is the same one.
  `create table forks (client_id text primary key, conversation_id text not null) strict;`,
  // The character's lorebook: read when a prompt is composed, and by nothing else.
  `create table lore (
     one integer primary key check (one = 1),
     book text not null check (json_valid(book))
   ) strict;`,
  // List rows show a story's own name and face since: they are written down once more.
  `update meta set index_dirty = 1;`,
  // What is told of safety: when the notice that an AI answers stood last, who was shown where help is, and which rule
  // ended a reply. List rows tell since how many messages were answered here: they are written down once more.
  `alter table meta add column noticed_at integer;
   alter table messages add column notice integer not null default 0 check (notice in (0, 1));
   alter table versions add column crisis text check (crisis is null or json_valid(crisis));
   alter table versions add column rule text;
   alter table turns add column head integer not null default 0;
   alter table meta add column answered integer not null default 0;
   update meta set answered =
     (select count(*) from turns where kind = 'send' and ended = 1 and error_code is null);
   create table referrals (message_id text primary key, day integer not null, kind text not null) strict;
   update meta set index_dirty = 1;`,
  // Until it is known to stand in its person's lists, and from when it is taken off them: since when. And what the list row
  // was to say last when its character was told of it, so that a repeat can tell whether that was done.
  `alter table meta add column unlisted_since integer;
   alter table meta add column counting integer;`,
] as const satisfies readonly ObjectStep[];
