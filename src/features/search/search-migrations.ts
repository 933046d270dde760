/**
 * Tables of the search object (see `migrateObject`). `words` is contentless: it stores word positions and whose they are, no
 * texts. The ASCII tokenizer splits at spaces only, because the words are already tokenized.
 */
export const SEARCH_MIGRATIONS = [
  `create table entries (
     conversation_id text not null,
     message_id text not null,
     -- The row of its words.
     id integer not null,
     digest integer not null,
     updated_at integer not null,
     primary key (conversation_id, message_id)
   ) strict, without rowid;
   create virtual table words using fts5(line, conversation_id unindexed, message_id unindexed,
     content='', contentless_delete=1, contentless_unindexed=1, tokenize='ascii');`,
] as const;
