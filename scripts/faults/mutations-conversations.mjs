// Mutations of conversations: messages, replies, users' actions, and what clients received.
import { versionsChosen } from './check-actions.mjs';
import { listCertainMoves } from './check-indexes.mjs';
import { wasRefused } from './check-messages.mjs';
import {
  findAction,
  findComplete,
  findConversation,
  findSend,
  findStop,
  findTurn,
  listErasing,
  mutate,
} from './mutation-targets.mjs';

const getSent = ({ turn }) => [turn.accepted.userMessageId];
const getReply = ({ turn }) => [turn.accepted.replyId];
const getTurn = ({ turn }) => [turn.id];
const getVersion = ({ version }) => [version.id];
/** The id in an action's path: of a message, or of an item in the trash. */
const getPathId = ({ action }) => [action.path.split('/')[2]];
/** Versions and message of an id. */
const DELETE_MESSAGE = [
  'delete from versions where position = (select position from messages where id = ?)',
  'delete from messages where id = ?',
];
/** Changes a version, which is in its message's row or among the others. */
const changeVersion = (set) => [
  `update messages set ${set} where version_id = ?`,
  `update versions set ${set} where id = ?`,
];
/** Changes all versions of a message. */
const changeVersions = (set) => [
  `update versions set ${set} where position = (select position from messages where id = ?)`,
  `update messages set ${set} where id = ?`,
];

const findEdit = (context) => findAction(context, 'edit');
const findRename = (context) => findAction(context, 'rename');
const findTrash = (context) => findConversation(context, ({ trash }) => trash.length > 0);
const findRestore = (context) => findAction(context, 'restore');
const findRestoredMessage = (context) =>
  findAction(context, 'restore', ({ answer }) => answer.message_ids.length > 0);
/** A deletion that no client tried to restore. */
const findDeletion = (context) =>
  findAction(
    context,
    'delete',
    ({ answer }, { trash }) =>
      trash.some(({ id }) => id === answer.id) &&
      !context.journal.actions.some(({ kind, path }) => kind === 'restore' && path.includes(answer.id)),
  );
const findRefused = ({ stores, journal }) => {
  const erasing = listErasing(journal);
  const turn = journal.turns.find(
    (one) => wasRefused(one) && one.accepted === null && !erasing.has(one.chat),
  );
  const found = stores.conversations.find(({ meta, turns }) => meta.id === turn?.chat && turns.length > 0);
  return found === undefined ? null : { db: found.db, turn, other: found.turns[0].id };
};
const findSelection = (context) =>
  findAction(context, 'select', (action, of) => versionsChosen(context.journal, action, of) !== null);
const findMoved = ({ stores, journal }) => {
  const moved = new Set(listCertainMoves(journal, listErasing(journal)).map(({ chat }) => chat));
  return stores.conversations.find(({ meta }) => moved.has(meta.id)) ?? null;
};
/** Two complete replies. */
const findTwo = (context) => {
  const one = findComplete(context);
  const other = findTurn(
    context,
    ({ version, row }) =>
      version?.status === 'complete' && row.base_length === 0 && row.version_id !== one.row.version_id,
  );
  return one === null || other === null || one.row.base_length > 0 ? null : { ...other, one };
};
/** A reply of which a client saw several parts. A crash may have taken the last words of an interrupted one. */
const findStreamed = (context) =>
  findTurn(
    context,
    ({ turn, version, row }) =>
      row.error_code !== 'reply_interrupted' &&
      row.base_length === 0 &&
      version?.content.length > 1 &&
      turn.streams.some(({ versionId, parts }) => versionId === version.id && parts.length > 2),
  );
const findSeenStart = (context) =>
  findTurn(
    context,
    ({ turn, version, row }) =>
      row.base_length === 0 &&
      version?.content.length > 1 &&
      turn.streams.some(({ versionId, parts }) => versionId === version.id && parts[0]?.from === 0),
  );
const findSeenEnd = (context) =>
  findTurn(
    context,
    ({ turn, version }) =>
      version !== undefined &&
      turn.streams.some(({ end, reply }) => end === 'done' && reply?.versionId === version.id),
  );
const hasParts = ({ versionId, parts }) => versionId !== null && parts.length > 2;

/** @type {import('./mutations.mjs').Mutation[]} */
export const CONVERSATION_MUTATIONS = [
  ...mutate(findSend, getSent, {
    message_lost: DELETE_MESSAGE,
    message_doubled: `insert into messages (position, id, role, character_id, client_message_id, created_at, version_id,
        version_number, version_created_at, content, status)
      select 100000, 'twice', role, character_id, client_message_id, created_at, 'twice', 1, created_at, content, status
      from messages where id = ?`,
    message_changed: changeVersions("content = content || '!'"),
  }),
  ...mutate(findSend, getReply, {
    reply_lost: DELETE_MESSAGE,
    pair_split: 'update messages set position = 100000 where id = ?',
  }),
  ...mutate(findSend, getTurn, {
    turn_lost: 'delete from turns where id = ?',
    turn_open: `update meta set open_turn = json_object('id', ?)`,
  }),
  ...mutate(findSend, null, { conversation_lost: 'delete from meta' }),
  ...mutate(findConversation, null, { message_count: 'update meta set message_count = message_count + 1' }),
  ...mutate(findComplete, getVersion, {
    reply_corrupted: changeVersion("content = substr(content, 1, 4) || '~' || substr(content, 6)"),
    reply_false_complete: changeVersion('content = substr(content, 1, length(content) - 3)'),
    reply_unfinished: changeVersion("status = 'streaming'"),
    version_without_message: `insert into versions (position, number, id, created_at, content, status)
      select 100000, 1, ?, 1, '', 'complete'`,
  }),
  ...mutate(findComplete, getTurn, {
    reply_status: "update turns set error_code = 'model_failed' where id = ?",
  }),
  ...mutate(findTwo, ({ one, version }) => [one.version.content, version.id], {
    reply_doubled: [
      'update messages set content = ? where version_id = ?',
      'update versions set content = ? where id = ?',
    ],
  }),
  ...mutate(findStreamed, getVersion, {
    reply_shrunk: changeVersion("content = substr(content, 1, 1), status = 'interrupted'"),
  }),
  ...mutate(findSeenStart, getVersion, {
    reply_differs: changeVersion("content = '~' || substr(content, 2)"),
  }),
  ...mutate(findSeenEnd, getVersion, { end_lost: changeVersion("status = 'failed'") }),
  ...mutate(findRefused, ({ turn, other }) => [turn.id, other], {
    refused_turn_kept: 'update turns set id = ? where id = ?',
  }),
  ...mutate(findEdit, ({ action }) => [action.body.content], {
    edit_lost: [
      'delete from versions where content = ?',
      "update messages set content = '~' where content = ?",
    ],
  }),
  ...mutate(findRename, null, { title_lost: "update meta set title = 'another'" }),
  ...mutate(findSelection, getPathId, {
    selection_lost: "update messages set version_id = 'another' where id = ?",
  }),
  ...mutate(findMoved, null, {
    trash_move_lost: 'update meta set deleted_at = case when deleted_at is null then 1 end',
  }),
  ...mutate(findDeletion, ({ action }) => [action.answer.id], {
    deletion_lost: 'update messages set trash_id = null where trash_id = ?',
  }),
  ...mutate(findTrash, null, { deletion_count: 'update trash set message_count = message_count + 1' }),
  ...mutate(findRestore, getPathId, {
    restoration_lost: 'insert into trash (id, deleted_at, expires_at, message_count) values (?, 1, 2, 0)',
  }),
  ...mutate(findRestoredMessage, ({ action }) => [...getPathId({ action }), action.answer.message_ids[0]], {
    'restoration_lost (a message stays in the trash)': 'update messages set trash_id = ? where id = ?',
  }),
  ...mutate(findStop, ({ action }) => [action.answer.reply.id], {
    stop_lost: 'delete from messages where id = ?',
  }),
  ...mutate(findStop, getVersion, {
    stopped_text: changeVersion("content = content || ' more'"),
    'stopped_text (its status differs)': changeVersion(
      "status = iif(status = 'complete', 'interrupted', 'complete')",
    ),
  }),
  {
    ...{ name: 'stop_unfinished', label: 'stop_unfinished', find: findStop },
    changeJournal({ action }, { actions }) {
      const stop = actions.find(({ path, at }) => path === action.path && at === action.at);
      stop.answer.reply.status = 'streaming';
    },
  },
  {
    ...{ name: 'text_after_stop', label: 'text_after_stop', find: findStop },
    changeJournal({ action, row }, { turns }) {
      const part = { from: action.answer.reply.content.length, text: ' and more', at: action.ended + 1 };
      const stream = { versionId: row.version_id, parts: [part], end: null, code: null, reply: null };
      turns.find(({ id }) => id === row.id).streams.push(stream);
    },
  },
  {
    ...{ name: 'stream_gap', label: 'stream_gap' },
    find: (context) => findTurn(context, ({ turn }) => turn.streams.some(hasParts)),
    changeJournal({ turn }, { turns }) {
      const { streams } = turns.find(({ id }) => id === turn.id);
      streams.find(hasParts).parts.splice(1, 1);
    },
  },
];
