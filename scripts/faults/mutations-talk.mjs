// Ways to spoil what was said: messages, replies, what people did to them, and what clients were told.
import { versionsChosen } from './check-acts.mjs';
import { sureMoves } from './check-lists.mjs';
import { wasRefused } from './check-messages.mjs';
import { done, erasingIn, listedIn, sendOf, stopOf, turnWhere, wholeOf } from './mutations-find.mjs';

export const TALK = [
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
    name: 'conversation_lost',
    find: sendOf,
    where: ({ kept }) => kept.db,
    spoil: ({ kept }) => kept.db.exec('delete from meta'),
  },
  {
    name: 'refused_turn_kept',
    find: ({ stores, journal }) => {
      const erasing = erasingIn(journal);
      const turn = journal.turns.find(
        (one) => wasRefused(one) && one.accepted === null && !erasing.has(one.chat),
      );
      const kept = stores.conversations.find(({ meta, turns }) => meta.id === turn?.chat && turns.length > 0);
      return kept === undefined ? null : { turn, kept };
    },
    where: ({ kept }) => kept.db,
    spoil: ({ kept, turn }) =>
      kept.db.prepare('update turns set id = ? where id = ?').run(turn.id, kept.turns[0].id),
  },
  {
    name: 'version_lost',
    find: sendOf,
    where: ({ kept }) => kept.db,
    spoil: ({ kept, turn }) =>
      kept.db
        .prepare("update messages set selected_version_id = 'gone' where id = ?")
        .run(turn.accepted.userMessageId),
  },
  {
    name: 'version_without_message',
    find: wholeOf,
    where: ({ kept }) => kept.db,
    spoil: ({ kept, version }) =>
      kept.db.prepare("update versions set message_id = 'nobody' where id = ?").run(version.id),
  },
  {
    name: 'selection_lost',
    find: (world) => done(world, 'select', (act, kept) => versionsChosen(world.journal, act, kept) !== null),
    where: ({ kept }) => kept.db,
    spoil: ({ kept, act }) =>
      kept.db
        .prepare("update messages set selected_version_id = 'another' where id = ?")
        .run(act.path.split('/')[2]),
  },
  {
    name: 'put_away_lost',
    find: ({ stores, journal }) => {
      for (const { chat } of sureMoves(journal, erasingIn(journal))) {
        const kept = stores.conversations.find(({ meta }) => meta.id === chat);
        if (kept !== undefined) return kept;
      }
      return null;
    },
    where: ({ db }) => db,
    spoil: ({ db }) => db.exec('update meta set deleted_at = case when deleted_at is null then 1 end'),
  },
  {
    name: 'deletion_count',
    find: ({ stores }) => stores.conversations.find(({ trash }) => trash.length > 0),
    where: ({ db }) => db,
    spoil: ({ db }) => db.exec('update trash set message_count = message_count + 1'),
  },
  {
    name: 'restoration_lost',
    find: (world) => done(world, 'restore'),
    where: ({ kept }) => kept.db,
    spoil: ({ kept, act }) =>
      kept.db
        .prepare('insert into trash (id, deleted_at, expires_at, message_count) values (?, 1, 2, 0)')
        .run(act.path.split('/')[2]),
  },
  {
    name: 'restoration_lost',
    how: 'a message stays where it was',
    find: (world) => done(world, 'restore', ({ told }) => told.message_ids.length > 0),
    where: ({ kept }) => kept.db,
    spoil: ({ kept, act }) =>
      kept.db
        .prepare('update messages set trash_id = ? where id = ?')
        .run(act.path.split('/')[2], act.told.message_ids[0]),
  },
  {
    name: 'stop_lost',
    find: stopOf,
    where: ({ kept }) => kept.db,
    spoil: ({ kept, act }) => kept.db.prepare('delete from messages where id = ?').run(act.told.reply.id),
  },
  {
    name: 'stopped_text',
    find: stopOf,
    where: ({ kept }) => kept.db,
    spoil: ({ kept, version }) =>
      kept.db.prepare("update versions set content = content || ' more' where id = ?").run(version.id),
  },
  {
    name: 'stopped_text',
    how: 'it says that it came whole, or did not',
    find: stopOf,
    where: ({ kept }) => kept.db,
    spoil: ({ kept, version }) =>
      kept.db
        .prepare(
          "update versions set status = iif(status = 'complete', 'interrupted', 'complete') where id = ?",
        )
        .run(version.id),
  },
  {
    name: 'stopped_on',
    find: stopOf,
    retell: ({ act }, journal) => {
      journal.acts.find(({ path, at }) => path === act.path && at === act.at).told.reply.status = 'streaming';
    },
  },
  {
    name: 'told_after_stop',
    find: stopOf,
    retell: ({ act, row }, journal) => {
      const part = { from: act.told.reply.content.length, text: ' and more', at: act.ended + 1 };
      const turn = journal.turns.find(({ id }) => id === row.id);
      turn.streams.push({ versionId: row.version_id, parts: [part], end: null, code: null, told: null });
    },
  },
  {
    name: 'reply_status',
    find: wholeOf,
    where: ({ kept }) => kept.db,
    spoil: ({ kept, row: { id } }) =>
      kept.db.prepare("update turns set error_code = 'model_failed' where id = ?").run(id),
  },
  {
    name: 'reply_other_than_told',
    find: (world) =>
      turnWhere(
        world,
        ({ turn, version, row: { base_length: base } }) =>
          base === 0 &&
          version?.content.length > 1 &&
          turn.streams.some(({ versionId, parts }) => versionId === version.id && parts[0]?.from === 0),
      ),
    where: ({ kept }) => kept.db,
    spoil: ({ kept, version }) =>
      kept.db.prepare("update versions set content = '~' || substr(content, 2) where id = ?").run(version.id),
  },
  {
    name: 'stream_gap',
    find: (world) =>
      turnWhere(world, ({ turn }) =>
        turn.streams.some(({ versionId, parts }) => versionId !== null && parts.length > 2),
      ),
    retell: ({ turn }, journal) => {
      const told = journal.turns.find(({ id }) => id === turn.id);
      told.streams.find(({ versionId, parts }) => versionId !== null && parts.length > 2).parts.splice(1, 1);
    },
  },
];
