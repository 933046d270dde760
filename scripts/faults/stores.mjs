// Reads the stores of a killed runtime from disk with the checker's own SQL: D1, every object's database, and the keys in KV.
import { existsSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** As in the product: the row in D1 counts no more answered messages. */
export const MAX_COUNTED_TURNS = 5;
const openDatabases = (folder) =>
  existsSync(folder)
    ? readdirSync(folder)
        .filter((name) => name.endsWith('.sqlite') && name !== 'metadata.sqlite')
        .map((name) => ({ id: basename(name, '.sqlite'), db: new DatabaseSync(join(folder, name)) }))
    : [];

const hasTable = (db, table) =>
  db.prepare("select 1 from sqlite_master where type = 'table' and name = ?").get(table) !== undefined;

/**
 * Opens all databases of a folder of stores. The runtime must not be running.
 * @returns `read`, which returns their contents: D1, every conversation, wallets and searches by the id of their object, and
 * the keys in KV; and `close`
 */
export function openStores(folder) {
  const objects = (name) => openDatabases(join(folder, 'do', `loreloom-${name}`));
  const [d1] = openDatabases(join(folder, 'd1', 'miniflare-D1DatabaseObject')).map(({ db }) => db);
  const [kv] = openDatabases(join(folder, 'kv', 'miniflare-KVNamespaceObject')).map(({ db }) => db);
  const conversations = objects('ConversationObject');
  const wallets = objects('WalletObject');
  const searches = objects('SearchObject');
  const read = () => ({
    d1,
    kv,
    keys: kv
      .prepare('select key from _mf_entries')
      .all()
      .map(({ key }) => key),
    conversations: conversations.flatMap(({ db }) => {
      const stored = hasTable(db, 'meta') ? readConversation(db) : null;
      return stored === null ? [] : [stored];
    }),
    wallets: new Map(
      wallets.filter(({ db }) => hasTable(db, 'balance')).map(({ id, db }) => [id, readWallet(db)]),
    ),
    searches: new Map(searches.filter(({ db }) => hasTable(db, 'words')).map(({ id, db }) => [id, db])),
  });
  const close = () => {
    for (const { db } of [...conversations, ...wallets, ...searches]) db.close();
    d1?.close();
    kv?.close();
  };
  return { read, close };
}

function readConversation(db) {
  const meta = db.prepare('select * from meta').get();
  if (meta === undefined) return null;
  const all = (sql) => db.prepare(sql).all();
  const messages = all('select *, version_id as selected_version_id from messages order by position');
  // The selected version is in its message's row.
  const versions = all(
    `select id as message_id, position, version_number as number, version_id as id, ${VERSION_COLUMNS} from messages
     union all
     select coalesce(messages.id, 'none'), versions.position, number, versions.id, ${VERSION_COLUMNS.replaceAll(/\w+/g, 'versions.$&')}
     from versions left join messages on messages.position = versions.position
     order by 2, 3`,
  );
  const openTurn = meta.open_turn === null ? null : JSON.parse(meta.open_turn);
  return {
    db,
    meta,
    messages,
    messageById: new Map(messages.map((message) => [message.id, message])),
    versions,
    versionById: new Map(versions.map((version) => [version.id, version])),
    turns: all('select * from turns').map((turn) => ({ ...turn, ended: Number(turn.id !== openTurn?.id) })),
    settlements: JSON.parse(meta.settlements),
    trash: all('select * from trash'),
    queue: [
      ...all('select message_id from search_queue'),
      ...messages.filter(({ position }) => position > meta.search_position),
    ],
  };
}

/** The columns of a version, as the row of its message and the table of the others have them. */
const VERSION_COLUMNS = 'content, model, status, error_code, edited';

function readWallet(db) {
  const balance = db.prepare('select * from balance').get() ?? null;
  const ledger = db.prepare('select * from ledger order by position').all();
  return { db, balance, ledger, reservations: listReservations(balance, ledger) };
}

/** The points of running turns, and of those that were charged or released, as the ledger says. */
function listReservations(balance, ledger) {
  const held = JSON.parse(balance?.held ?? '[]');
  const closed = new Set(JSON.parse(balance?.closed ?? '[]'));
  const entries = ledger.filter(({ kind }) => kind.startsWith('message'));
  for (const { about } of entries) closed.add(about);
  return [
    ...held.map(({ id, conversationId }) => ({ id, conversation_id: conversationId, state: 'held' })),
    ...[...closed].map((id) => {
      const own = entries.filter(({ about }) => about === id);
      const isReleased = own.length === 0 || own.some(({ kind }) => kind === 'message_free');
      return {
        id,
        conversation_id: own[0]?.conversation_id,
        state: isReleased ? 'released' : 'settled',
      };
    }),
  ];
}

/**
 * Returns a test of whether the conversation has to end a reservation. After a crash between the wallet's answer
 * and the turn's rows no conversation knows it, and the wallet releases the points by their age.
 */
export function createOwedTest(conversations) {
  const versions = new Set(
    [...conversations].flatMap(({ turns }) => turns.map(({ version_id: version }) => version)),
  );
  return ({ id, state }) => state === 'held' && (versions.has(id) || /^(?:draft|suggestions)-/.test(id));
}

/** Lists the pending work, which alarms have to finish. */
export function listPending(stores) {
  const waiting = stores.conversations.flatMap(({ meta, settlements, queue, turns }) => [
    ...settlements.map((row) => `${meta.id}: a settlement of ${row.versionId}`),
    ...(meta.begun === 1 && meta.list_row_stale === 1 ? [`${meta.id}: its place in the list`] : []),
    ...(meta.begun !== meta.d1_begun ||
    meta.d1_row_stale === 1 ||
    (meta.completed_at !== null && meta.deleted_at === null && meta.count_decided === 0) ||
    Math.min(meta.answered, MAX_COUNTED_TURNS) !== meta.d1_turns
      ? [`${meta.id}: its row`]
      : []),
    ...((meta.unlisted_since ?? null) === null ? [] : [`${meta.id}: whether it is listed`]),
    ...(meta.begun === 1 && queue.length > 0 ? [`${meta.id}: ${queue.length} messages for the search`] : []),
    ...turns.filter(({ ended }) => ended === 0).map(({ id }) => `${meta.id}: the end of turn ${id}`),
  ]);
  const isOwed = createOwedTest(stores.conversations);
  const held = [...stores.wallets.values()].flatMap(({ reservations }) =>
    reservations.filter(isOwed).map(({ id }) => `points held for ${id}`),
  );
  return [...waiting, ...held];
}
