// Checks everything derived from conversations: rows in D1, lists, search rows, counts; and the keys in KV.

import { MAX_COUNTED_TURNS } from './stores.mjs';

const WORD_CHARS = 40;
const LINE_CHARS = 80;

export function checkIndexes(context) {
  checkRows(context);
  checkLists(context);
  checkErased(context);
  checkTrash(context);
  checkSearches(context);
  checkCounts(context);
  for (const key of context.stores.keys) context.expect('key_unknown', REPLACEABLE.test(key), key);
}

/**
 * The keys in KV whose values may be lost or stale without harm (docs/fault-injection.md). Before you add a key here, describe there
 * what a crash may do to it.
 */
const REPLACEABLE =
  /^(?:business|business:offers|business:pages|home|ledger-check|figures-counting|checks-unkept|sitemap:times|competition:networks|competition:round:.+|trending:(?:general|adult):.+|model-paused:.+|codes:.+)$/;

function checkRows({ stores, expect, conversations }) {
  const rows = stores.d1.prepare('select * from conversations').all();
  const listed = new Set(rows.map(({ id }) => id));
  for (const row of rows) {
    const stored = conversations.get(row.id);
    if (!expect('row_without_conversation', stored !== undefined, row.id)) continue;
    const { meta } = stored;
    const same = expectSame(expect, row.id);
    same('row_owner', row.owner_id, meta.owner_id);
    same('row_trash', row.deleted_at === null, meta.deleted_at === null);
    same('row_turns', row.turns, Math.min(countAnswered(stored), MAX_COUNTED_TURNS));
    same('row_begun', row.begun, meta.begun);
    same('row_counted', row.counted_at ?? meta.completed_at, meta.completed_at);
    same('row_character', joinCharacter(row), joinCharacter(toCharacterColumns(meta)));
  }
  for (const id of conversations.keys()) expect('conversation_unlisted', listed.has(id), id);
}

/** The title of a conversation without one: the text of the message that gave it, else of the user's first one. */
function findFirstLine(meta, messages, versionById) {
  const written = messages.filter(({ role, trash_id: trash }) => role === 'user' && trash === null);
  const first = written.find(({ id }) => id === meta.first_message_id) ?? written[0];
  return first === undefined ? null : versionById.get(first.selected_version_id)?.content;
}

/** What the list shows of a text: its beginning, cut after a word. */
function toLine(text) {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  if (line.length <= LINE_CHARS) return line;
  const cut = line.slice(0, LINE_CHARS - 1);
  const end = cut.lastIndexOf(' ');
  return `${cut.slice(0, end > LINE_CHARS / 2 ? end : undefined).trimEnd()}…`;
}

/** Checks that each user's list has their conversations as they are. */
function checkLists({ journal, stores, expect, conversations }) {
  for (const { userId, search } of journal.users) {
    const rows = stores.searches.get(search)?.prepare('select * from conversations').all() ?? [];
    const listed = new Map(rows.map((row) => [row.id, row]));
    for (const { meta, messages, versionById } of conversations.values()) {
      // A conversation without a turn is in no list.
      if (meta.owner_id !== userId || meta.begun === 0) continue;
      const row = listed.get(meta.id);
      listed.delete(meta.id);
      if (!expect('list_missing', row !== undefined, meta.id)) continue;
      const same = expectSame(expect, meta.id);
      same('list_count', row.message_count, meta.message_count);
      same('list_title', row.title, meta.title ?? findFirstLine(meta, messages, versionById));
      same('list_trash', row.deleted_at, meta.deleted_at);
      same('list_time', row.last_message_at, meta.updated_at);
      same('list_unread', row.unread, meta.unread);
      same('list_character', joinCharacter(row), joinCharacter(toCharacterColumns(meta)));
      const text = messages
        .filter(({ trash_id: trash }) => trash === null)
        .map(({ selected_version_id: id }) => versionById.get(id)?.content ?? '')
        .findLast((content) => content !== '');
      same('list_line', row.last_line, toLine(text ?? ''));
    }
    for (const id of listed.keys()) expect('list_stale', false, `${userId}: ${id}`);
    expect('list_stale', true);
  }
}

const expectSame = (expect, id) => (name, listedAs, is) =>
  expect(name, listedAs === is, `${id}: ${listedAs} listed, ${is} stored`);

const toCharacterColumns = (meta) => {
  const { id, name, avatar_url } = JSON.parse(meta.character);
  return { character_id: id, character_name: name, avatar_url };
};
const joinCharacter = ({ character_id: id, character_name: name, avatar_url: avatar }) =>
  [id, name, avatar].join(' ');

/** Counts the user's messages that got a reply with text. */
const countAnswered = ({ turns, versionById }) =>
  turns
    .filter(({ kind, error_code: error }) => kind === 'send' && error === null)
    .filter(({ version_id: id }) => (versionById.get(id)?.content ?? '').trim() !== '').length;

function checkErased({ journal, stores, expect, conversations }) {
  const row = stores.d1.prepare('select 1 from conversations where id = ?');
  for (const { id, erased } of journal.chats) {
    if (erased !== 'yes') continue;
    expect('erased_kept', !conversations.has(id), `${id}: its object`);
    expect('erased_kept', row.get(id) === undefined, `${id}: its row`);
    for (const db of stores.searches.values()) {
      const found = listSearchRows(db).filter(({ conversation_id: conversation }) => conversation === id);
      expect('erased_kept', found.length === 0, `${id}: ${found.length} rows of the search`);
      const isListed = db.prepare('select 1 from conversations where id = ?').get(id) !== undefined;
      expect('erased_kept', !isListed, `${id}: its place in a list`);
    }
  }
}

/** Checks that a conversation is in the trash or not, as its last confirmed move says. */
function checkTrash({ journal, expect, conversations, erasing }) {
  for (const last of listCertainMoves(journal, erasing)) {
    const isAway = conversations.get(last.chat)?.meta.deleted_at !== null;
    expect('trash_move_lost', isAway === (last.kind === 'trash'), `${last.chat}: ${last.kind}`);
  }
}

/** Lists the last move of each conversation into or out of the trash, if its order is certain. */
export function listCertainMoves(journal, erasing) {
  const moves = journal.actions.filter(({ kind }) => kind === 'trash' || kind === 'untrash');
  return [...new Set(moves.map(({ chat }) => chat))].flatMap((chat) => {
    if (erasing.has(chat)) return [];
    const own = moves.filter((move) => move.chat === chat && move.outcome !== 'refused');
    const last = own.at(-1);
    const isSure = last?.outcome === 'acked' && own.every((move) => move === last || move.ended < last.at);
    return isSure ? [last] : [];
  });
}

/** Extracts the words of a text as the search does for plain letters, which is all that the harness writes. */
function extractWords(text) {
  const words = text.toLowerCase().match(/[a-z0-9]+/g) ?? [];
  return words.map((word) => word.slice(0, WORD_CHARS));
}

/** Lists the messages that the search index has. */
export const listSearchRows = (db) =>
  db.prepare('select rowid as id, conversation_id, message_id from words').all();

/**
 * Returns a function that finds the index rows of a word. It reads all of them, because with `rowid = ?` this SQLite also
 * returns deleted rows (contentless FTS5).
 */
function indexRows(db) {
  const known = new Map();
  const found = db?.prepare('select rowid from words where words match ?');
  return (word) => {
    if (!known.has(word)) known.set(word, new Set(found.all(`line : "${word}"`).map(({ rowid }) => rowid)));
    return known.get(word);
  };
}

function checkSearches({ journal, stores, expect, conversations }) {
  for (const { userId, search } of journal.users) {
    const db = stores.searches.get(search);
    const rows = db === undefined ? [] : listSearchRows(db);
    const left = new Map(rows.map((row) => [`${row.conversation_id} ${row.message_id}`, row]));
    const found = indexRows(db);
    /** The rows that have each word. */
    const expected = new Map();
    for (const { meta, messages, versionById } of conversations.values()) {
      if (meta.owner_id !== userId || meta.begun === 0) continue;
      for (const message of messages) {
        if (message.trash_id !== null) continue;
        const words = extractWords(versionById.get(message.selected_version_id)?.content ?? '');
        const key = `${meta.id} ${message.id}`;
        const row = left.get(key);
        if (words.length === 0) continue;
        left.delete(key);
        if (!expect('search_missing', row !== undefined, `${meta.id}: message ${message.id}`)) continue;
        for (const word of words) expected.set(word, (expected.get(word) ?? new Set()).add(row.id));
      }
    }
    for (const [word, ids] of expected)
      expect('search_other_words', ids.symmetricDifference(found(word)).size === 0, `${userId}: "${word}"`);
    for (const key of left.keys()) expect('search_stale', false, `${userId}: ${key}`);
    expect('search_stale', true);
  }
}

/** Checks that chats are counted at most once for their character, and turns at most once in the statistics. */
function checkCounts({ stores, journal, expect, conversations }) {
  const sum = (sql) => stores.d1.prepare(sql).get().sum ?? 0;
  const counted = sum('select count(*) as sum from conversations where counted_at is not null');
  // An erased conversation may have been counted or not. The product erases one itself when its creation failed after that.
  const failed = ({ kind, outcome }) => (kind === 'create' || kind === 'fork') && outcome === 'unknown';
  const erased =
    journal.chats.filter((chat) => chat.erased !== 'no' && !conversations.has(chat.id)).length +
    journal.actions.filter(failed).length;
  const chats = sum('select sum(chat_count) as sum from characters');
  const isCounted = chats >= counted && chats <= counted + erased;
  expect('chat_count', isCounted, `${chats} listed, ${counted} counted, ${erased} erased`);
  const days = sum('select sum(chats) as sum from character_days');
  expect('chat_days', days === chats, `${days} by days, ${chats} in all`);
  const turns = [...conversations.values()].reduce((all, stored) => all + stored.turns.length, 0);
  const gone = journal.turns.filter(({ chat }) => !conversations.has(chat)).length;
  const reported = sum('select sum(turns) as sum from hourly_model_usage');
  expect('figures', reported <= turns + gone, `${reported} counted, ${turns} stored, ${gone} erased`);
}
