import { abortAllDurableObjects, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import { migrateObject, MOVE_ROWS, ObjectMoves, type ObjectStep } from '../../src/db/object-migrations.ts';
import { openDatabase } from '../../src/db/open.ts';
import { addToIndex } from '../../src/features/conversation/conversation-index-store.ts';
import { CONVERSATION_MIGRATIONS } from '../../src/features/conversation/conversation-migrations.ts';
import { newId } from '../../src/ids.ts';
import { Chat } from '../support/chat.ts';
import { dump, KINDS, makeEarlier, rowsOf, schemaOf } from '../support/earlier-objects.ts';
import { shapeOf } from '../support/event-reader.ts';
import {
  character,
  conversationStub,
  expectBalancedLedger,
  guest,
  points,
  type Visitor,
  walletStub,
} from '../support/makers.ts';
import { scene } from '../support/scripted-model.ts';

const AT = Date.parse('2026-03-10T12:00:00.000Z');
const MESSAGES = 40;

const sizeFor = (conversationId: string, ownerId: string, characterId: string, messages = MESSAGES) => ({
  messages,
  conversationId,
  ownerId,
  characterId,
});

type Tables = Map<string, Record<string, SqlStorageValue>[]>;

/** What the earlier rows had, and what they have now of it: columns that have come since, or are gone, are not looked at. */
function kept(before: Tables, after: Tables) {
  return [...before].map(([table, rows]) => {
    const now = after.get(table) ?? [];
    const names = Object.keys(rows[0] ?? {}).filter((name) => name in (now[0] ?? {}));
    return {
      table,
      before: rows.map((row) => names.map((name) => row[name])),
      after: now.map((row) => names.map((name) => row[name])),
    };
  });
}

/** A conversation of mine as the code of so many steps left it; the product of today finds it so. */
async function earlierConversation(me: Visitor, count: number, messages = MESSAGES) {
  const id = newId(AT);
  const characterId = await character();
  const before = await runInDurableObject(conversationStub(id), (_, { storage: { sql } }) =>
    makeEarlier(sql, 'conversation', count, sizeFor(id, me.id, characterId, messages)),
  );
  await addToIndex(openDatabase(env.DB), {
    id,
    ownerId: me.id,
    characterId,
    characterName: 'Mira',
    avatarUrl: '/media/x.webp',
    title: 'The lamp',
    createdAt: AT,
    lastMessageAt: AT,
    messageCount: messages - 1,
    network: null,
  });
  await abortAllDurableObjects();
  return { chat: new Chat(me, id), before };
}

const found = async (me: Visitor, query: string) =>
  (await me.ask<{ items: object[] }>(`/api/conversations/search?limit=50&q=${query}`)).items.length;

describe.each(CONVERSATION_MIGRATIONS.map((_, index) => ({ step: index + 1 })))(
  'A conversation as it was at step $step, with something in every table,',
  ({ step }) => {
    test('keeps all of it in the tables of a new one, opens, is found and goes on', async () => {
      const me = await guest();
      const { chat, before } = await earlierConversation(me, step);
      const fresh = await runInDurableObject(conversationStub(newId(AT)), (_, { storage }) => {
        migrateObject(storage, CONVERSATION_MIGRATIONS);
        return schemaOf(storage.sql);
      });
      for (const [table, rows] of before)
        if (table !== 'search_queue') expect(rows, `a row in ${table}`).not.toEqual([]);
      await runInDurableObject(conversationStub(chat.id), (_, { storage: { sql } }) => {
        const after = dump(sql);
        for (const { table, before: was, after: is } of kept(before, after)) {
          // The list row is to be written again; that alone has changed.
          if (table === 'meta' || table === 'object_migrations') continue;
          expect(is, table).toEqual(was);
        }
        const meta = before.get('meta') ?? [];
        expect(after.get('meta')).toMatchObject(
          meta.map((row) => ({ ...row, index_dirty: after.get('meta')?.[0]?.['index_dirty'] })),
        );
        expect(after.get('object_migrations')?.map((row) => row['step'])).toEqual(
          CONVERSATION_MIGRATIONS.map((__, index) => index + 1),
        );
        expect(schemaOf(sql)).toEqual(fresh);
      });
      const { messages } = await chat.page();
      expect(messages.at(-1)?.content).toContain('the lamp of the lighthouse');
      await runDurableObjectAlarm(conversationStub(chat.id));
      // What was told to the search before its queue came is told by it; what was queued later is made by the code.
      if (step < 2) expect(await found(me, 'lighthouse')).toBe(MESSAGES);
      const told = scene('tokens n=3');
      expect(shapeOf(await chat.send(`And now? ${told.marker}`))).toEqual(['accepted', 'delta', 'done']);
      await expectBalancedLedger(me);
    });
  },
);

describe.each(KINDS.wallet.steps.map((_, index) => ({ step: index + 1 })))(
  'A wallet as it was at step $step, with something in every table,',
  ({ step }) => {
    test('keeps all of it in the tables of a new one, and its points can be spent', async () => {
      const me = await guest();
      const before = await runInDurableObject(walletStub(me.id), async (_, { storage }) => {
        await storage.deleteAll();
        return makeEarlier(storage.sql, 'wallet', step, sizeFor('c', me.id, 'x'));
      });
      await abortAllDurableObjects();
      const fresh = await runInDurableObject(walletStub(newId(AT)), (_, { storage }) => {
        migrateObject(storage, KINDS.wallet.steps);
        return schemaOf(storage.sql);
      });
      const wallet = walletStub(me.id);
      await runInDurableObject(wallet, (_, { storage: { sql } }) => {
        const after = dump(sql);
        for (const { table, before: was, after: is } of kept(before, after)) {
          expect(was, `a row in ${table}`).not.toEqual([]);
          if (table !== 'object_migrations') expect(is, table).toEqual(was);
        }
        expect(schemaOf(sql)).toEqual(fresh);
      });
      expect(await points(me)).toMatchObject({ current_points: 30, permanent_points: MESSAGES });
      expect(await wallet.reserve('a-new-turn', 'chat', { unlimited: false, timeZone: null })).toMatchObject({
        ok: true,
      });
      await wallet.settle('a-new-turn', 'a-message', 'reply');
      expect(await points(me)).toMatchObject({ current_points: 29 });
      await expectBalancedLedger(me);
    });
  },
);

describe.each(KINDS.search.steps.map((_, index) => ({ step: index + 1 })))(
  'An index of words as it was at step $step',
  ({ step }) => {
    test('finds what it found, in the tables of a new one', async () => {
      const owner = newId(AT);
      const index = () => env.SEARCHES.get(env.SEARCHES.idFromName(owner));
      const before = await runInDurableObject(index(), (_, { storage: { sql } }) =>
        makeEarlier(sql, 'search', step, sizeFor('v', owner, 'x')),
      );
      await abortAllDurableObjects();
      const fresh = await runInDurableObject(
        env.SEARCHES.get(env.SEARCHES.idFromName(newId(AT))),
        (_, { storage }) => {
          migrateObject(storage, KINDS.search.steps);
          return schemaOf(storage.sql);
        },
      );
      await runInDurableObject(index(), (_, { storage: { sql } }) => {
        const after = dump(sql);
        for (const { table, before: was, after: is } of kept(before, after))
          if (table !== 'object_migrations') expect(is, table).toEqual(was);
        expect(schemaOf(sql)).toEqual(fresh);
        expect(rowsOf(sql, "select count(*) as n from words where words match 'lighthouse'")).toEqual([
          { n: MESSAGES },
        ]);
      });
    });
  },
);

/** Storage whose power fails before a statement. */
function failing(storage: DurableObjectStorage, statements: number): DurableObjectStorage {
  let left = statements;
  const exec = (...asked: Parameters<SqlStorage['exec']>) => {
    left -= 1;
    if (left < 0) throw new Error('the power failed');
    return storage.sql.exec(...asked);
  };
  return {
    sql: { exec },
    transactionSync: <T>(write: () => T) => storage.transactionSync(write),
  } as unknown as DurableObjectStorage;
}

const isPower = (error: unknown) => error instanceof Error && error.message === 'the power failed';

describe('When the power fails while an object is brought up to date', () => {
  test.each(['conversation', 'wallet'] as const)(
    'a %s is as it was, before whichever statement that is',
    async (kind) => {
      const { steps } = KINDS[kind];
      const object = kind === 'wallet' ? walletStub(newId(AT)) : conversationStub(newId(AT));
      await runInDurableObject(object, (_, { storage }) => {
        const before = makeEarlier(storage.sql, kind, 1, sizeFor('v', 'u', 'c'));
        const schema = schemaOf(storage.sql);
        for (let statements = 0; ; statements += 1) {
          try {
            migrateObject(failing(storage, statements), steps);
            // Every step has at least its own statement and a line in the list.
            expect(statements).toBeGreaterThan(steps.length);
            break;
          } catch (error) {
            if (!isPower(error)) throw error;
          }
          expect(dump(storage.sql)).toEqual(before);
          expect(schemaOf(storage.sql)).toEqual(schema);
        }
        expect(rowsOf(storage.sql, 'select count(*) as n from object_migrations')).toEqual([
          { n: steps.length },
        ]);
      });
    },
  );

  test('and a step of several statements that fails in the middle leaves nothing of itself', async () => {
    await runInDurableObject(conversationStub(newId(AT)), (_, { storage }) => {
      const before = makeEarlier(storage.sql, 'conversation', 3, sizeFor('v', 'u', 'c'));
      const schema = schemaOf(storage.sql);
      const wrong = 'alter table messages add column mood text; update messages set mood = nothing_such;';
      expect(() => migrateObject(storage, [...CONVERSATION_MIGRATIONS.slice(0, 3), wrong])).toThrow(
        /nothing_such/,
      );
      expect(dump(storage.sql)).toEqual(before);
      expect(schemaOf(storage.sql)).toEqual(schema);
    });
  });
});

describe('A long conversation', () => {
  const LONG = MOVE_ROWS * 2 + 100;
  const queued = (sql: SqlStorage) =>
    rowsOf(sql, 'select message_id from search_queue order by seq').map((row) => row['message_id']);
  const inOrder = (sql: SqlStorage) =>
    rowsOf(sql, 'select id from messages order by position').map((row) => row['id']);

  test('is walked in pieces, after it has opened; each is whole, and goes on where the power failed', async () => {
    await runInDurableObject(conversationStub(newId(AT)), (_, { storage }) => {
      const { sql } = storage;
      makeEarlier(sql, 'conversation', 1, sizeFor('v', 'u', 'c', LONG));
      migrateObject(storage, CONVERSATION_MIGRATIONS);
      expect(queued(sql)).toEqual([]);
      let pieces = 0;
      for (
        let statements = 1;
        new ObjectMoves(storage, CONVERSATION_MIGRATIONS).waiting;
        statements = (statements % 7) + 1
      ) {
        const before = queued(sql).length;
        try {
          new ObjectMoves(failing(storage, statements), CONVERSATION_MIGRATIONS).doPiece();
          pieces += 1;
          expect(queued(sql).length - before).toBeLessThanOrEqual(MOVE_ROWS);
        } catch (error) {
          if (!isPower(error)) throw error;
          expect(queued(sql)).toHaveLength(before);
        }
      }
      expect(queued(sql)).toEqual(inOrder(sql));
      // Three for what is to be found again, three for its Hindi.
      expect(pieces).toBe(6);
      expect(rowsOf(sql, 'select * from object_moves')).toEqual([]);
    });
  });

  test('from the time before there was a search is found whole, by its Hindi as well', async () => {
    const me = await guest();
    const { chat } = await earlierConversation(me, 1, LONG);
    await runInDurableObject(conversationStub(chat.id), (_, { storage: { sql } }) => {
      expect(rowsOf(sql, 'select step from object_moves')).toEqual([{ step: 2 }, { step: 4 }]);
    });
    await runDurableObjectAlarm(conversationStub(chat.id));
    expect(await found(me, `lighthouse`)).toBe(50);
    expect(await found(me, encodeURIComponent('हिंदी'))).toBe(LONG / 50);
    await runInDurableObject(conversationStub(chat.id), async (_, { storage }) => {
      expect(queued(storage.sql)).toEqual([]);
      expect(rowsOf(storage.sql, 'select * from object_moves')).toEqual([]);
    });
  });

  test('that was at the step before Hindi was spelt either way has that alone queued', async () => {
    await runInDurableObject(conversationStub(newId(AT)), (_, { storage }) => {
      makeEarlier(storage.sql, 'conversation', 3, sizeFor('v', 'u', 'c', LONG));
      migrateObject(storage, CONVERSATION_MIGRATIONS);
      const moves = new ObjectMoves(storage, CONVERSATION_MIGRATIONS);
      while (moves.waiting) moves.doPiece();
      expect(queued(storage.sql)).toHaveLength(LONG / 50);
    });
  });

  test('and one that begins today has nothing to walk', async () => {
    await runInDurableObject(conversationStub(newId(AT)), (_, { storage }) => {
      migrateObject(storage, CONVERSATION_MIGRATIONS);
      expect(new ObjectMoves(storage, CONVERSATION_MIGRATIONS).waiting).toBe(false);
      expect(schemaOf(storage.sql).map((row) => row['name'])).not.toContain('object_moves');
    });
  });
});

describe('After a rollback, the code of before', () => {
  const OPEN = 'alter table messages add column mood text; create table moods (id text primary key) strict;';
  const BARRED: ObjectStep = {
    bars: 'older code',
    sql: 'alter table messages rename column role to by_whom;',
  };

  test('goes on with a conversation that is newer, where the step allows it, and changes nothing of the step', async () => {
    const me = await guest();
    const { chat } = await earlierConversation(me, CONVERSATION_MIGRATIONS.length);
    const later = [...CONVERSATION_MIGRATIONS, OPEN];
    await runInDurableObject(conversationStub(chat.id), (_, { storage }) => migrateObject(storage, later));
    await abortAllDurableObjects();
    const count = (await chat.page()).conversation.message_count;
    const told = scene('tokens n=3');
    expect(shapeOf(await chat.send(`And now? ${told.marker}`))).toEqual(['accepted', 'delta', 'done']);
    const { messages } = await chat.page();
    await chat.edit(messages.at(-2)?.id ?? '', 'And then?');
    expect((await chat.page()).conversation.message_count).toBe(count + 2);
    await runInDurableObject(conversationStub(chat.id), (_, { storage }) => {
      const steps = () => rowsOf(storage.sql, 'select step, oldest from object_migrations order by step');
      expect(steps().at(-1)).toMatchObject({ step: later.length });
      // Rolled forward again, it is not done twice.
      const before = steps();
      migrateObject(storage, later);
      expect(steps()).toEqual(before);
    });
  });

  test('leaves alone what it could not read, says which step it would have to know, and later it is all there', async () => {
    await runInDurableObject(conversationStub(newId(AT)), (_, { storage }) => {
      makeEarlier(storage.sql, 'conversation', 1, sizeFor('v', 'u', 'c'));
      const later = [...CONVERSATION_MIGRATIONS, BARRED, OPEN];
      migrateObject(storage, later);
      const before = dump(storage.sql);
      const known = CONVERSATION_MIGRATIONS.length;
      for (const older of [CONVERSATION_MIGRATIONS, CONVERSATION_MIGRATIONS.slice(0, 1)])
        expect(() => migrateObject(storage, older)).toThrow(
          `the object's tables are at step ${known + 2}, and can be used from step ${known + 1} on: this code knows ${older.length}`,
        );
      expect(dump(storage.sql)).toEqual(before);
      // The code that bars, without the open step after it, goes on.
      migrateObject(storage, later.slice(0, -1));
      expect(dump(storage.sql)).toEqual(before);
    });
  });

  test('answers that something is wrong on our side where a conversation is barred, and others open', async () => {
    const me = await guest();
    const { chat: barred } = await earlierConversation(me, CONVERSATION_MIGRATIONS.length);
    const { chat: other } = await earlierConversation(me, CONVERSATION_MIGRATIONS.length);
    await runInDurableObject(conversationStub(barred.id), (_, { storage }) =>
      migrateObject(storage, [...CONVERSATION_MIGRATIONS, BARRED]),
    );
    await abortAllDurableObjects();
    const refused = await me.ask<{ code: string }>(`/api/conversations/${barred.id}`, {
      status: 500,
    });
    expect(refused.code).toBe('server_error');
    expect((await other.page()).messages).not.toEqual([]);
  });

  test('leaves what a newer step still moves to the code that knows it', async () => {
    await runInDurableObject(conversationStub(newId(AT)), (_, { storage }) => {
      const { sql } = storage;
      makeEarlier(sql, 'conversation', CONVERSATION_MIGRATIONS.length, sizeFor('v', 'u', 'c'));
      const later: ObjectStep[] = [
        ...CONVERSATION_MIGRATIONS,
        {
          sql: 'alter table messages add column mood text;',
          move: {
            table: 'messages',
            key: 'position',
            piece: "update messages set mood = 'calm' where position > ? and position <= ?",
          },
        },
      ];
      migrateObject(storage, later);
      expect(new ObjectMoves(storage, CONVERSATION_MIGRATIONS).waiting).toBe(false);
      const moves = new ObjectMoves(storage, later);
      expect(moves.waiting).toBe(true);
      moves.doPiece();
      expect(moves.waiting).toBe(false);
      expect(rowsOf(sql, "select count(*) as n from messages where mood = 'calm'")).toEqual([
        { n: MESSAGES },
      ]);
    });
  });
});
