/**
 * Tables of the search object (see `migrateObject`). `words` is contentless: it stores word positions, no texts. The
 * ASCII tokenizer splits at spaces only, because the words are already tokenized.
 */
export const SEARCH_MIGRATIONS = [
  `create table entries (
     id integer primary key,
     conversation_id text not null,
     message_id text not null,
     digest integer not null,
     told_at integer not null
   ) strict;
   create unique index entries_message on entries (conversation_id, message_id);
   create virtual table words using fts5(line, content='', contentless_delete=1, tokenize='ascii');`,
] as const;
