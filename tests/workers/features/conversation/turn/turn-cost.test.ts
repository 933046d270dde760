import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { describe, expect, test, vi } from 'vitest';
import { createPositionedId } from '../../../../../src/lib/ids.ts';
import type { MessageRecord } from '../../../../../src/features/conversation/files/chat-record.ts';
import { startConversation, signInGuest, sendMessage, type Visitor } from '../../../../support/factories.ts';

/** A short message of a conversation. */
const LINE = '*The lamp turns.* "Once more round the point, and then we sleep."';

function createRecords(count: number): MessageRecord[] {
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
          content: `${LINE} ${index}`,
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

async function createConversation(me: Visitor, count: number): Promise<string> {
  const id = await startConversation(me);
  const object = env.CONVERSATIONS.get(env.CONVERSATIONS.idFromName(id));
  for (let remaining = createRecords(count); remaining.length > 0; remaining = remaining.slice(500))
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
  await vi.waitFor(
    async () => {
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
    },
    { timeout: 10_000, interval: 20 },
  );
}

/** Memory notes catch up over many turns, and their cost is measured elsewhere. */
const BACKGROUND = /memory_/;

/** Counts the rows that an object reads and writes from now on. @returns a function that ends it and returns the rows */
async function startCounting(
  object: DurableObjectStub,
): Promise<() => Promise<{ read: number; written: number }>> {
  await runInDurableObject(object, (_, { storage: { sql } }) => {
    const exec = sql.exec.bind(sql);
    const counted: SqlStorageCursor<Record<string, SqlStorageValue>>[] = [];
    (sql as { exec: unknown }).exec = (...args: Parameters<typeof exec>) => {
      const cursor = exec(...args);
      if (!BACKGROUND.test(args[0])) counted.push(cursor);
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
