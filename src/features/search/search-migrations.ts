/**
 * Tables of the search object (see `migrateObject`). `conversations` is the user's list. `words` is contentless: it stores word positions and whose they are, no
 * texts. `key` has one word for the conversation and one for the message, by which the row of a message is found without
 * another table. The ASCII tokenizer splits at spaces only, because the words are already tokenized.
 */
export const SEARCH_MIGRATIONS = [
  `create virtual table words using fts5(line, key, conversation_id unindexed, message_id unindexed, reported_at unindexed,
     content='', contentless_delete=1, contentless_unindexed=1, tokenize='ascii');
   create table conversations (
     id text primary key,
     character_id text not null,
     character_name text not null,
     avatar_url text not null,
     title text,
     -- The beginning of the last message.
     last_line text not null,
     created_at integer not null,
     last_message_at integer not null,
     message_count integer not null check (message_count >= 0),
     -- The conversation that it was forked from.
     branch_of text,
     unread integer not null check (unread in (0, 1)),
     -- While the conversation is in the trash.
     deleted_at integer
   ) strict, without rowid;
   -- The size that D1 has, in bytes.
   create table reported (one integer primary key check (one = 1), bytes integer not null) strict;`,
] as const;
