import { runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { describe, expect, test, vi } from 'vitest';
import { createPositionedId } from '../../../../../src/lib/ids.ts';
import type { RunMessage } from '../../../../../src/features/conversation/memory/memory.ts';
import { MemoryStore } from '../../../../../src/features/conversation/memory/memory-store.ts';
import type { MessageRecord } from '../../../../../src/features/conversation/files/chat-record.ts';
import {
  getConversationStub,
  getWalletStub,
  sendMessage,
  setPoints,
  signInGuest,
  startConversation,
  type Visitor,
} from '../../../../support/factories.ts';

/** A short message of a conversation. */
const LINE = '*The lamp turns.* "Once more round the point, and then we sleep."';

function createRecords(count: number, line: string): MessageRecord[] {
  return Array.from({ length: count }, (_, index) => {
    const at = Date.now() - (count - index) * 60_000;
    return {
      id: createPositionedId(at, index + 2),
      role: index % 2 === 0 ? 'user' : 'character',
      name: null,
      createdAt: at,
      pinned: false,
      source: null,
      selected: 0,
      versions: [
        {
          id: createPositionedId(at, index + 2),
          content: `${line} ${index}`,
          model: index % 2 === 0 ? null : 'loreloom',
          status: 'complete',
          errorCode: null,
          edited: false,
          createdAt: at,
        },
      ],
    };
  });
}

async function createConversation(me: Visitor, count: number, line = LINE): Promise<string> {
  const id = await startConversation(me);
  const object = env.CONVERSATIONS.get(env.CONVERSATIONS.idFromName(id));
  for (let remaining = createRecords(count, line); remaining.length > 0; remaining = remaining.slice(500))
    await object.append(me.id, remaining.slice(0, 500));
  await object.reindex(me.id);
  // The first turn may have background work to catch up with.
  await sendMessage(me, id, 'Hello [[scenario:tokens n=2 ms=0]]');
  await waitForUpdates(id);
  return id;
}

/** Waits until the wallet, the list and the search have received all updates. */
async function waitForUpdates(id: string): Promise<void> {
  const object = env.CONVERSATIONS.get(env.CONVERSATIONS.idFromName(id));
  await vi.waitFor(async () => {
    const waiting = await runInDurableObject(
      object,
      (_, { storage }) =>
        storage.sql
          .exec<{ count: number }>(
            `select json_array_length(settlements) + (select count(*) from search_queue) + list_row_stale
                 + (select max(position) from messages) - search_position as count from meta`,
          )
          .one().count,
    );
    expect(waiting).toBe(0);
  }, WAIT);
}

/** How often a reply of five seconds is saved while it is written. Those of these tests are too short for that. */
const SAVES = 2;

const WAIT = { timeout: 10_000, interval: 20 };

/** Where the context of a conversation begins, how many messages before it have no note, and how many notes there are. */
const readMemoryState = (id: string) =>
  runInDurableObject(getConversationStub(id), (_, { storage: { sql } }) =>
    sql
      .exec<{ startId: string; unnoted: number; notes: number }>(
        `select context_start_id as startId, (select count(*) from memory_entries) as notes, (
           select count(*) from messages where id < context_start_id
             and id not in (select key from memory_entries, json_each(memory_entries.sources))
         ) as unnoted from meta`,
      )
      .one(),
  );

/** What memory notes write. They catch up over many turns. */
const NOTES = /memory_/;

/** Counts the rows that an object reads and writes from now on. @returns a function that ends it and returns the rows */
async function startCounting(
  object: DurableObjectStub,
  { withNotes = false } = {},
): Promise<() => Promise<{ read: number; written: number }>> {
  await runInDurableObject(object, (_, { storage: { sql } }) => {
    const exec = sql.exec.bind(sql);
    const counted: SqlStorageCursor<Record<string, SqlStorageValue>>[] = [];
    (sql as { exec: unknown }).exec = (...args: Parameters<typeof exec>) => {
      const cursor = exec(...args);
      if (withNotes || !NOTES.test(args[0])) counted.push(cursor);
      return cursor;
    };
    (sql as { sum?: () => object }).sum = () => {
      (sql as { exec: unknown }).exec = exec;
      const rows = { read: 0, written: 0 };
      for (const { rowsRead, rowsWritten } of counted) {
        rows.read += rowsRead;
        rows.written += rowsWritten;
      }
      return rows;
    };
  });
  return () =>
    runInDurableObject(object, (_, { storage: { sql } }) =>
      (sql as unknown as { sum(): { read: number; written: number } }).sum(),
    );
}

/** Counts the rows of the conversation during a call, including its updates to other stores. */
async function countRows(
  id: string,
  act: () => Promise<unknown>,
): Promise<{ read: number; written: number }> {
  const sum = await startCounting(env.CONVERSATIONS.get(env.CONVERSATIONS.idFromName(id)));
  await act();
  await waitForUpdates(id);
  return sum();
}

describe('Cost of a turn', () => {
  test('the rows of a turn do not grow with a conversation that is longer than the context @all', async () => {
    const me = await signInGuest();
    const cost = async (count: number) => {
      const id = await createConversation(me, count);
      return countRows(id, () => sendMessage(me, id, 'And then? [[scenario:tokens n=20 ms=0]]'));
    };
    const short = await cost(20);
    const full = await cost(1500);
    const long = await cost(5000);
    console.info(JSON.stringify({ rows_of_a_turn: { after_20: short, after_1500: full, after_5000: long } }));
    expect(short.written).toBeGreaterThan(5);
    expect(full.written).toBeLessThanOrEqual(short.written + 6);
    expect(long.written).toBeLessThanOrEqual(full.written + 2);
    expect(long.read).toBeLessThanOrEqual(full.read * 1.1);
  });

  test('a turn of a sitting writes eight rows in the conversation, three in the wallet and three in the search', async () => {
    const me = await signInGuest();
    const id = await createConversation(me, 2);
    const sums = await Promise.all(
      [
        env.CONVERSATIONS.get(env.CONVERSATIONS.idFromName(id)),
        env.WALLETS.get(env.WALLETS.idFromName(me.id)),
        env.SEARCHES.get(env.SEARCHES.idFromName(me.id)),
      ].map((object) => startCounting(object)),
    );
    // Shorter than the time after which a reply is saved: each save is a row more.
    await sendMessage(me, id, 'And then? [[scenario:tokens n=2 ms=0]]');
    await waitForUpdates(id);
    const written = await Promise.all(sums.map(async (sum) => (await sum()).written));
    expect(written).toEqual([8, 3, 3]);
  });

  test('a long chat writes at most seventeen rows a turn from cut to cut, notes and the end of the sitting included', async () => {
    const me = await signInGuest();
    await setPoints(me, 1000);
    // A turn of about 400 tokens, so that a cut of the history comes after several turns.
    const id = await createConversation(me, 200, LINE.repeat(12));
    const say = async () => {
      await sendMessage(me, id, `${LINE.repeat(20)} [[scenario:tokens n=2 ms=0]]`);
      await waitForUpdates(id);
    };
    const sayUntilCut = async () => {
      const { startId } = await readMemoryState(id);
      for (let turns = 1; ; turns += 1) {
        await say();
        if ((await readMemoryState(id)).startId !== startId) return turns;
      }
    };
    const waitForNotes = () =>
      vi.waitFor(async () => expect((await readMemoryState(id)).unnoted).toBeLessThan(4), WAIT);
    await sayUntilCut();
    await waitForNotes();
    const { notes: before } = await readMemoryState(id);
    const sums = await Promise.all(
      [getConversationStub(id), getWalletStub(me.id), env.SEARCHES.get(env.SEARCHES.idFromName(me.id))].map(
        (object) => startCounting(object, { withNotes: true }),
      ),
    );
    const turns = await sayUntilCut();
    await waitForNotes();
    await runDurableObjectAlarm(getConversationStub(id));
    const written = await Promise.all(sums.map(async (sum) => (await sum()).written));
    const { notes } = await readMemoryState(id);
    const all = written.reduce((sum, rows) => sum + rows, 0);
    console.info(JSON.stringify({ rows_from_cut_to_cut: { turns, written, notes: notes - before } }));
    expect(turns).toBeGreaterThan(5);
    expect(notes).toBeGreaterThan(before);
    expect(all / turns + SAVES).toBeLessThanOrEqual(17);
  });

  test('a memory note writes one row, and merging eight of them writes ten', async () => {
    const id = await createConversation(await signInGuest(), 40);
    const written = await runInDurableObject(getConversationStub(id), (_, { storage: { sql } }) => {
      const cursors: SqlStorageCursor<Record<string, SqlStorageValue>>[] = [];
      const exec: SqlStorage['exec'] = (...args) => {
        const cursor = sql.exec(...args);
        cursors.push(cursor);
        return cursor as never;
      };
      const takeWritten = () => cursors.splice(0).reduce((sum, { rowsWritten }) => sum + rowsWritten, 0);
      const memory = new MemoryStore({ exec } as SqlStorage);
      const messages = sql
        .exec<Omit<RunMessage, 'covered'>>(
          'select id, position, version_id as versionId, role, name, content from messages order by position',
        )
        .toArray()
        .map((message): RunMessage => ({ ...message, covered: false }));
      const notes = Array.from({ length: 8 }, (__, index) => {
        memory.saveNotes(messages.slice(index * 5, index * 5 + 5), `They met ${index}.`, index);
        return takeWritten();
      });
      memory.merge(memory.listLive(), 'They met.', 8);
      return { notes, merge: takeWritten() };
    });
    expect(written).toEqual({ notes: Array.from({ length: 8 }, () => 1), merge: 10 });
  });

  test('the newest page reads the same number of rows after 5,000 messages as after 100', async () => {
    const me = await signInGuest();
    const cost = async (count: number) => {
      const id = await createConversation(me, count);
      const readPage = () => me.ask(`/api/conversations/${id}`);
      // The first look marks the reply as read.
      await readPage();
      await waitForUpdates(id);
      return countRows(id, readPage);
    };
    const hundred = await cost(100);
    const thousands = await cost(5000);
    console.info(JSON.stringify({ rows_of_a_page: { after_100: hundred, after_5000: thousands } }));
    expect(hundred.read).toBeGreaterThan(50);
    expect(thousands.read).toBeLessThanOrEqual(hundred.read + 2);
    expect(thousands.written).toBe(0);
  });
});
