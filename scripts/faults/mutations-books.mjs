// Ways to spoil what is counted and listed: wallets, D1's rows, the search, figures, KV.
import { PAID } from './check-wallets.mjs';
import {
  erasingIn,
  listedIn,
  paidFrom,
  reservedFor,
  searched,
  stopOf,
  turnWhere,
} from './mutations-find.mjs';

const row = (name, sql, ...values) => ({
  name,
  find: listedIn,
  spoil: ({ meta }, { d1 }) => d1.prepare(sql).run(...values, meta.id),
  where: (_, { d1 }) => d1,
});

const erasedIn = ({ journal }) => journal.chats.find(({ erased }) => erased === 'yes') ?? null;

export const BOOKS = [
  {
    name: 'still_owed',
    find: listedIn,
    where: ({ db }) => db,
    spoil: ({ db }) => db.prepare('update meta set index_dirty = 1').run(),
  },
  {
    name: 'ledger_doubled',
    find: paidFrom,
    where: ({ wallet }) => wallet.db,
    spoil: ({ wallet, row: { version_id: id } }) =>
      wallet.db
        .prepare(
          `insert into ledger (id, at, kind, reason, amount, balance_after, about)
           select 'twice', at, kind, reason, amount, balance_after, about from ledger where about = ?`,
        )
        .run(id),
  },
  {
    name: 'settled_once',
    find: paidFrom,
    where: ({ wallet }) => wallet.db,
    spoil: ({ wallet, row: { version_id: id } }) =>
      wallet.db.prepare('delete from ledger where about = ?').run(id),
  },
  {
    name: 'ledger_step',
    find: paidFrom,
    where: ({ wallet }) => wallet.db,
    spoil: ({ wallet, row: { version_id: id } }) =>
      wallet.db.prepare('update ledger set balance_after = balance_after + 1 where about = ?').run(id),
  },
  {
    name: 'ledger_sum',
    find: paidFrom,
    where: ({ wallet }) => wallet.db,
    spoil: ({ wallet }) => wallet.db.prepare('update balance set current = current + 1').run(),
  },
  {
    name: 'ledger_opening',
    find: paidFrom,
    where: ({ wallet }) => wallet.db,
    spoil: ({ wallet }) => wallet.db.prepare("delete from ledger where kind = 'opening'").run(),
  },
  {
    name: 'entry_unexplained',
    find: paidFrom,
    where: ({ wallet }) => wallet.db,
    spoil: ({ wallet, row: { version_id: id } }) =>
      wallet.db.prepare('delete from reservations where id = ?').run(id),
  },
  {
    name: 'reply_unpaid',
    find: paidFrom,
    where: ({ wallet }) => wallet.db,
    spoil: ({ wallet, row: { version_id: id } }) =>
      wallet.db.prepare("update reservations set state = 'released' where id = ?").run(id),
  },
  {
    name: 'reservation_held',
    find: paidFrom,
    where: ({ wallet }) => wallet.db,
    spoil: ({ wallet, row: { version_id: id } }) =>
      wallet.db.prepare("update reservations set state = 'held' where id = ?").run(id),
  },
  {
    name: 'paid_for_nothing',
    find: (world) => {
      const found = turnWhere(world, ({ row: of }) => of.error_code !== null);
      const person = world.journal.people.find(({ userId }) => userId === found?.row.payer_id);
      const wallet = world.stores.wallets.get(person?.wallet);
      return wallet?.reservations.some(({ id }) => id === found.row.version_id) ? { ...found, wallet } : null;
    },
    where: ({ wallet }) => wallet.db,
    spoil: ({ wallet, row: { version_id: id } }) =>
      wallet.db.prepare("update reservations set state = 'settled' where id = ?").run(id),
  },
  {
    name: 'day_count',
    find: paidFrom,
    where: ({ wallet }) => wallet.db,
    spoil: ({ wallet }) => wallet.db.prepare('update balance set daily_used = daily_used + 1000').run(),
  },
  row('row_count', 'update conversations set message_count = message_count + 1 where id = ?'),
  row('row_time', 'update conversations set last_message_at = last_message_at - 1 where id = ?'),
  row('row_title', "update conversations set title = 'of another' where id = ?"),
  row('row_turns', 'update conversations set turns = turns + 1 where id = ?'),
  row(
    'row_trash',
    'update conversations set deleted_at = case when deleted_at is null then 1 end where id = ?',
  ),
  row('row_owner', "update conversations set owner_id = 'house' where id = ?"),
  row('row_character', "update conversations set character_name = 'Bob' where id = ?"),
  row('conversation_unlisted', 'delete from conversations where id = ?'),
  row(
    'row_without_conversation',
    `insert into conversations (id, owner_id, character_id, created_at, last_message_at, message_count)
     select 'nowhere', owner_id, character_id, 1, 1, 1 from conversations where id = ?`,
  ),
  {
    name: 'search_missing',
    find: searched,
    where: ({ db }) => db,
    spoil: ({ db, entry }) => db.prepare('delete from entries where id = ?').run(entry.id),
  },
  {
    name: 'search_other_words',
    find: searched,
    where: ({ db }) => db,
    spoil: ({ db, entry }) => db.prepare('update entries set digest = digest + 1 where id = ?').run(entry.id),
  },
  {
    name: 'search_other_words',
    how: 'the words are gone, the entry stays',
    find: searched,
    where: ({ db }) => db,
    spoil: ({ db, entry }) => db.prepare('delete from words where rowid = ?').run(entry.id),
  },
  {
    name: 'search_stale',
    find: searched,
    where: ({ db }) => db,
    spoil: ({ db }) =>
      db
        .prepare(
          "insert into entries (id, conversation_id, message_id, digest, told_at) values (1, 'c', 'gone', 1, 1)",
        )
        .run(),
  },
  {
    name: 'chat_count',
    find: ({ stores }) => stores.d1,
    where: (d1) => d1,
    spoil: (d1) => d1.prepare('update characters set chat_count = chat_count + 1000').run(),
  },
  {
    name: 'chat_days',
    find: ({ stores }) => stores.d1,
    where: (d1) => d1,
    spoil: (d1) => d1.prepare('update character_days set chats = chats + 1').run(),
  },
  {
    name: 'figures',
    find: ({ stores }) => stores.d1,
    where: (d1) => d1,
    spoil: (d1) => d1.prepare('update turn_hours set turns = turns + 100000').run(),
  },
  {
    name: 'stop_paid',
    find: (world) => {
      const found = stopOf(world);
      const person = world.journal.people.find(({ userId }) => userId === found?.row.payer_id);
      const wallet = world.stores.wallets.get(person?.wallet);
      return wallet === undefined ? null : { ...found, wallet };
    },
    where: ({ wallet }) => wallet.db,
    spoil: ({ wallet, row: { version_id: id } }) =>
      wallet.db.prepare("update reservations set state = 'released' where id = ?").run(id),
  },
  {
    name: 'wallet_without_balance',
    find: paidFrom,
    where: ({ wallet }) => wallet.db,
    spoil: ({ wallet }) => wallet.db.exec('delete from balance'),
  },
  {
    name: 'released_free',
    find: (world) => reservedFor(world, ({ state }) => state === 'released'),
    where: ({ wallet }) => wallet.db,
    spoil: ({ wallet, reservation: { id } }) =>
      wallet.db
        .prepare(
          `insert into ledger (id, at, kind, reason, amount, balance_after, about)
           select 'taken', at, 'message', '', -1, balance_after - 1, ? from ledger order by rowid desc limit 1`,
        )
        .run(id),
  },
  {
    name: 'ask_paid_once',
    find: ({ stores, journal }) => {
      for (const act of journal.acts) {
        if (!['draft', 'suggestions'].includes(act.act) || act.outcome !== 'acked') continue;
        if (erasingIn(journal).has(act.chat)) continue;
        const { wallet: id } = journal.people.find(({ userId }) => userId === act.userId);
        const about = `${act.act}-${act.body.client_message_id}-`;
        const wallet = stores.wallets.get(id);
        const entry = wallet?.ledger.find((one) => PAID.has(one.kind) && one.about?.startsWith(about));
        if (entry !== undefined) return { wallet, entry };
      }
      return null;
    },
    where: ({ wallet }) => wallet.db,
    spoil: ({ wallet, entry }) => wallet.db.prepare('delete from ledger where id = ?').run(entry.id),
  },
  {
    name: 'erased_kept',
    find: erasedIn,
    where: (_, { d1 }) => d1,
    spoil: ({ id }, { d1 }) =>
      d1
        .prepare(
          `insert into conversations (id, owner_id, character_id, created_at, last_message_at, message_count)
           select ?, owner_id, character_id, 1, 1, 1 from conversations limit 1`,
        )
        .run(id),
  },
  {
    name: 'erased_kept',
    how: 'it can still be found by its words',
    find: (world) => {
      const [chat, known] = [erasedIn(world), searched(world)];
      return chat === null || known === null ? null : { ...known, chat };
    },
    where: ({ db }) => db,
    spoil: ({ db, entry, chat }) =>
      db.prepare('update entries set conversation_id = ? where id = ?').run(chat.id, entry.id),
  },
  {
    name: 'key_unknown',
    find: ({ stores }) => stores.kv,
    where: (kv) => kv,
    spoil: (kv) => kv.exec("insert into _mf_entries (key, blob_id) values ('points:of-somebody', 'x')"),
  },
];
