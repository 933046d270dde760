// Proof that the checker can fail: stores that are whole are spoilt in one way after the other, and each has to be named. A
// spoilt store is never written: each way is a transaction that is taken back.
import { check } from './check.mjs';
import { openStores } from './stores.mjs';

/** The first accepted turn that is still there and pleases, with its conversation. */
function turnWhere({ stores, journal }, pleases) {
  for (const turn of journal.turns) {
    if (turn.accepted === null) continue;
    const kept = stores.conversations.find(({ meta }) => meta.id === turn.chat);
    const row = kept?.turns.find(({ id }) => id === turn.id);
    const version = kept?.versionById.get(row?.version_id);
    if (row !== undefined && pleases({ turn, kept, row, version })) return { turn, kept, row, version };
  }
  return null;
}

const sendOf = (world) => turnWhere(world, ({ turn }) => turn.kind === 'send');
const wholeOf = (world) =>
  turnWhere(world, ({ version }) => version?.status === 'complete' && version.content.length > 12);

/** The wallet that a whole reply was paid from. */
function paidFrom(world) {
  const found = wholeOf(world);
  if (found === null) return null;
  const person = world.journal.people.find(({ userId }) => userId === found.row.payer_id);
  const wallet = world.stores.wallets.get(person?.wallet);
  return wallet === undefined ? null : { ...found, wallet };
}

/** A conversation that is listed, and in which something was said. */
const listedIn = ({ stores }) => stores.conversations.find(({ turns }) => turns.length > 0) ?? null;

/** A message that the search knows. */
function searched({ stores, journal }) {
  for (const { search } of journal.people) {
    const db = stores.searches.get(search);
    const entry = db?.prepare('select * from entries limit 1').get();
    if (entry !== undefined) return { db, entry };
  }
  return null;
}

/** An act of some kind that was done, in a conversation that is there. */
function done({ stores, journal }, name, pleases = () => true) {
  for (const act of journal.acts) {
    if (act.act !== name || act.outcome !== 'acked') continue;
    const kept = stores.conversations.find(({ meta }) => meta.id === act.chat);
    if (kept !== undefined && pleases(act, kept)) return { act, kept };
  }
  return null;
}

const row = (name, sql, ...values) => ({
  name,
  find: listedIn,
  spoil: ({ meta }, { d1 }) => d1.prepare(sql).run(...values, meta.id),
  where: (_, { d1 }) => d1,
});

/** @type {{ name: string, how?: string, find: Function, where: Function, spoil: Function }[]} */
export const MUTATIONS = [
  {
    name: 'message_lost',
    find: sendOf,
    where: ({ kept }) => kept.db,
    spoil: ({ kept, turn }) => {
      kept.db.prepare('delete from versions where message_id = ?').run(turn.accepted.userMessageId);
      kept.db.prepare('delete from messages where id = ?').run(turn.accepted.userMessageId);
    },
  },
  {
    name: 'message_doubled',
    find: sendOf,
    where: ({ kept }) => kept.db,
    spoil: ({ kept, turn }) =>
      kept.db
        .prepare(
          `insert into messages (position, id, role, client_message_id, selected_version_id, created_at)
           select 100000, 'twice', role, client_message_id, selected_version_id, created_at from messages where id = ?`,
        )
        .run(turn.accepted.userMessageId),
  },
  {
    name: 'message_changed',
    find: sendOf,
    where: ({ kept }) => kept.db,
    spoil: ({ kept, turn }) =>
      kept.db
        .prepare("update versions set content = content || '!' where message_id = ?")
        .run(turn.accepted.userMessageId),
  },
  {
    name: 'reply_lost',
    find: sendOf,
    where: ({ kept }) => kept.db,
    spoil: ({ kept, turn }) => {
      kept.db.prepare('delete from versions where message_id = ?').run(turn.accepted.replyId);
      kept.db.prepare('delete from messages where id = ?').run(turn.accepted.replyId);
    },
  },
  {
    name: 'pair_torn',
    find: sendOf,
    where: ({ kept }) => kept.db,
    spoil: ({ kept, turn }) =>
      kept.db.prepare('update messages set position = 100000 where id = ?').run(turn.accepted.replyId),
  },
  {
    name: 'turn_lost',
    find: sendOf,
    where: ({ kept }) => kept.db,
    spoil: ({ kept, turn }) => kept.db.prepare('delete from turns where id = ?').run(turn.id),
  },
  {
    name: 'turn_open',
    find: sendOf,
    where: ({ kept }) => kept.db,
    spoil: ({ kept, turn }) => kept.db.prepare('update turns set ended = 0 where id = ?').run(turn.id),
  },
  {
    name: 'reply_torn',
    find: wholeOf,
    where: ({ kept }) => kept.db,
    spoil: ({ kept, version }) =>
      kept.db
        .prepare(
          "update versions set content = substr(content, 1, 4) || '~' || substr(content, 6) where id = ?",
        )
        .run(version.id),
  },
  {
    name: 'reply_false_complete',
    find: wholeOf,
    where: ({ kept }) => kept.db,
    spoil: ({ kept, version }) =>
      kept.db
        .prepare('update versions set content = substr(content, 1, length(content) - 3) where id = ?')
        .run(version.id),
  },
  {
    name: 'reply_doubled',
    find: (world) => {
      const one = wholeOf(world);
      const other = turnWhere(
        world,
        ({ version, row: turn }) =>
          version?.status === 'complete' && turn.base_length === 0 && turn.version_id !== one.row.version_id,
      );
      return one === null || other === null || one.row.base_length > 0 ? null : { one, other };
    },
    where: ({ other }) => other.kept.db,
    spoil: ({ one, other }) =>
      other.kept.db
        .prepare('update versions set content = ? where id = ?')
        .run(one.version.content, other.version.id),
  },
  {
    name: 'reply_shrunk',
    find: (world) =>
      turnWhere(
        world,
        ({ turn, version, row: of }) =>
          // What a crash ended may have lost its last words: no less of it need be there.
          of.error_code !== 'reply_interrupted' &&
          version !== undefined &&
          version.content.length > 1 &&
          of.base_length === 0 &&
          turn.streams.some(({ versionId, parts }) => versionId === version.id && parts.length > 2),
      ),
    where: ({ kept }) => kept.db,
    spoil: ({ kept, version }) =>
      kept.db
        .prepare("update versions set content = substr(content, 1, 1), status = 'interrupted' where id = ?")
        .run(version.id),
  },
  {
    name: 'end_lost',
    find: (world) =>
      turnWhere(
        world,
        ({ turn, version }) =>
          version !== undefined &&
          turn.streams.some(({ end, told }) => end === 'done' && told?.versionId === version.id),
      ),
    where: ({ kept }) => kept.db,
    spoil: ({ kept, version }) =>
      kept.db.prepare("update versions set status = 'failed' where id = ?").run(version.id),
  },
  {
    name: 'reply_unfinished',
    find: wholeOf,
    where: ({ kept }) => kept.db,
    spoil: ({ kept, version }) =>
      kept.db.prepare("update versions set status = 'streaming' where id = ?").run(version.id),
  },
  {
    name: 'edit_lost',
    find: (world) => done(world, 'edit'),
    where: ({ kept }) => kept.db,
    spoil: ({ kept, act }) => kept.db.prepare('delete from versions where content = ?').run(act.body.content),
  },
  {
    name: 'deletion_lost',
    // Of one that somebody tried to take back, the journal expects nothing.
    find: (world) =>
      done(
        world,
        'cut',
        (act, kept) =>
          kept.trash.some(({ id }) => id === act.told.id) &&
          !world.journal.acts.some((one) => one.act === 'restore' && one.path.includes(act.told.id)),
      ),
    where: ({ kept }) => kept.db,
    spoil: ({ kept, act }) =>
      kept.db.prepare('update messages set trash_id = null where trash_id = ?').run(act.told.id),
  },
  {
    name: 'title_lost',
    find: (world) => done(world, 'rename'),
    where: ({ kept }) => kept.db,
    spoil: ({ kept }) => kept.db.prepare("update meta set title = 'another'").run(),
  },
  {
    name: 'message_count',
    find: listedIn,
    where: ({ db }) => db,
    spoil: ({ db }) => db.prepare('update meta set message_count = message_count + 1').run(),
  },
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
];

/**
 * Spoils stores in every way that they have something for.
 * @returns how many ways were shown and named, which were not named, and for which nothing was there
 */
export function proveChecker(folder, journal) {
  const opened = openStores(folder);
  const proof = { shown: 0, named: 0, missed: [], without: [] };
  try {
    for (const { name, how, find, where, spoil } of MUTATIONS) {
      const stores = opened.read();
      const found = find({ stores, journal });
      const told = how === undefined ? name : `${name} (${how})`;
      if (found === null || found === undefined) {
        proof.without.push(told);
        continue;
      }
      const db = where(found, stores);
      db.exec('pragma foreign_keys = off');
      db.exec('begin');
      try {
        spoil(found, stores);
        const { counts } = check(opened.read(), journal);
        proof.shown += 1;
        if (counts[name] > 0) proof.named += 1;
        else proof.missed.push(`not named: ${told}; instead ${JSON.stringify(counts)}`);
      } finally {
        db.exec('rollback');
      }
    }
  } finally {
    opened.close();
  }
  return proof;
}
