/**
 * Tables of the search object (see `migrateObject`). `words` is contentless: it stores word positions and whose they are, no
 * texts. `key` has one word for the conversation and one for the message, by which the row of a message is found without
 * another table. The ASCII tokenizer splits at spaces only, because the words are already tokenized.
 */
export const SEARCH_MIGRATIONS = [
  `create virtual table words using fts5(line, key, conversation_id unindexed, message_id unindexed, reported_at unindexed,
     content='', contentless_delete=1, contentless_unindexed=1, tokenize='ascii');`,
] as const;
