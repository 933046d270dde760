import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { CONVERSATION_MIGRATIONS } from '../../src/features/conversation/conversation-migrations.ts';
import { SEARCH_MIGRATIONS } from '../../src/features/search/search-migrations.ts';
import { WALLET_MIGRATIONS } from '../../src/features/wallet/wallet-migrations.ts';

/**
 * Stores as a runtime leaves them on disk, with the journal of the client: a little of every kind of data, all consistent.
 */

const NOW = 1_790_000_000_000;
const DAY = Math.floor(NOW / 86_400_000);

function createDatabase(folder: string, name: string, statements: readonly string[]): DatabaseSync {
  mkdirSync(folder, { recursive: true });
  const db = new DatabaseSync(join(folder, `${name}.sqlite`));
  // The data is disposable, so no write has to be synced.
  db.exec('pragma foreign_keys = off; pragma synchronous = off; pragma journal_mode = memory');
  for (const statement of statements) db.exec(statement);
  return db;
}

function insertRow(db: DatabaseSync, table: string, row: Record<string, string | number | null>): void {
  const names = Object.keys(row);
  db.prepare(`insert into ${table} (${names.join(', ')}) values (${names.map(() => '?').join(', ')})`).run(
    ...Object.values(row),
  );
}

const WHOLE = 'r1 w1x0 w1x1 w1x2';
const BROKEN = 'r2 w2x0';
const AGAIN = 'r3 w3x0 w3x1 w3x2';
const EDITED = 'Edited e1 by hand';

/**
 * One user with a conversation and an erased one: a complete reply, one lost in a crash, a regenerated one, a refused
 * message, and one of every other action.
 */
export function createFaultStores(folder: string): { journal: Record<string, unknown> } {
  const objects = join(folder, 'do');
  const chat = createDatabase(join(objects, 'loreloom-ConversationObject'), 'c1', CONVERSATION_MIGRATIONS);
  const wallet = createDatabase(join(objects, 'loreloom-WalletObject'), 'w1', WALLET_MIGRATIONS);
  const search = createDatabase(join(objects, 'loreloom-SearchObject'), 's1', SEARCH_MIGRATIONS);
  const migrations = new URL('../../migrations/', import.meta.url);
  const d1 = createDatabase(
    join(folder, 'd1', 'miniflare-D1DatabaseObject'),
    'd1',
    readdirSync(migrations)
      .filter((name) => name.endsWith('.sql'))
      .toSorted()
      .map((name) => readFileSync(new URL(name, migrations), 'utf8')),
  );

  const kv = createDatabase(join(folder, 'kv', 'miniflare-KVNamespaceObject'), 'kv', [
    'create table _mf_entries (key text primary key, blob_id text not null, expiration integer, metadata text)',
  ]);
  insertRow(kv, '_mf_entries', { key: 'business', blob_id: 'b1' });

  const message = (
    position: number,
    id: string,
    role: string,
    { version_id = `${id}-v`, ...more }: Record<string, string | null> = {},
  ) =>
    insertRow(chat, 'messages', {
      position,
      id,
      role,
      character_id: role === 'character' ? 'mira' : null,
      client_message_id: null,
      created_at: NOW + position,
      version_id,
      version_number: 0,
      version_created_at: NOW,
      content: '',
      status: 'complete',
      ...more,
    });
  let versions = 0;
  const version = (
    id: string,
    of: string,
    content: string,
    more: Record<string, string | number | null> = {},
  ) => {
    versions += 1;
    const found = chat.prepare('select position, version_id from messages where id = ?').get(of) as {
      position: number;
      version_id: string;
    };
    const row = { content, model: null, status: 'complete', error_code: null, ...more };
    if (found.version_id === id)
      chat
        .prepare(
          'update messages set version_number = ?, content = ?, model = ?, status = ?, error_code = ?, edited = ? where id = ?',
        )
        .run(versions, row.content, row.model, row.status, row.error_code, Number(more['edited'] ?? 0), of);
    else
      insertRow(chat, 'versions', {
        id,
        position: found.position,
        number: versions,
        created_at: NOW,
        ...row,
      });
  };
  const turn = (id: string, kind: string, sent: string | null, reply: string, writes: string, more = {}) =>
    insertRow(chat, 'turns', {
      id,
      kind,
      character_id: 'mira',
      user_message_id: sent,
      reply_id: reply,
      version_id: writes,
      base_length: 0,
      head: 0,
      payer_id: 'u1',
      error_code: null,
      ...more,
    });
  const lost = { model: 'm', status: 'interrupted', error_code: 'reply_interrupted' };
  message(1, 'm1', 'character');
  version('m1-v', 'm1', 'Tick goes the clock.');
  message(2, 'm2', 'user', { client_message_id: 't1', version_id: 'm2-e' });
  version('m2-v', 'm2', 'Line one');
  version('m2-e', 'm2', EDITED, { edited: 1 });
  message(3, 'm3', 'character', { version_id: 'm3-b' });
  version('m3-v', 'm3', WHOLE, { model: 'm' });
  version('m3-b', 'm3', AGAIN, { model: 'm' });
  message(4, 'm4', 'user', { client_message_id: 't2', trash_id: 'x1' });
  version('m4-v', 'm4', 'Line two');
  message(5, 'm5', 'character', { trash_id: 'x1' });
  version('m5-v', 'm5', BROKEN, lost);
  turn('t1', 'send', 'm2', 'm3', 'm3-v');
  turn('t2', 'send', 'm4', 'm5', 'm5-v', { error_code: 'reply_interrupted' });
  turn('t3', 'regenerate', null, 'm3', 'm3-b', { previous_version_id: 'm3-v' });
  insertRow(chat, 'trash', { id: 'x1', deleted_at: NOW, expires_at: NOW + 1, message_count: 2 });
  const character = { id: 'ada', name: 'Ada', avatar_url: '/media/x' };
  insertRow(chat, 'meta', {
    one: 1,
    id: 'c1',
    owner_id: 'u1',
    user_name: 'Somebody',
    character: JSON.stringify(character),
    title: 'Title 1',
    created_at: NOW,
    updated_at: NOW + 9,
    list_row_stale: 0,
    d1_turns: 1,
    search_position: 5,
    completed_at: NOW,
    count_decided: 1,
    message_count: 3,
    answered: 1,
  });
  chat.exec('delete from search_queue');

  insertRow(wallet, 'balance', {
    one: 1,
    current: 37,
    permanent: 0,
    refilled_at: NOW,
    day: DAY,
    daily_used: 3,
    closed: JSON.stringify(['m3-v', 'm5-v', 'm3-b', 'draft-a1-1']),
  });
  const entry = (id: string, kind: string, amount: number, after: number, about: string) =>
    insertRow(wallet, 'ledger', { id, at: NOW, kind, reason: '', amount, balance_after: after, about });
  entry('l1', 'opening', 40, 40, 'opening');
  entry('l2', 'message', -1, 39, 'm3-v');
  entry('l3', 'message_free', 0, 39, 'm5-v');
  entry('l4', 'message', -1, 38, 'm3-b');
  entry('l5', 'message', -1, 37, 'draft-a1-1');

  for (const [index, [id, text]] of [
    ['m1', 'Tick goes the clock.'],
    ['m2', EDITED],
    ['m3', AGAIN],
  ].entries()) {
    insertRow(search, 'words', {
      rowid: 100 + index,
      line: (text as string).toLowerCase(),
      key: `c1 ${id as string}`,
      conversation_id: 'c1',
      message_id: id as string,
      reported_at: NOW,
    });
  }

  insertRow(search, 'conversations', {
    id: 'c1',
    character_id: 'ada',
    character_name: 'Ada',
    avatar_url: '/media/x',
    title: 'Title 1',
    last_line: AGAIN.slice(0, 80).trim(),
    created_at: NOW,
    last_message_at: NOW + 9,
    message_count: 3,
    unread: 0,
  });
  d1.exec(
    `insert into users (id, username, is_anonymous, is_system, created_at, updated_at)
       values ('house', 'House', 0, 1, 1, 1), ('u1', 'Guest', 1, 0, 1, 1);
     insert into characters (id, creator_id, name, oneliner, character_traits, first_message, model_type, visibility,
         point_of_view, suggested_replies, avatar_key, chat_count, created_at, updated_at)
       values ('ada', 'house', 'Ada', '', '', '', 'roleplay', 'public', 'normal', '[]', 'x', 1, 1, 1);
     insert into character_days (day, character_id, chats, is_pending) values (${DAY}, 'ada', 1, 1);`,
  );
  insertRow(d1, 'conversations', {
    id: 'c1',
    owner_id: 'u1',
    character_id: 'ada',
    character_name: 'Ada',
    avatar_url: '/media/x',
    created_at: NOW,
    counted_at: NOW,
    turns: 1,
  });
  const hour = { hour: 1, model: 'm', turns: 3, failed: 1, stopped: 0, refused: 0 };
  insertRow(d1, 'hourly_model_usage', {
    ...hour,
    ...Object.fromEntries(
      ['prompt_tokens', 'reply_tokens', 'points', 'first_250', 'first_500', 'first_1000'].map((name) => [
        name,
        0,
      ]),
    ),
    ...{ first_2000: 0, first_5000: 0, first_later: 0 },
  });
  for (const db of [chat, wallet, search, d1, kv]) db.close();
  return { journal: createJournal() };
}

const ENDED = { status: 'complete', errorCode: null };

/** A confirmed action. */
const acknowledged = (kind: string, path: string, answer: unknown = null, body?: Record<string, string>) => ({
  ...{ kind, path, answer, body, at: NOW, ended: NOW, userId: 'u1', chat: 'c1', outcome: 'acked' },
});

function createJournal() {
  const turn = (id: string, reply: string, of: string, kind: string, sent: string | null) => ({
    id,
    kind,
    userId: 'u1',
    chat: 'c1',
    messageId: null,
    at: NOW,
    ended: NOW,
    content: sent,
    accepted: {
      replyId: reply,
      versionId: of,
      userMessageId: kind === 'send' ? (id === 't1' ? 'm2' : 'm4') : null,
    },
    outcomes: ['acked'],
  });
  /** Splits a text into three parts, as a client receives them. */
  const parts = (text: string, at: number) => {
    const third = Math.ceil(text.length / 3);
    return [0, third, 2 * third].map((from) => ({ from, text: text.slice(from, from + third), at }));
  };
  const done = (of: string, content: string) => ({
    versionId: of,
    parts: parts(content, NOW),
    end: 'done',
    code: null,
    reply: { id: 'm3', versionId: of, content, status: 'complete', errorCode: null },
  });
  const crash = NOW + 5000;
  const seenBeforeCrash = parts(`${BROKEN} w2x1`, crash - 300);
  return {
    turns: [
      { ...turn('t1', 'm3', 'm3-v', 'send', 'Line one'), streams: [done('m3-v', WHOLE)] },
      {
        ...turn('t2', 'm5', 'm5-v', 'send', 'Line two'),
        streams: [{ versionId: 'm5-v', parts: seenBeforeCrash, end: null, code: null, reply: null }],
      },
      { ...turn('t3', 'm3', 'm3-b', 'regenerate', null), streams: [done('m3-b', AGAIN)] },
      {
        ...turn('t4', '', '', 'send', 'Line three'),
        accepted: null,
        outcomes: ['refused reply_in_progress'],
        streams: [],
      },
    ],
    actions: [
      { kind: 'create', at: NOW, userId: 'u1', chat: 'c1', outcome: 'acked', answer: null },
      acknowledged('edit', 'c1/messages/m2', null, { content: EDITED }),
      acknowledged('delete', 'c1/messages/m4', { id: 'x1', message_count: 2 }),
      acknowledged('delete', 'c1/messages/m2', { id: 'x0', message_count: 2 }),
      acknowledged('restore', 'c1/trash/x0/restore', { message_ids: ['m2', 'm3'] }),
      acknowledged('rename', 'c1', null, { title: 'Title 1' }),
      acknowledged('trash', 'c1'),
      { ...acknowledged('untrash', 'c1/restore'), at: NOW + 2, ended: NOW + 2 },
      acknowledged('draft', 'c1/impersonate', {}, { client_message_id: 'a1' }),
      acknowledged('stop', 'c1/stop', { reply: { id: 'm3', versionId: 'm3-b', content: AGAIN, ...ENDED } }),
      {
        ...acknowledged('select', 'c1/messages/m3/version', null, { version_id: 'm3-b' }),
        at: NOW + 3,
        ended: NOW + 3,
      },
      { ...acknowledged('erase', 'c2?forever=true'), chat: 'c2' },
    ],
    users: [{ userId: 'u1', wallet: 'w1', search: 's1' }],
    chats: [
      { id: 'c1', userId: 'u1', origin: 'created', erased: 'no' },
      { id: 'c2', userId: 'u1', origin: 'forked', erased: 'yes' },
    ],
    crashes: [{ at: crash, kind: 'kill', name: null }],
    stalls: [],
    provider: {
      1: { task: 'reply', sent: WHOLE, finished: true },
      2: { task: 'reply', sent: `${BROKEN} w2x1 w2x2`, finished: false },
      3: { task: 'reply', sent: AGAIN, finished: true },
    },
  };
}
