// Every index row true: the lists in D1 against the conversations, the search against the messages, the counts.
import { createHash } from 'node:crypto';

const WORD_CHARS = 40;
/** The digest of an entry is made of the words and of a number for how they are made. */
const WORDS_VERSION = 2;

export function checkLists(world) {
  checkRows(world);
  checkErased(world);
  checkPutAway(world);
  checkSearches(world);
  checkCounts(world);
  for (const key of world.stores.keys) world.see('key_unknown', isReplaceable(key), key);
}

/**
 * Names in KV under which only such things are kept as are made anew, counted anew or done twice without harm when they are
 * lost or old (docs/faults.md). Of whatever is kept under another name somebody has to say first what a crash may do to it.
 */
const REPLACEABLE =
  /^(?:business|business:offers|business:pages|home|ledger-check|figures-counting|checks-unkept|sitemap:times|competition:networks|competition:round:.+|trending:(?:general|adult):.+|model-paused:.+|(?:guests|codes):.+)$/;
const isReplaceable = (key) => REPLACEABLE.test(key);

function checkRows({ stores, see, conversations }) {
  const rows = stores.d1.prepare('select * from conversations').all();
  const listed = new Set(rows.map(({ id }) => id));
  for (const row of rows) {
    const kept = conversations.get(row.id);
    if (!see('row_without_conversation', kept !== undefined, row.id)) continue;
    const { meta, turns } = kept;
    const same = (name, listedAs, is) =>
      see(name, listedAs === is, `${row.id}: ${listedAs} listed, ${is} kept`);
    same('row_count', row.message_count, meta.message_count);
    same('row_title', row.title, meta.title);
    same('row_owner', row.owner_id, meta.owner_id);
    same('row_trash', row.deleted_at === null, meta.deleted_at === null);
    same('row_turns', row.turns, answered(kept));
    const { id, name, avatar_url: avatar } = JSON.parse(meta.character);
    same(
      'row_character',
      `${row.character_id} ${row.character_name} ${row.avatar_url}`,
      `${id} ${name} ${avatar}`,
    );
    // One in which nothing was said yet is listed with the moment at which it was asked for.
    if (turns.length > 0) same('row_time', row.last_message_at, meta.updated_at);
  }
  for (const id of conversations.keys()) see('conversation_unlisted', listed.has(id), id);
}

/** How many messages of its person were answered: sent, and paid for in the end. */
const answered = ({ turns, versionById }) =>
  turns.filter(
    (turn) =>
      turn.kind === 'send' &&
      turn.error_code === null &&
      (versionById.get(turn.version_id)?.content ?? '').trim() !== '',
  ).length;

function checkErased({ journal, stores, see, conversations }) {
  const row = stores.d1.prepare('select 1 from conversations where id = ?');
  for (const { id, erased } of journal.chats) {
    if (erased !== 'yes') continue;
    see('erased_kept', !conversations.has(id), `${id}: its object`);
    see('erased_kept', row.get(id) === undefined, `${id}: its list row`);
    for (const db of stores.searches.values()) {
      const found = db.prepare('select count(*) as count from entries where conversation_id = ?').get(id);
      see('erased_kept', found.count === 0, `${id}: ${found.count} entries of the search`);
    }
  }
}

/** In the trash or not, as it was told last; where nobody knows the last, either is true. */
function checkPutAway({ journal, see, conversations, erasing }) {
  for (const last of sureMoves(journal, erasing)) {
    const isAway = conversations.get(last.chat)?.meta.deleted_at !== null;
    see('put_away_lost', isAway === (last.act === 'putAway'), `${last.chat}: ${last.act}`);
  }
}

/** The last moves into the trash and out of it of which everybody knows that they were the last. */
export function sureMoves(journal, erasing) {
  const moves = journal.acts.filter(({ act }) => act === 'putAway' || act === 'takeBack');
  return [...new Set(moves.map(({ chat }) => chat))].flatMap((chat) => {
    if (erasing.has(chat)) return [];
    const own = moves.filter((move) => move.chat === chat && move.outcome !== 'refused');
    const last = own.at(-1);
    const isSure = last?.outcome === 'acked' && own.every((move) => move === last || move.ended < last.at);
    return isSure ? [last] : [];
  });
}

/** The words of a text as the search keeps them; the harness writes in plain letters, where nothing else is to be known. */
function wordsOf(text) {
  const words = text.toLowerCase().match(/[a-z0-9]+/g) ?? [];
  return words.map((word) => word.slice(0, WORD_CHARS));
}

const digestOf = (words) =>
  createHash('sha256')
    .update(`${WORDS_VERSION} ${words.join(' ')}`)
    .digest()
    .readUIntBE(0, 6);

/**
 * The rows that the index has for a word. All of them: asked for one row alone, this SQLite also gives one that was deleted
 * (FTS5 without contents, `rowid = ?`).
 */
function rowsOf(db) {
  const known = new Map();
  const found = db?.prepare('select rowid from words where words match ?');
  return (word) => {
    if (!known.has(word)) known.set(word, new Set(found.all(`"${word}"`).map(({ rowid }) => rowid)));
    return known.get(word);
  };
}

function checkSearches({ journal, stores, see, conversations }) {
  for (const { userId, search } of journal.people) {
    const db = stores.searches.get(search);
    const entries = db === undefined ? [] : db.prepare('select * from entries').all();
    const left = new Map(entries.map((entry) => [`${entry.conversation_id} ${entry.message_id}`, entry]));
    const found = rowsOf(db);
    for (const { meta, messages, versionById } of conversations.values()) {
      if (meta.owner_id !== userId) continue;
      for (const message of messages) {
        if (message.trash_id !== null) continue;
        const words = wordsOf(versionById.get(message.selected_version_id)?.content ?? '');
        const entry = left.get(`${meta.id} ${message.id}`);
        const where = `${meta.id}: message ${message.id}`;
        if (words.length === 0) continue;
        left.delete(`${meta.id} ${message.id}`);
        if (!see('search_missing', entry !== undefined, where)) continue;
        see('search_other_words', entry.digest === digestOf(words), where);
        const rarest = words.toSorted((a, b) => b.length - a.length)[0];
        see('search_other_words', found(rarest).has(entry.id), `${where}: "${rarest}"`);
      }
    }
    for (const key of left.keys()) see('search_stale', false, `${userId}: ${key}`);
    see('search_stale', true);
  }
}

/** Chats of a character are counted once each; how turns went once at most, and what could not be told is lost. */
function checkCounts({ stores, journal, see, conversations }) {
  const sum = (sql) => stores.d1.prepare(sql).get().sum ?? 0;
  const counted = [...conversations.values()].filter(({ meta }) => meta.counted === 1).length;
  // Of what was erased nobody can tell any more whether it was counted.
  const erased = journal.chats.filter((chat) => chat.erased !== 'no' && !conversations.has(chat.id)).length;
  const chats = sum('select sum(chat_count) as sum from characters');
  see(
    'chat_count',
    chats >= counted && chats <= counted + erased,
    `${chats} listed, ${counted} begun, ${erased} erased`,
  );
  const days = sum('select sum(chats) as sum from character_days');
  see('chat_days', days === chats, `${days} by days, ${chats} in all`);
  const turns = [...conversations.values()].reduce((all, kept) => all + kept.turns.length, 0);
  const gone = journal.turns.filter(({ chat }) => !conversations.has(chat)).length;
  const told = sum('select sum(turns) as sum from turn_hours');
  see('figures', told <= turns + gone, `${told} told, ${turns} there, ${gone} in chats that are gone`);
}
