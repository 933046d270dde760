// Mutations of what is derived from conversations: rows, lists, search, counts; and of KV.
import { findConversation, findSearchRow, mutate } from './mutation-targets.mjs';

const findD1 = ({ stores }) => ({ db: stores.d1 });
const findListed = (context) => {
  const found = findConversation(context);
  return found === null ? null : { db: context.stores.d1, id: found.meta.id };
};
const findKv = ({ stores }) => ({ db: stores.kv });
const findErased = ({ journal, stores }) => {
  const chat = journal.chats.find(({ erased }) => erased === 'yes');
  return chat === undefined ? null : { db: stores.d1, id: chat.id };
};
const findErasedAndSearchRow = (context) => {
  const [chat, found] = [findErased(context), findSearchRow(context)];
  return chat === null || found === null ? null : { ...found, chat };
};

const REPLACE_WORDS = 'replace into words (rowid, line, key, conversation_id, message_id, reported_at)';
const INSERT_CHAT = 'insert into conversations (id, owner_id, character_id, created_at)';

/** @type {import('./mutations.mjs').Mutation[]} */
export const INDEX_MUTATIONS = [
  ...mutate(findConversation, null, { work_pending: 'update meta set list_row_stale = 1' }),
  ...mutate(findListed, ({ id }) => [id], {
    row_turns: 'update conversations set turns = turns + 1 where id = ?',
    row_begun: 'update conversations set begun = 1 - begun where id = ?',
    row_counted: 'update conversations set counted_at = 1 where id = ?',
    row_trash: 'update conversations set deleted_at = case when deleted_at is null then 1 end where id = ?',
    row_owner: "update conversations set owner_id = 'house' where id = ?",
    row_character: "update conversations set character_name = 'Bob' where id = ?",
    conversation_unlisted: 'delete from conversations where id = ?',
    row_without_conversation: `${INSERT_CHAT} select 'nowhere', owner_id, character_id, 1 from conversations where id = ?`,
  }),
  ...mutate(findSearchRow, null, {
    list_missing: 'delete from conversations',
    list_count: 'update conversations set message_count = message_count + 1',
    list_time: 'update conversations set last_message_at = last_message_at - 1',
    list_title: "update conversations set title = 'of another'",
    list_trash: 'update conversations set deleted_at = case when deleted_at is null then 1 end',
    list_unread: 'update conversations set unread = 1 - unread',
    list_character: "update conversations set character_name = 'Bob'",
    list_line: "update conversations set last_line = 'of another'",
    list_stale: `insert into conversations (id, character_id, character_name, avatar_url, last_line, created_at,
        last_message_at, message_count, unread) values ('gone', 'x', 'Mira', '/none', '', 1, 1, 1, 0)`,
  }),
  ...mutate(findSearchRow, ({ row }) => [row.id], {
    search_missing: 'delete from words where rowid = ?',
    search_other_words: `${REPLACE_WORDS} select rowid, 'else', 'c m', conversation_id, message_id, 1 from words where rowid = ?`,
  }),
  ...mutate(findSearchRow, null, {
    search_stale: `${REPLACE_WORDS} values (1, 'gone', 'c gone', 'c', 'gone', 1)`,
  }),
  ...mutate(findD1, null, {
    chat_count: 'update characters set chat_count = chat_count + 1000',
    chat_days: 'update character_days set chats = chats + 1',
    figures: 'update hourly_model_usage set turns = turns + 100000',
  }),
  ...mutate(findErased, ({ id }) => [id], {
    erased_kept: `${INSERT_CHAT} select ?, owner_id, character_id, 1 from conversations limit 1`,
  }),
  ...mutate(findErasedAndSearchRow, ({ chat, row }) => [chat.id, row.id], {
    'erased_kept (the search still finds it)': `${REPLACE_WORDS} select rowid, 'else', 'c m', ?, message_id, 1 from words where rowid = ?`,
  }),
  ...mutate(findKv, null, {
    key_unknown: "insert into _mf_entries (key, blob_id) values ('points:of-a-user', 'x')",
  }),
];
